#include "solve/verify_claim.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* A position of the walk with what the claimant still has to win there. */
typedef struct place {
    hy_proof_key key;
    int16_t wins;
    uint8_t mover;
    uint8_t state; /* 0: free */
} place;

enum { ON_THE_WAY = 1, DONE = 2 };

/* What is walked at the moment. */
typedef struct step {
    hy_position position;
    int wins;
    unsigned next; /* of the moves */
    size_t place;
    hy_moves moves; /* to be followed: one of the claimant's, all of the opponent's */
} step;

typedef struct walk {
    hy_contest *contest;
    hy_forcing search;
    hy_player claimant;
    place *places; /* [mask + 1], open addressing */
    size_t mask, num_places;
    step *steps;
    size_t num_steps, max_steps;
    hy_error *error;
} walk;

static uint64_t hash_of(const place *p)
{
    uint64_t other = (uint64_t)(uint16_t)p->wins << 8 | p->mover;
    return hy_mix64(p->key.first + hy_mix64(p->key.second + hy_mix64(other)));
}

static bool is_same(const place *a, const place *b)
{
    return a->key.first == b->key.first && a->key.second == b->key.second && a->wins == b->wins &&
           a->mover == b->mover;
}

/* Where the place is, or the free one where it belongs. */
static size_t find(const walk *w, const place *wanted)
{
    size_t i = hash_of(wanted) & w->mask;
    while (w->places[i].state != 0 && !is_same(&w->places[i], wanted))
        i = (i + 1) & w->mask;
    return i;
}

static hy_status grow(walk *w)
{
    size_t old_size = w->places ? w->mask + 1 : 0, size = old_size > 0 ? 2 * old_size : 1024;
    place *old = w->places;
    w->places = hy_new_array(size, sizeof old[0]);
    if (!w->places) {
        w->places = old;
        return hy_fail_memory(w->error);
    }
    w->mask = size - 1;
    for (size_t i = 0; i < old_size; i++) {
        if (old[i].state != 0)
            w->places[find(w, &old[i])] = old[i];
    }
    free(old);
    for (size_t i = 0; i < w->num_steps; i++) { /* they have moved */
        place wanted = {.key = hy_proof_key_of(w->contest->rules, &w->steps[i].position),
                        .wins = (int16_t)w->steps[i].wins,
                        .mover = w->steps[i].position.mover};
        w->steps[i].place = find(w, &wanted);
    }
    return HY_OK;
}

static hy_status fault(walk *w, const char *what, const hy_position *position, int wins)
{
    char text[HY_POSITION_TEXT_SIZE];
    hy_position_print(w->contest->rules, position, text);
    return hy_fail(w->error, HY_FAILED,
                   "verification of what %s wins: %s at '%s', where %d more are to be won",
                   hy_player_words[w->claimant], what, text, wins);
}

/* The claimant's ply. */
static hy_status propose(walk *w, const hy_position *position, int wins, hy_moves *moves)
{
    hy_forcing *search = &w->search;
    for (unsigned level = 0; level <= w->contest->max_level; level++) {
        hy_verdict verdict = hy_force(search, position, w->claimant, wins, level);
        if (search->stopped)
            return hy_fail(w->error, HY_FAILED, "verification was stopped");
        if (verdict == HY_REFUTED)
            return fault(w, "the claim is refuted", position, wins);
        if (verdict == HY_PROVED && search->best_hole != HY_NO_HOLE) {
            *moves = (hy_moves){.num = 1, .hole = {search->best_hole}};
            return HY_OK;
        }
    }
    return fault(w, "no ply is found", position, wins);
}

