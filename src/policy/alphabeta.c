/* alphabeta: the best hole by a search of so many turns (search.h). */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "policy/search.h"
#include "policy/types.h"

enum { DEPTH, NODES, TIME_MS, TABLE, EVALUATION, TIES };
enum { TIES_RANDOM, TIES_FIRST };

static const hy_parameter parameters[] = {
    [DEPTH] = {.key = "depth",
               .kind = HY_PARAMETER_INTEGER,
               .always_shown = true,
               .min = 1,
               .max = HY_SEARCH_MAX_DEPTH,
               .preset = 6,
               .meaning =
                   "turns to search at the most, also where nodes or time_ms are given; as many "
                   "extra turns on a line are not counted"},
    [NODES] = {.key = "nodes",
               .kind = HY_PARAMETER_INTEGER,
               .max = 1e12,
               .meaning = "plies that a choice may search, then the last depth that was completed "
                          "counts; 0: no limit"},
    [TIME_MS] = {.key = "time_ms",
                 .kind = HY_PARAMETER_INTEGER,
                 .unrepeatable = true,
                 .max = 86400000,
                 .meaning = "milliseconds that a choice may take, likewise; such games cannot be "
                            "reproduced; 0: no limit"},
    [TABLE] = {.key = "table",
               .kind = HY_PARAMETER_INTEGER,
               .min = 1,
               .max = 65536,
               .preset = 8,
               .meaning = "MiB of the transposition table of each seat and thread"},
    [EVALUATION] =
        {.key = "evaluation",
         .kind = HY_PARAMETER_WORD,
         .words = {[HY_EVALUATION_CAPTURED] = "captured", [HY_EVALUATION_REACH] = "reach"},
         .preset = HY_EVALUATION_REACH,
         .meaning = "at the end of the search: what was captured, or also what is within "
                    "reach"},
    [TIES] = {.key = "ties",
              .kind = HY_PARAMETER_WORD,
              .words = {[TIES_RANDOM] = "random", [TIES_FIRST] = "first"},
              .preset = TIES_RANDOM,
              .meaning = "among equally good holes: one at random, or the lowest number"},
};

/* What a policy keeps from choice to choice. */
typedef struct hy_alphabeta {
    hy_search_table table;
    hy_search search;
    hy_rows_sower sower;
} hy_alphabeta;

/* A hole of the root. */
typedef struct hy_root_hole {
    hy_successor successor;
    int32_t value;
} hy_root_hole;

typedef struct hy_root {
    hy_root_hole holes[HY_MAX_HOLES];
    hy_root_hole *order[HY_MAX_HOLES]; /* the best first */
    int32_t values[HY_MAX_HOLES];      /* of the last depth that was completed, by hole */
    unsigned num;
    unsigned depth; /* completed */
    bool exact;     /* that depth searched the game to its end */
} hy_root;

static double memory(const hy_policy_spec *spec, const hy_rules *rules)
{
    (void)rules;
    return spec->values[TABLE] * 1048576;
}

static hy_status init(hy_policy *policy, const hy_rules *rules, hy_error *error)
{
    hy_alphabeta *state = hy_new_lines(1, sizeof *state);
    policy->state = state;
    if (!state)
        return hy_fail_memory(error);
    if (hy_search_handles_rows(rules)) {
        hy_rows_sower_init(&state->sower, rules);
        state->search.sower = &state->sower;
    }
    size_t bytes = (size_t)policy->spec->values[TABLE] << 20;
    return hy_search_table_init(&state->table, bytes, error);
}

static void clean_up(hy_policy *policy)
{
    hy_alphabeta *state = policy->state;
    if (state)
        hy_search_table_clean_up(&state->table);
    free(state);
}

static void generalise(hy_policy *policy)
{
    hy_alphabeta *state = policy->state;
    state->search.sower = NULL;
}

static void new_game(hy_policy *policy)
{
    hy_alphabeta *state = policy->state;
    hy_search_table_forget(&state->table);
}

static hy_search *begin(const hy_policy *policy, const hy_choice *choice, bool limited)
{
    hy_alphabeta *state = policy->state;
    hy_search *search = &state->search;
    const double *values = policy->spec->values;
    if (choice->rules->repetition > 0) /* values depend on the game so far */
        hy_search_table_forget(&state->table);
    search->rules = choice->rules;
    search->max_laps = choice->max_laps;
    search->evaluation = (hy_evaluation)values[EVALUATION];
    search->table = &state->table;
    search->max_nodes = limited ? (uint64_t)values[NODES] : 0;
    search->deadline = 0;
    if (limited && values[TIME_MS] > 0)
        search->deadline = hy_now() + 1e-3 * values[TIME_MS];
    search->nodes = 0;
    search->stopped = false;
    memset(search->cutoffs, 0, sizeof search->cutoffs);
    search->path_start = 0;
    search->path_end = 0;
    search->history_counts = true;
    search->root = choice;
    return search;
}

