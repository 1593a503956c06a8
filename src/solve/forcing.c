#include "solve/forcing.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define CHECK_NODES 4096u
#define NO_RETURN INT_MAX /* leans on nothing further up */
#define ONE_BITS 0x3f800000u /* 1 as a float */
#define LARGE_EFFORT 1e9f

hy_status hy_forcing_init(hy_forcing *search, const hy_rules *rules, uint64_t max_laps,
                          const hy_value_source *source, hy_proof_table *table, hy_error *error)
{
    *search =
        (hy_forcing){.rules = rules, .max_laps = max_laps, .source = source, .table = table};
    search->line = hy_new_array(HY_MAX_FORCED_LINE, sizeof search->line[0]);
    return search->line ? HY_OK : hy_fail_memory(error);
}

void hy_forcing_clean_up(hy_forcing *search)
{
    free(search->line);
    search->line = NULL;
}

/* The claimant's ply or one that the claimant has to answer, while its node is searched. */
typedef struct choice {
    hy_branch branch;
    hy_proof_key key;
    int wins;     /* still to be won by the claimant */
    float effort; /* expected */
    float order;  /* larger: searched earlier */
} choice;

typedef struct node {
    const hy_position *position;
    hy_proof_key key;
    hy_facts facts;
    int wins;
    unsigned depth;
    bool claimant_moves;
    int leans_on;      /* place in the line, or NO_RETURN */
    uint8_t best_hole; /* that settled the claim */
    float effort;
    unsigned num;
    choice *choices;
} node;

/* What a node says of its claim. */
typedef struct answer {
    hy_verdict verdict;
    int leans_on;
    float effort;
} answer;

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

/* By what is known of a position; `depth` plies are left there. `failed` says that a search at that
 * depth is known to prove nothing. */
static hy_verdict by_facts(const hy_facts *facts, bool claimant_moves, int wins, unsigned depth,
                           bool *failed)
{
    int low = claimant_moves ? facts->low : -facts->high;
    int high = claimant_moves ? facts->high : -facts->low;
    const hy_failed *fail = &facts->failed[claimant_moves ? 0 : 1];
    *failed = fail->wins <= wins && fail->depth >= depth;
    if (wins <= low)
        return HY_PROVED;
    return wins > high ? HY_REFUTED : HY_UNPROVED;
}

/* Efforts are proof numbers: 1 and more, kept in a byte as logarithms in eighths. */
static float effort_from(uint8_t stored)
{
    uint32_t bits = ONE_BITS + ((uint32_t)stored << 20);
    float effort;
    memcpy(&effort, &bits, sizeof effort);
    return effort;
}