static hy_status enter(walk *w, const hy_position *position, int wins)
{
    hy_status status = HY_OK;
    if (w->num_steps == w->max_steps)
        status =
            hy_reserve(&w->steps, &w->max_steps, w->num_steps + 1, sizeof w->steps[0], w->error);
    if (status == HY_OK && (!w->places || 2 * w->num_places > w->mask))
        status = grow(w);
    if (status != HY_OK)
        return status;
    place here = {.key = hy_proof_key_of(w->contest->rules, position),
                  .wins = (int16_t)wins,
                  .mover = position->mover,
                  .state = ON_THE_WAY};
    size_t i = find(w, &here);
    if (w->places[i].state == ON_THE_WAY && wins > 0)
        return fault(w, "play can go round for ever", position, wins);
    if (w->places[i].state != 0)
        return HY_OK;
    w->places[i] = here;
    w->num_places++;
    step *s = &w->steps[w->num_steps++];
    *s = (step){.position = *position, .wins = wins, .place = i};
    hy_legal_moves(w->contest->rules, position, w->contest->max_laps, &s->moves);
    return position->mover == w->claimant ? propose(w, position, wins, &s->moves) : HY_OK;
}

/* Whether the reference engine of sowing agrees with what a ply led to. */
static bool agrees(const hy_contest *contest, const hy_position *position, unsigned hole)
{
    uint16_t fast[HY_MAX_BOARD], slow[HY_MAX_BOARD];
    hy_sowing a, b;
    hy_sow(contest->rules, position->board, hole, position->mover, contest->max_laps, fast, &a);
    hy_sow_reference(contest->rules, position->board, hole, position->mover, contest->max_laps,
                     slow, &b);
    return a.ending == b.ending && a.casas == b.casas && a.en_passant[0] == b.en_passant[0] &&
           a.en_passant[1] == b.en_passant[1] && memcmp(fast, slow, sizeof fast) == 0;
}

static hy_status follow(walk *w, const hy_position *position, int wins, unsigned hole)
{
    const hy_contest *contest = w->contest;
    hy_branch branch;
    if (!hy_is_playable(contest->rules, position, hole) || !agrees(contest, position, hole))
        return fault(w, "a ply is not as the reference has it", position, wins);
    hy_ending ending = hy_branch_make(contest->rules, position, hole, contest->max_laps, &branch);
    if (ending == HY_ENDING_UNRESOLVED ||
        (ending == HY_ENDING_ENDLESS && contest->rules->endless == HY_ENDLESS_FORBID))
        return fault(w, "a ply is not legal", position, wins);
    int rest = hy_value_up(contest->rules, branch.position.left,
                           hy_wins_after(&branch, position->mover, w->claimant, wins));
    switch (hy_force_settled(contest->source, &branch, w->claimant, rest)) {
    case HY_PROVED:
        return HY_OK;
    case HY_REFUTED:
        return fault(w, "a line ends with too little", position, wins);
    case HY_UNPROVED:
        break;
    }
    return enter(w, &branch.position, rest);
}

static bool is_interrupted(const walk *w)
{
    const atomic_int *stop = w->contest->options->stop;
    return stop && atomic_load(stop) != 0;
}

static hy_status walk_all(walk *w)
{
    hy_status status = HY_OK;
    while (w->num_steps > 0 && status == HY_OK) {
        step *s = &w->steps[w->num_steps - 1];
        if (s->next == s->moves.num) {
            w->places[s->place].state = DONE;
            w->num_steps--;
            continue;
        }
        hy_position position = s->position; /* the steps may move */
        status = follow(w, &position, s->wins, s->moves.hole[s->next++]);
        if (status == HY_OK && is_interrupted(w))
            status = hy_fail(w->error, HY_INTERRUPTED, "interrupted while verifying");
    }
    return status;
}

hy_status hy_verify_claim(hy_contest *contest, hy_player claimant, int wins, uint64_t *positions,
                          hy_error *error)
{
    walk w = {.contest = contest, .claimant = claimant, .error = error};
    *positions = 0;
    if (wins <= -(int)contest->position->left)
        return HY_OK; /* nobody loses more than there is */
    hy_status status = hy_forcing_init(&w.search, contest->rules, contest->max_laps,
                                       contest->source, contest->table, error);
    w.search.no_loops = contest->options->no_loops;
    if (status == HY_OK)
        status = enter(&w, contest->position, wins);
    if (status == HY_OK)
        status = walk_all(&w);
    *positions = w.num_places;
    hy_forcing_clean_up(&w.search);
    free(w.places);
    free(w.steps);
    return status;
}
