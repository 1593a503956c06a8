#include "solve/forcing.h"

#include <limits.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "solve/effort.h"

#define CHECK_NODES 4096u
#define NO_RETURN INT_MAX /* leans on nothing further up */

/* A position of which nothing is known takes this to prove where the claimant moves, and that for
 * each hole besides where the opponent does; measured, see the README. */
#define FIRST_EFFORT 1.0f
#define HOLE_EFFORT 0.5f

/* Lines have at most so many plies, and so many more for each level. */
#define LINE_BASE 20u
#define LINE_LEVEL 4u

/* A line is followed until it looks so much harder than the next best one. */
#define PATIENCE 1.25f

/* A hole of a node that is being searched, either the claimant's or one that has to be answered. */
struct hy_forcing_choice {
    hy_branch branch;
    hy_proof_key key;
    int wins;     /* still to be won by the claimant */
    float effort; /* expected: the proof number */
    float habit;  /* from 0 to 1: how often the hole settled a claim elsewhere */
};

typedef hy_forcing_choice choice;

typedef struct node {
    const hy_position *position;
    hy_proof_key key;
    hy_facts facts;
    int wins;
    float limit; /* of the effort */
    bool claimant_moves;
    bool unknown;      /* a sowing outlasts max_laps: no ply, nor the lack of one */
    int leans_on;      /* place in the line, or NO_RETURN */
    uint8_t best_hole; /* that settled the claim, or was looked at last */
    float effort;
    unsigned num; /* choices that are open */
    choice *choices;
} node;

/* What a node says of its claim. */
typedef struct answer {
    hy_verdict verdict;
    int leans_on;
    float effort; /* of HY_UNPROVED: above the limit */
} answer;

hy_status hy_forcing_init(hy_forcing *search, const hy_rules *rules, uint64_t max_laps,
                          const hy_value_source *source, hy_proof_table *table, hy_error *error)
{
    *search = (hy_forcing){.rules = rules, .max_laps = max_laps, .source = source, .table = table};
    search->line = hy_new_array(HY_MAX_FORCED_LINE, sizeof search->line[0]);
    search->choices =
        hy_new_array((size_t)HY_MAX_FORCED_LINE * rules->holes, sizeof search->choices[0]);
    search->waiting = hy_new_array(HY_MAX_WAITING, sizeof search->waiting[0]);
    return search->line && search->choices && search->waiting ? HY_OK : hy_fail_memory(error);
}

void hy_forcing_clean_up(hy_forcing *search)
{
    free(search->line);
    free(search->choices);
    free(search->waiting);
    search->line = NULL;
    search->choices = NULL;
    search->waiting = NULL;
}

static bool must_stop(hy_forcing *search)
{
    if (search->node_limit > 0 && search->nodes >= search->node_limit)
        search->stopped = true;
    if (search->nodes % CHECK_NODES < HY_MAX_HOLES && search->interrupt &&
        search->interrupt(search->context))
        search->stopped = true;
    return search->stopped;
}

hy_verdict hy_force_settled(const hy_value_source *source, const hy_branch *branch,
                            hy_player claimant, int wins)
{
    const hy_position *position = &branch->position;
    if (branch->over)
        return wins <= 0 ? HY_PROVED : HY_REFUTED;
    int left = position->left;
    if (wins > left)
        return HY_REFUTED;
    if (wins <= -left)
        return HY_PROVED;
    if (!source->has(source->context, position->left))
        return HY_UNPROVED;
    int value = source->value(source->context, position);
    int own = position->mover == claimant ? value : -value;
    return own >= wins ? HY_PROVED : HY_REFUTED;
}

static const hy_failed *failure_of(const hy_facts *facts, bool claimant_moves)
{
    return &facts->failed[claimant_moves ? 0 : 1];
}

/* By what is known of a position. */
static hy_verdict by_facts(const hy_facts *facts, bool claimant_moves, int wins)
{
    int low = claimant_moves ? facts->low : -facts->high;
    int high = claimant_moves ? facts->high : -facts->low;
    if (wins <= low)
        return HY_PROVED;
    return wins > high ? HY_REFUTED : HY_UNPROVED;
}

