/* Which of the best holes leads on: a search within the layer, among plies that keep the value.
 *
 * A win of d plies: a ply that attains the value leaves the layer, or it leads to a loss of d − 1
 * plies. A loss of d plies: every ply of the same value that stays in the layer leads to a win of
 * d − 1. Plies that give something away lead on by themselves. What was found proved or not proved
 * in so many plies holds whatever was played before, so it is kept. */
#include <stdlib.h>

#include "base/memory.h"
#include "solve/tables.h"

#define MAX_PLIES 4096u /* no table that is right needs so many */
#define FIRST_SLOTS 1024u

typedef struct entry {
    uint64_t place;  /* + 1; 0: free */
    uint16_t proved; /* in so many plies; 0: not yet */
    uint16_t failed; /* in so many plies and fewer */
} entry;

typedef struct search {
    const hy_endgame *endgame;
    int value; /* to the winner, in counters */
    entry *entries;
    size_t num_slots, num;
    bool no_memory;
} search;

static entry *find(entry *entries, size_t num_slots, uint64_t place)
{
    size_t slot = (size_t)(place * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (num_slots - 1);
    while (entries[slot].place != 0 && entries[slot].place != place + 1)
        slot = (slot + 1) & (num_slots - 1);
    return &entries[slot];
}

/* Doubles the slots when half of them are taken. */
static bool make_room(search *s)
{
    if (s->num_slots > 0 && 2 * s->num < s->num_slots)
        return true;
    size_t num_slots = s->num_slots > 0 ? 2 * s->num_slots : FIRST_SLOTS;
    entry *entries = hy_new_array(num_slots, sizeof *entries);
    if (!entries)
        return false;
    for (size_t i = 0; i < s->num_slots; i++) {
        if (s->entries[i].place != 0)
            *find(entries, num_slots, s->entries[i].place - 1) = s->entries[i];
    }
    free(s->entries);
    s->entries = entries;
    s->num_slots = num_slots;
    return true;
}

static uint64_t place_of(const search *s, const hy_position *position)
{
    uint8_t turned[HY_MAX_BOARD];
    hy_turn_to_mover(&s->endgame->rules, position->board, position->mover, turned);
    return hy_index_rank(&s->endgame->index, turned);
}

/* What is known of a position; NULL where memory is refused. */
static entry *know(search *s, uint64_t place)
{
    if (!make_room(s)) {
        s->no_memory = true;
        return NULL;
    }
    entry *known = find(s->entries, s->num_slots, place);
    if (known->place == 0) {
        known->place = place + 1;
        s->num++;
    }
    return known;
}

static bool leads_on(search *s, const hy_position *position, bool winner, unsigned plies);

/* Looks at one hole. Returns whether it decides the matter: for the winner that it leads on, for
 * the loser that it may not. */
static bool decides(search *s, const hy_position *position, unsigned hole, bool winner,
                    unsigned plies)
{
    hy_option option;
    hy_option_of(s->endgame, position, hole, HY_DEFAULT_MAX_LAPS, &option);
    if (option.kind == HY_OPTION_STAYS) {
        option.value = -hy_endgame_value(s->endgame, option.after.board, option.after.mover);
        if (option.value != (winner ? s->value : -s->value))
            return false;
        return leads_on(s, &option.after, !winner, plies - 1) == winner;
    }
    return winner && option.kind == HY_OPTION_ENDS && option.value == s->value;
}

static bool search_holes(search *s, const hy_position *position, bool winner, unsigned plies)
{
    hy_moves moves;
    hy_position passed = *position;
    hy_legal_moves(&s->endgame->rules, position, HY_DEFAULT_MAX_LAPS, &moves);
    for (unsigned i = 0; i < moves.num; i++) {
        if (decides(s, position, moves.hole[i], winner, plies))
            return winner;
    }
    passed.mover = (uint8_t)hy_opponent(position->mover);
    if (moves.num == 0 && s->endgame->rules.no_move == HY_NO_MOVE_PASS)
        return leads_on(s, &passed, !winner, plies - 1);
    return !winner;
}

/* Whether the position (won or lost by the mover at the value) is so within so many plies. */
static bool leads_on(search *s, const hy_position *position, bool winner, unsigned plies)
{
    if (plies == 0 || s->no_memory)
        return false;
    uint64_t place = place_of(s, position);
    entry *known = know(s, place);
    if (!known)
        return false;
    if (known->proved > 0 && known->proved <= plies)
        return true;
    if (plies <= known->failed)
        return false;
    bool led = search_holes(s, position, winner, plies);
    known = know(s, place); /* the entries may have moved */
    if (known && led)
        known->proved = (uint16_t)plies;
    else if (known && !s->no_memory)
        known->failed = (uint16_t)plies;
    return led;
}

/* Keeps those holes that lead on in the fewest plies. */
static void keep_progress(const hy_endgame *endgame, const hy_position *position, int value,
                          hy_moves *best)
{
    search s = {.endgame = endgame, .value = value};
    hy_moves kept = {0};
    for (unsigned plies = 1; plies < MAX_PLIES && kept.num == 0 && !s.no_memory; plies++) {
        for (unsigned i = 0; i < best->num; i++) {
            if (decides(&s, position, best->hole[i], true, plies))
                kept.hole[kept.num++] = best->hole[i];
        }
    }
    free(s.entries);
    if (kept.num > 0)
        *best = kept;
}

int hy_endgame_best(const hy_endgame *endgame, const hy_position *position, const hy_moves *moves,
                    hy_moves *best)
{
    int values[HY_MAX_HOLES];
    int value = hy_endgame_holes(endgame, position, moves, values);
    best->num = 0;
    for (unsigned i = 0; i < moves->num; i++) {
        if (values[i] == value)
            best->hole[best->num++] = moves->hole[i];
    }
    if (value > 0 && best->num > 1)
        keep_progress(endgame, position, value, best);
    return value;
}