static uint8_t effort_to(float effort)
{
    uint32_t bits;
    memcpy(&bits, &effort, sizeof bits);
    uint32_t stored = bits > ONE_BITS ? (bits - ONE_BITS) >> 20 : 0;
    return stored < 255 ? (uint8_t)stored : 255;
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
    bool claimant_moves = c->branch.position.mover == search->claimant;
    const hy_failed *failed = &facts->failed[claimant_moves ? 0 : 1];
    if (failed->wins != INT16_MAX)
        return effort_from(failed->effort);
    return claimant_moves ? 1 : (float)num_filled(search->rules, &c->branch.position);
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
            search->unresolved = search->stopped = true;
            return true;
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

/* The depth left after a ply; negative: it cannot be afforded. */
static int depth_after(const node *n, const choice *c)
{
    return (int)n->depth - (c->branch.captured ? 0 : 1);
}

static float order_of(const hy_forcing *search, const node *n, const choice *c)
{
    uint32_t cutoffs = search->cutoffs[n->position->mover][c->branch.hole];
    float habit = (float)(cutoffs < 0xffffff ? cutoffs : 0xffffff) / 0x1000000;
    if (search->jitter > 0)
        habit += (float)(hy_mix64(c->key.first + search->jitter) >> 60) / 16;
    float order = n->claimant_moves ? habit - c->effort : habit + c->effort;
    if (c->branch.hole % search->rules->holes == n->facts.hint)
        order += 1e12f;
    if (c->branch.captured)
        order += 1e9f + 1e6f * (float)c->branch.gain;
    return order;
}

/* Takes what the table knows of a node's branches into account. True: that settles the node, with
 * *verdict. Branches that need no search are removed; *open is set where one of them leaves the
 * claim unproved. */
static bool consult(hy_forcing *search, node *n, bool *open, hy_verdict *verdict)
{
    unsigned num = 0;
    for (unsigned i = 0; i < n->num; i++) {
        choice *c = &n->choices[i];
        hy_facts facts = hy_facts_none(c->branch.position.left);
        bool claimant_moves = c->branch.position.mover == search->claimant, failed = false;
        int depth = depth_after(n, c);
        hy_verdict known = HY_UNPROVED;
        if (hy_proof_table_find(search->table, c->key, &facts))
            known = by_facts(&facts, claimant_moves, c->wins, depth < 0 ? 0 : (unsigned)depth,
                             &failed);
        failed = known == HY_UNPROVED && (failed || depth < 0);
        *verdict = failed ? HY_UNPROVED : known;
        if (failed ? !n->claimant_moves : known == (n->claimant_moves ? HY_PROVED : HY_REFUTED)) {
            n->best_hole = c->branch.hole;
            n->effort = effort_expected(search, c, &facts);
            return true;
        }
        c->effort = effort_expected(search, c, &facts);
        if (failed) {
            *open = true;
            n->effort = c->effort < n->effort ? c->effort : n->effort;
        } else if (known == HY_UNPROVED) {
            c->order = order_of(search, n, c);
            n->choices[num++] = *c;
        }
    }
    n->num = num;
    return false;
}

/* The most promising branch not yet searched comes to the front. */
static choice *next_choice(node *n, unsigned place)
{
    unsigned best = place;
    for (unsigned i = place + 1; i < n->num; i++) {
        if (n->choices[i].order > n->choices[best].order)
            best = i;
    }
    if (best != place) {
        choice swapped = n->choices[place];
        n->choices[place] = n->choices[best];
        n->choices[best] = swapped;
    }
    return &n->choices[place];
}

static answer force(hy_forcing *search, const hy_position *position, hy_proof_key key, int wins,
                    unsigned depth);

static answer force_choice(hy_forcing *search, const node *n, const choice *c)
{
    return force(search, &c->branch.position, c->key, c->wins, (unsigned)depth_after(n, c));
}

/* One ply that proves the claim is enough. */
static hy_verdict force_some(hy_forcing *search, node *n, bool open)
{
    for (unsigned i = 0; i < n->num; i++) {
        const choice *c = next_choice(n, i);
        answer a = force_choice(search, n, c);
        if (search->stopped)
            return HY_UNPROVED;
        if (a.verdict == HY_PROVED) {
            n->best_hole = c->branch.hole;
            n->leans_on = a.leans_on;
            return HY_PROVED;
        }
        if (a.verdict == HY_UNPROVED) {
            if (!open || a.effort < n->effort) {
                n->effort = a.effort;
                n->best_hole = c->branch.hole;
            }
            open = true;
        }
    }
    return open ? HY_UNPROVED : HY_REFUTED;
}

/* Every ply has to be answered. */
static hy_verdict force_all(hy_forcing *search, node *n)
{
    float rest = 0;
    for (unsigned i = 0; i < n->num; i++)
        rest += n->choices[i].effort;
    for (unsigned i = 0; i < n->num; i++) {
        const choice *c = next_choice(n, i);
        answer a = force_choice(search, n, c);
        if (search->stopped)
            return HY_UNPROVED;
        rest -= c->effort;
        if (a.verdict != HY_PROVED) {
            n->best_hole = c->branch.hole;
            n->effort = a.effort + rest;
            return a.verdict;
        }
        n->leans_on = a.leans_on < n->leans_on ? a.leans_on : n->leans_on;
    }
    return HY_PROVED;
}

static hy_verdict search_node(hy_forcing *search, node *n)
{
    bool open = false;
    hy_verdict verdict;
    if (expand(search, n))
        return n->claimant_moves ? HY_PROVED : HY_REFUTED;
    n->effort = LARGE_EFFORT;
    if (consult(search, n, &open, &verdict))
        return verdict;
    if (n->claimant_moves)
        return force_some(search, n, open);
    return force_all(search, n);
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
    return hole == HY_NO_HOLE ? HY_NO_HOLE : (uint8_t)(hole % search->rules->holes);
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
        facts.failed[n->claimant_moves ? 0 : 1] = (hy_failed){
            .wins = (int16_t)n->wins, .depth = (uint8_t)n->depth, .effort = effort_to(n->effort)};
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
    facts.hint = hole;
    facts.work = work > facts.work || verdict != HY_UNPROVED ? work : facts.work;
    hy_proof_table_put(search->table, n->key, &facts);
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
    search->line[search->line_length++] = (hy_line_place){
        .key = n->key, .left = n->position->left, .mover = n->position->mover};
}

/* Searches a node of which nothing is known that settles it. */
static answer force_open(hy_forcing *search, node *n)
{
    choice choices[HY_MAX_HOLES];
    uint64_t nodes = search->nodes;
    int place = (int)search->line_length;
    n->choices = choices;
    n->leans_on = NO_RETURN;
    enter_line(search, n);
    hy_verdict verdict = search_node(search, n);
    search->line_length--;
    if (search->stopped)
        return (answer){.verdict = HY_UNPROVED};
    if (place == 0)
        search->best_hole = n->best_hole;
    if (n->leans_on >= place)
        n->leans_on = NO_RETURN;
    if (verdict != HY_PROVED || n->leans_on == NO_RETURN)
        keep(search, n, verdict, work_since(search, nodes));
    if (verdict != HY_UNPROVED) {
        uint32_t *cutoffs = &search->cutoffs[n->position->mover][n->best_hole];
        *cutoffs += *cutoffs < UINT32_MAX - 256 ? n->depth + 1 : 0;
    }
    return (answer){.verdict = verdict, .leans_on = n->leans_on, .effort = n->effort};
}

static answer force(hy_forcing *search, const hy_position *position, hy_proof_key key, int wins,
                    unsigned depth)
{
    node n = {
        .position = position,
        .key = key,
        .facts = hy_facts_none(position->left),
        .wins = hy_value_up(search->rules, position->left, wins),
        .depth = depth,
        .claimant_moves = position->mover == search->claimant,
        .best_hole = HY_NO_HOLE,
    };
    bool failed = false;
    if (must_stop(search))
        return (answer){.verdict = HY_UNPROVED};
    hy_proof_table_find(search->table, key, &n.facts);
    hy_verdict known = by_facts(&n.facts, n.claimant_moves, n.wins, depth, &failed);
    if (known != HY_UNPROVED) {
        if (search->line_length == 0 && n.facts.low_hole != HY_NO_HOLE)
            search->best_hole = (uint8_t)(n.facts.low_hole +
                                          (position->mover == HY_SOUTH ? 0 : search->rules->holes));
        return (answer){.verdict = known, .leans_on = NO_RETURN};
    }
    int place = n.wins <= 0 && !search->no_loops ? place_of(search, &n) : NO_RETURN;
    if (place != NO_RETURN)
        return (answer){.verdict = HY_PROVED, .leans_on = place};
    if (failed)
        return (answer){.effort =
                            effort_from(n.facts.failed[n.claimant_moves ? 0 : 1].effort)};
    return force_open(search, &n);
}

hy_verdict hy_force(hy_forcing *search, const hy_position *position, hy_player claimant, int wins,
                    unsigned depth)
{
    search->claimant = claimant;
    search->line_length = 0;
    search->stopped = false;
    search->best_hole = HY_NO_HOLE;
    hy_proof_key key = hy_proof_key_of(search->rules, position);
    return force(search, position, key, wins, depth).verdict;
}