static unsigned num_filled(const hy_rules *rules, const hy_position *position)
{
    unsigned first = position->mover == HY_SOUTH ? 0 : rules->holes, num = 0;
    for (unsigned i = first; i < first + rules->holes; i++)
        num += position->board[i] > 0;
    return num;
}

/* What proving the claim after a ply is expected to take. */
static float effort_expected(const hy_forcing *search, const choice *c, const hy_facts *facts)
{
    const hy_position *position = &c->branch.position;
    bool claimant_moves = position->mover == search->claimant;
    const hy_failed *failed = failure_of(facts, claimant_moves);
    if (failed->wins != INT16_MAX)
        return hy_effort_from(failed->effort);
    if (claimant_moves)
        return FIRST_EFFORT;
    return FIRST_EFFORT + HOLE_EFFORT * (float)num_filled(search->rules, position);
}

static float habit_of(const hy_forcing *search, const node *n, const choice *c)
{
    if (search->jitter > 0)
        return (float)(hy_mix64(c->key.first + search->jitter) >> 40) / 0x1000000;
    uint32_t settled = search->settled[n->position->mover][c->branch.hole];
    return (float)(settled < 0xffffff ? settled : 0xffffff) / 0x1000000;
}

/* Plays the holes of a node. True: one of them settles the claim by itself. */
static bool expand(hy_forcing *search, node *n)
{
    const hy_position *position = n->position;
    hy_player mover = position->mover;
    unsigned first = mover == HY_SOUTH ? 0 : search->rules->holes;
    for (unsigned hole = first; hole < first + search->rules->holes; hole++) {
        choice *c = &n->choices[n->num];
        if (position->board[hole] == 0)
            continue;
        search->nodes++;
        hy_ending ending =
            hy_branch_make(search->rules, position, hole, search->max_laps, &c->branch);
        if (ending == HY_ENDING_UNRESOLVED) {
            search->unresolved++;
            n->unknown = true;
            continue;
        }
        if (ending == HY_ENDING_ENDLESS && search->rules->endless == HY_ENDLESS_FORBID)
            continue;
        c->wins = hy_value_up(search->rules, c->branch.position.left,
                              hy_wins_after(&c->branch, mover, search->claimant, n->wins));
        hy_verdict verdict =
            hy_force_settled(search->source, &c->branch, search->claimant, c->wins);
        n->best_hole = (uint8_t)hole;
        if (verdict == (n->claimant_moves ? HY_PROVED : HY_REFUTED))
            return true;
        if (verdict != HY_UNPROVED)
            continue;
        c->key = hy_proof_key_of(search->rules, &c->branch.position);
        hy_proof_table_prefetch(search->table, c->key);
        n->num++;
    }
    return false;
}

/* Takes what the table knows of a node's branches into account, and leaves those open that it does
 * not settle. True: one of them settles the claim. */
static bool consult(const hy_forcing *search, node *n)
{
    unsigned num = 0;
    for (unsigned i = 0; i < n->num; i++) {
        choice *c = &n->choices[i];
        hy_facts facts = hy_facts_none(c->branch.position.left);
        bool claimant_moves = c->branch.position.mover == search->claimant;
        hy_verdict known = HY_UNPROVED;
        if (hy_proof_table_find(search->table, c->key, &facts))
            known = by_facts(&facts, claimant_moves, c->wins);
        n->best_hole = c->branch.hole;
        if (known == (n->claimant_moves ? HY_PROVED : HY_REFUTED))
            return true;
        if (known != HY_UNPROVED)
            continue;
        c->effort = effort_expected(search, c, &facts);
        c->habit = habit_of(search, n, c);
        if (num != i)
            n->choices[num] = *c;
        num++;
    }
    n->num = num;
    return false;
}

static void remove_choice(node *n, choice *c)
{
    *c = n->choices[--n->num];
}

static answer force(hy_forcing *search, const hy_position *position, hy_proof_key key, int wins,
                    float limit);

/* Searches what a choice leads to, with a limit that is at least what it is expected to take. */
static answer force_choice(hy_forcing *search, choice *c, float limit)
{
    if (limit < c->effort)
        limit = c->effort;
    answer a = force(search, &c->branch.position, c->key, c->wins, limit);
    c->effort = a.effort;
    return a;
}