static int compare_values(const void *a, const void *b)
{
    const hy_root_hole *const *x = a, *const *y = b;
    if ((*x)->value != (*y)->value)
        return (*x)->value > (*y)->value ? -1 : 1;
    return (int)(*x)->successor.hole - (int)(*y)->successor.hole;
}

/* Searches all holes to one depth. A hole that is worse than the best so far gets a bound; one that
 * is as good gets its value, so that ties are seen. With `all` every value is exact. */
static bool search_depth(hy_search *search, hy_root *root, unsigned depth, bool all)
{
    int32_t best = -HY_SEARCH_INFINITY;
    search->complete = true;
    for (unsigned i = 0; i < root->num; i++) {
        int32_t alpha = all || i == 0 ? -HY_SEARCH_INFINITY : best - 1;
        hy_root_hole *hole = root->order[i];
        hole->value = hy_search_ply(search, &hole->successor, hy_horizon_of(depth), alpha,
                                    HY_SEARCH_INFINITY);
        if (search->stopped)
            return false;
        if (hole->value > best)
            best = hole->value;
    }
    for (unsigned i = 0; i < root->num; i++)
        root->values[i] = root->holes[i].value;
    qsort(root->order, root->num, sizeof(hy_root_hole *), compare_values);
    root->depth = depth;
    root->exact = search->complete;
    return true;
}

/* Deepens until the depth asked for, a limit, or the end of the game; depth 1 is always done. */
static void search_root(const hy_policy *policy, const hy_choice *choice, bool all, hy_root *root)
{
    hy_search *search = begin(policy, choice, false);
    unsigned depth = (unsigned)policy->spec->values[DEPTH];
    root->num = choice->moves->num;
    for (unsigned i = 0; i < root->num; i++) {
        root->order[i] = &root->holes[i];
        hy_search_successor(search, choice->position, choice->moves->hole[i],
                            &root->holes[i].successor);
    }
    search_depth(search, root, 1, all);
    uint64_t nodes = search->nodes;
    search = begin(policy, choice, true);
    search->nodes = nodes;
    for (unsigned d = 2; d <= depth && !root->exact; d++) {
        if (!search_depth(search, root, d, all))
            return;
    }
}

static int32_t best_value(const hy_root *root)
{
    int32_t best = root->values[0];
    for (unsigned i = 1; i < root->num; i++)
        best = root->values[i] > best ? root->values[i] : best;
    return best;
}

static unsigned choose(hy_policy *policy, const hy_choice *choice)
{
    hy_root root;
    hy_moves best = {0};
    search_root(policy, choice, false, &root);
    int32_t value = best_value(&root);
    for (unsigned i = 0; i < root.num; i++) {
        if (root.values[i] == value)
            best.hole[best.num++] = choice->moves->hole[i];
    }
    return hy_break_tie(choice, &best, policy->spec->values[TIES] > 0);
}

/* Follows the table from the best hole on. */
static void find_line(const hy_search *search, const hy_root *root, hy_analysis *analysis)
{
    const hy_successor *at = &root->order[0]->successor;
    hy_successor next;
    hy_horizon horizon = hy_horizon_of(root->depth);
    analysis->line[analysis->num_line++] = at->hole;
    while (!at->over && analysis->num_line < HY_MAX_LINE) {
        horizon = hy_horizon_after(horizon, at);
        hy_search_key key = hy_search_key_of(search->rules, &at->position, 0);
        const hy_search_entry *entry = hy_search_table_find(search->table, key);
        if (!entry || entry->turns != horizon.turns || entry->extra != horizon.extra ||
            entry->hole == HY_NO_HOLE)
            return;
        hy_position position = at->position;
        analysis->line[analysis->num_line++] = entry->hole;
        hy_search_successor(search, &position, entry->hole, &next);
        at = &next;
    }
}

static hy_status analyse(hy_policy *policy, const hy_choice *choice, hy_analysis *analysis,
                         hy_error *error)
{
    hy_alphabeta *state = policy->state;
    hy_root root;
    (void)error;
    search_root(policy, choice, true, &root);
    *analysis =
        (hy_analysis){.exact = root.exact, .depth = root.depth, .nodes = state->search.nodes};
    for (unsigned i = 0; i < root.num; i++)
        analysis->values[i] = (double)root.values[i] / HY_SEARCH_UNIT;
    find_line(&state->search, &root, analysis);
    return HY_OK;
}

const hy_policy_type hy_alphabeta_policy = {
    .name = "alphabeta",
    .meaning = "the best hole by a search of so many turns",
    .parameters = parameters,
    .num_parameters = sizeof parameters / sizeof parameters[0],
    .memory = memory,
    .init = init,
    .new_game = new_game,
    .choose = choose,
    .analyse = analyse,
    .generalise = generalise,
    .clean_up = clean_up,
};
