/* mcts: the hole that Monte-Carlo tree search visits most (mcts_tree.h). */
#include <stdlib.h>

#include "base/memory.h"
#include "policy/mcts_tree.h"
#include "policy/types.h"

enum { ITERATIONS, EXPLORATION, PLAYOUT, CUT, MEMORY, TIES };
enum { PLAYOUT_RANDOM, PLAYOUT_GREEDY };
enum { TIES_RANDOM, TIES_FIRST };

static const hy_parameter parameters[] = {
    [ITERATIONS] = {.key = "iterations",
                    .kind = HY_PARAMETER_INTEGER,
                    .required = true,
                    .min = 1,
                    .max = 100000000,
                    .meaning = "playouts a choice; fewer where the result is proven before"},
    [EXPLORATION] = {.key = "exploration",
                     .kind = HY_PARAMETER_REAL,
                     .max = 100,
                     .preset = 0.7,
                     .meaning = "weight of trying what has been tried little, where a win is worth "
                                "1, a draw 1/2, a loss 0"},
    [PLAYOUT] = {.key = "playout",
                 .kind = HY_PARAMETER_WORD,
                 .words = {[PLAYOUT_RANDOM] = "random", [PLAYOUT_GREEDY] = "greedy"},
                 .preset = PLAYOUT_RANDOM,
                 .meaning = "how playouts are played: any hole, or the one that wins most at once"},
    [CUT] = {.key = "cut",
             .kind = HY_PARAMETER_INTEGER,
             .max = HY_MCTS_MAX_PLIES,
             .meaning = "plies after which a playout's result is estimated from the score; 0: only "
                        "after 10,000"},
    [MEMORY] = {.key = "memory",
                .kind = HY_PARAMETER_INTEGER,
                .min = 1,
                .max = 65536,
                .preset = 256,
                .meaning = "MiB of the tree of each seat and thread at the most; a full tree grows "
                           "no more"},
    [TIES] = {.key = "ties",
              .kind = HY_PARAMETER_WORD,
              .words = {[TIES_RANDOM] = "random", [TIES_FIRST] = "first"},
              .preset = TIES_RANDOM,
              .meaning = "among holes visited equally often: one at random, or the lowest number"},
};

/* The root has its children, and each iteration gives children to one node at the most. */
static uint32_t capacity_of(const hy_policy_spec *spec, const hy_rules *rules)
{
    double needed = (spec->values[ITERATIONS] + 1) * rules->holes + 1;
    double allowed = spec->values[MEMORY] * 1048576 / sizeof(hy_mcts_node);
    return (uint32_t)(needed < allowed ? needed : allowed);
}

static double memory(const hy_policy_spec *spec, const hy_rules *rules)
{
    return (double)capacity_of(spec, rules) * sizeof(hy_mcts_node);
}

static hy_status init(hy_policy *policy, const hy_rules *rules, hy_error *error)
{
    hy_mcts_tree *tree = hy_new_lines(1, sizeof *tree);
    if (!tree)
        return hy_fail_memory(error);
    policy->state = tree;
    const double *values = policy->spec->values;
    tree->exploration = values[EXPLORATION];
    tree->playouts.greedy = values[PLAYOUT] > PLAYOUT_RANDOM;
    tree->playouts.max_plies = values[CUT] > 0 ? (uint32_t)values[CUT] : HY_MCTS_MAX_PLIES;
    if (hy_mcts_handles_rows(rules)) {
        hy_mcts_rows_init(&tree->rows, rules);
        tree->playouts.rows = &tree->rows;
    }
    return hy_mcts_tree_init(tree, capacity_of(policy->spec, rules), error);
}

static void clean_up(hy_policy *policy)
{
    hy_mcts_tree *tree = policy->state;
    if (tree)
        hy_mcts_tree_clean_up(tree);
    free(tree);
}

static void generalise(hy_policy *policy)
{
    hy_mcts_tree *tree = policy->state;
    tree->playouts.rows = NULL;
}

static void search(hy_policy *policy, const hy_choice *choice, hy_stream *stream)
{
    hy_mcts_tree *tree = policy->state;
    uint32_t iterations = (uint32_t)policy->spec->values[ITERATIONS];
    hy_mcts_tree_start(tree, choice);
    for (uint32_t i = 0; i < iterations && !hy_mcts_is_proven(&tree->nodes[0]); i++)
        hy_mcts_tree_iterate(tree, stream);
}

static unsigned choose(hy_policy *policy, const hy_choice *choice)
{
    hy_mcts_tree *tree = policy->state;
    uint32_t best[HY_MAX_HOLES];
    hy_moves holes = {0};
    search(policy, choice, choice->stream);
    unsigned num = hy_mcts_tree_best(tree, 0, best);
    for (unsigned i = 0; i < num; i++)
        holes.hole[holes.num++] = tree->nodes[best[i]].hole;
    return hy_break_tie(choice, &holes, policy->spec->values[TIES] > TIES_RANDOM);
}

/* Counters that the player to move at the root will win more than the opponent from here on, on
 * average over the playouts through a child. */
static double value_of(const hy_mcts_tree *tree, const hy_mcts_node *child)
{
    const hy_position *root = &tree->positions[0];
    double now = (double)root->score[HY_SOUTH] - (double)root->score[HY_NORTH];
    double then = child->visits > 0 ? (double)child->difference / child->visits : child->end;
    return root->mover == HY_SOUTH ? then - now : now - then;
}

static void follow_line(const hy_mcts_tree *tree, unsigned hole, hy_analysis *analysis)
{
    uint32_t index = 0, best[HY_MAX_HOLES];
    while (analysis->num_line < HY_MAX_LINE && tree->nodes[index].num_children > 0) {
        unsigned num = hy_mcts_tree_best(tree, index, best);
        index = best[0];
        for (unsigned i = 0; analysis->num_line == 0 && i < num; i++)
            index = tree->nodes[best[i]].hole == hole ? best[i] : index;
        analysis->line[analysis->num_line++] = tree->nodes[index].hole;
    }
}

static hy_status analyse(hy_policy *policy, const hy_choice *choice, hy_analysis *analysis,
                         hy_error *error)
{
    const hy_mcts_tree *tree = policy->state;
    hy_stream copy = *choice->stream;
    hy_choice again = *choice;
    (void)error;
    again.stream = &copy;
    unsigned hole = choose(policy, &again);
    const hy_mcts_node *root = &tree->nodes[0];
    *analysis = (hy_analysis){.nodes = tree->plies};
    for (unsigned i = 0; i < root->num_children; i++)
        analysis->values[i] = value_of(tree, &tree->nodes[root->children + i]);
    follow_line(tree, hole, analysis);
    return HY_OK;
}

const hy_policy_type hy_mcts_policy = {
    .name = "mcts",
    .meaning = "the hole that Monte-Carlo tree search visits most",
    .parameters = parameters,
    .num_parameters = sizeof parameters / sizeof parameters[0],
    .memory = memory,
    .init = init,
    .choose = choose,
    .analyse = analyse,
    .generalise = generalise,
    .clean_up = clean_up,
};