/* The choice of the least effort; *next is the least effort of the others. */
static choice *easiest(const node *n, float *next)
{
    choice *best = &n->choices[0];
    *next = HY_MAX_EFFORT;
    for (unsigned i = 1; i < n->num; i++) {
        choice *c = &n->choices[i];
        bool better = c->effort - c->habit < best->effort - best->habit;
        const choice *other = better ? best : c;
        *next = other->effort < *next ? other->effort : *next;
        best = better ? c : best;
    }
    return best;
}

/* One ply that proves the claim is enough. */
static hy_verdict force_some(hy_forcing *search, node *n)
{
    while (n->num > 0) {
        float next, limit;
        choice *c = easiest(n, &next);
        n->effort = c->effort < next ? c->effort : next;
        n->best_hole = c->branch.hole;
        if (n->effort > n->limit)
            return HY_UNPROVED;
        limit = next * PATIENCE + 1;
        answer a = force_choice(search, c, limit < n->limit ? limit : n->limit);
        if (search->stopped)
            return HY_UNPROVED;
        n->leans_on = a.leans_on;
        if (a.verdict == HY_PROVED)
            return HY_PROVED;
        if (a.verdict == HY_REFUTED)
            remove_choice(n, c);
    }
    return HY_REFUTED;
}

/* The choice of the most effort; *sum is that of all. */
static choice *hardest(const node *n, float *sum)
{
    choice *best = &n->choices[0];
    *sum = best->effort;
    for (unsigned i = 1; i < n->num; i++) {
        choice *c = &n->choices[i];
        *sum += c->effort;
        if (c->effort + c->habit > best->effort + best->habit)
            best = c;
    }
    return best;
}

/* Every ply has to be answered. */
static hy_verdict force_all(hy_forcing *search, node *n)
{
    while (n->num > 0) {
        choice *c = hardest(n, &n->effort);
        n->best_hole = c->branch.hole;
        if (n->effort > n->limit)
            return HY_UNPROVED;
        answer a = force_choice(search, c, n->limit - (n->effort - c->effort));
        if (search->stopped)
            return HY_UNPROVED;
        if (a.verdict == HY_REFUTED)
            return HY_REFUTED;
        if (a.verdict == HY_UNPROVED)
            continue;
        n->leans_on = a.leans_on < n->leans_on ? a.leans_on : n->leans_on;
        remove_choice(n, c);
    }
    return HY_PROVED;
}

/* Where a ply is not known, others may still prove the claim, but it cannot fail, nor be proved
 * against it. */
static hy_verdict search_choices(hy_forcing *search, node *n)
{
    if (!n->unknown)
        return n->claimant_moves ? force_some(search, n) : force_all(search, n);
    if (n->claimant_moves) {
        hy_verdict verdict = force_some(search, n);
        if (verdict != HY_REFUTED)
            return verdict;
    }
    n->effort = search->give_up;
    return HY_UNPROVED;
}

static hy_verdict search_node(hy_forcing *search, node *n)
{
    if (expand(search, n) || consult(search, n))
        return n->claimant_moves ? HY_PROVED : HY_REFUTED;
    hy_verdict verdict = search_choices(search, n);
    if (verdict != HY_PROVED)
        n->leans_on = NO_RETURN;
    return verdict;
}

/* The mover is proved to win at least (not: at most) so much. */
static void raise_low(hy_facts *facts, int low, uint8_t hole)
{
    if (low <= facts->low)
        return;
    facts->low = (int16_t)low;
    facts->low_hole = hole;
}

static void lower_high(hy_facts *facts, int high)
{
    if (high < facts->high)
        facts->high = (int16_t)high;
}

static uint8_t work_since(const hy_forcing *search, uint64_t nodes)
{
    uint64_t spent = search->nodes - nodes;
    return (uint8_t)(64 - __builtin_clzll(spent | 1));
}

/* The table tells holes by their place in the mover's row, because it turns boards. */
static uint8_t in_row(const hy_forcing *search, uint8_t hole)
{
    if (hole == HY_NO_HOLE)
        return hole;
    return (uint8_t)(hole % search->rules->holes);
}

/* Keeps what was found, beside what others have found meanwhile. */
static void keep(hy_forcing *search, node *n, hy_verdict verdict, uint8_t work)
{
    unsigned left = n->position->left;
    hy_facts facts = hy_facts_none(left);
    hy_proof_table_find(search->table, n->key, &facts);
    int below = hy_value_down(search->rules, left, n->wins - 1);
    uint8_t hole = in_row(search, n->best_hole);
    switch (verdict) {
    case HY_UNPROVED:
        facts.failed[n->claimant_moves ? 0 : 1] =
            (hy_failed){.wins = (int16_t)n->wins, .effort = hy_effort_to(n->effort)};
        break;
    case HY_PROVED:
        if (n->claimant_moves)
            raise_low(&facts, n->wins, hole);
        else
            lower_high(&facts, -n->wins);
        break;
    case HY_REFUTED:
        if (n->claimant_moves)
            lower_high(&facts, below);
        else
            raise_low(&facts, -below, hole);
        break;
    }
    facts.work = work > facts.work || verdict != HY_UNPROVED ? work : facts.work;
    hy_proof_table_put(search->table, n->key, &facts);
}

static uint16_t *bucket_of(hy_forcing *search, hy_proof_key key)
{
    return &search->buckets[hy_mix64(key.first ^ hy_mix64(key.second)) % HY_WAITING_BUCKETS];
}

/* A proof that leans on a position further up waits for that one. */
static void wait(hy_forcing *search, const node *n)
{
    if (search->num_waiting == HY_MAX_WAITING)
        return;
    uint16_t *bucket = bucket_of(search, n->key);
    search->waiting[search->num_waiting++] = (hy_waiting_proof){
        .key = n->key,
        .wins = (int16_t)n->wins,
        .left = n->position->left,
        .claimant_moves = n->claimant_moves,
        .hole = in_row(search, n->best_hole),
        .leans_on = n->leans_on,
        .next = *bucket,
    };
    *bucket = (uint16_t)search->num_waiting;
}

/* On which place a waiting proof of the node's claim leans; NO_RETURN: there is none. */
static int waits_for(hy_forcing *search, const node *n)
{
    for (unsigned i = *bucket_of(search, n->key); i > 0; i = search->waiting[i - 1].next) {
        const hy_waiting_proof *proof = &search->waiting[i - 1];
        if (proof->key.first == n->key.first && proof->key.second == n->key.second &&
            proof->claimant_moves == n->claimant_moves && proof->wins >= n->wins)
            return proof->leans_on;
    }
    return NO_RETURN;
}

/* The proofs since `first` wait no more. */
static void forget_waiting(hy_forcing *search, unsigned first)
{
    while (search->num_waiting > first) {
        const hy_waiting_proof *proof = &search->waiting[--search->num_waiting];
        *bucket_of(search, proof->key) = proof->next;
    }
}

/* The position that proofs since `first` have waited for is proved. */
static void keep_waiting(hy_forcing *search, unsigned first)
{
    for (unsigned i = first; i < search->num_waiting; i++) {
        const hy_waiting_proof *proof = &search->waiting[i];
        hy_facts facts = hy_facts_none(proof->left);
        hy_proof_table_find(search->table, proof->key, &facts);
        if (proof->claimant_moves)
            raise_low(&facts, proof->wins, proof->hole);
        else
            lower_high(&facts, -proof->wins);
        hy_proof_table_put(search->table, proof->key, &facts);
    }
    forget_waiting(search, first);
}

/* Where on the line the same position was, with no capture since; NO_RETURN: nowhere. */
static int place_of(const hy_forcing *search, const node *n)
{
    for (int i = (int)search->line_length - 1; i >= 0; i--) {
        const hy_line_place *place = &search->line[i];
        if (place->left != n->position->left)
            break;
        if (place->mover == n->position->mover && place->key.first == n->key.first &&
            place->key.second == n->key.second)
            return i;
    }
    return NO_RETURN;
}

static void enter_line(hy_forcing *search, const node *n)
{
    search->line[search->line_length++] =
        (hy_line_place){.key = n->key, .left = n->position->left, .mover = n->position->mover};
}

static void count_settled(hy_forcing *search, const node *n)
{
    uint32_t *settled = &search->settled[n->position->mover][n->best_hole];
    *settled += *settled < UINT32_MAX;
}

/* Searches a node of which nothing is known that settles it. */
static answer force_open(hy_forcing *search, node *n)
{
    uint64_t nodes = search->nodes;
    int place = (int)search->line_length;
    unsigned waiting = search->num_waiting;
    n->choices = search->choices + (size_t)place * search->rules->holes;
    n->leans_on = NO_RETURN;
    enter_line(search, n);
    hy_verdict verdict = search_node(search, n);
    search->line_length--;
    if (search->stopped)
        return (answer){.verdict = HY_UNPROVED};
    if (n->effort > search->give_up)
        n->effort = search->give_up; /* to be looked at again at the next level */
    if (place == 0)
        search->best_hole = n->best_hole;
    if (verdict != HY_PROVED)
        forget_waiting(search, waiting);
    if (n->leans_on >= place) {
        n->leans_on = NO_RETURN;
        keep_waiting(search, waiting);
        keep(search, n, verdict, work_since(search, nodes));
    } else {
        wait(search, n);
    }
    if (verdict != HY_UNPROVED)
        count_settled(search, n);
    return (answer){.verdict = verdict, .leans_on = n->leans_on, .effort = n->effort};
}

/* Proved on condition already; another occurrence on the line, or a line that is too long: no
 * search at this level. */
static bool is_cut(hy_forcing *search, const node *n, answer *a)
{
    int place = place_of(search, n);
    if (n->wins <= 0 && !search->no_loops) {
        int leans_on = place == NO_RETURN ? waits_for(search, n) : place;
        *a = (answer){.verdict = HY_PROVED, .leans_on = leans_on};
        if (leans_on != NO_RETURN)
            return true;
    }
    *a = (answer){.verdict = HY_UNPROVED, .effort = search->give_up};
    return place != NO_RETURN || search->line_length >= search->max_line;
}

static answer force(hy_forcing *search, const hy_position *position, hy_proof_key key, int wins,
                    float limit)
{
    node n = {
        .position = position,
        .key = key,
        .facts = hy_facts_none(position->left),
        .wins = hy_value_up(search->rules, position->left, wins),
        .limit = limit,
        .claimant_moves = position->mover == search->claimant,
        .best_hole = HY_NO_HOLE,
    };
    answer a;
    if (must_stop(search))
        return (answer){.verdict = HY_UNPROVED};
    hy_proof_table_find(search->table, key, &n.facts);
    hy_verdict known = by_facts(&n.facts, n.claimant_moves, n.wins);
    if (known != HY_UNPROVED) {
        if (search->line_length == 0 && n.facts.low_hole != HY_NO_HOLE)
            search->best_hole = (uint8_t)(n.facts.low_hole +
                                          (position->mover == HY_SOUTH ? 0 : search->rules->holes));
        return (answer){.verdict = known, .leans_on = NO_RETURN};
    }
    if (is_cut(search, &n, &a))
        return a;
    const hy_failed *failed = failure_of(&n.facts, n.claimant_moves);
    float effort = hy_effort_from(failed->effort);
    if (failed->wins <= n.wins && effort > limit)
        return (answer){.verdict = HY_UNPROVED, .effort = effort};
    return force_open(search, &n);
}

hy_verdict hy_force(hy_forcing *search, const hy_position *position, hy_player claimant, int wins,
                    unsigned level)
{
    float limit = (float)(UINT64_C(1) << level / 2) * (level % 2 == 0 ? 1 : 1.4142135f);
    search->claimant = claimant;
    search->line_length = 0;
    forget_waiting(search, 0); /* of a search that was stopped */
    search->give_up = limit * 1.01f + 1;
    search->max_line = LINE_BASE + LINE_LEVEL * level;
    search->stopped = false;
    search->best_hole = HY_NO_HOLE;
    hy_proof_key key = hy_proof_key_of(search->rules, position);
    return force(search, position, key, wins, limit).verdict;
}
