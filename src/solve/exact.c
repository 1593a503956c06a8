#include "solve/exact.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define HOPELESS 100.0               /* times the limit of memory */
#define HOPEFUL ((uint64_t)64 << 20) /* bytes that are tried all the same */

static void talk(const hy_exact_terms *terms, const char *format, ...) HY_PRINTF(2, 3);

static void talk(const hy_exact_terms *terms, const char *format, ...)
{
    char text[256];
    va_list arguments;
    if (!terms->talk)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terms->talk(text);
}

static hy_status solve_random(hy_exact *exact, const hy_graph *graph, const hy_blocks *blocks,
                              const hy_exact_terms *terms, hy_error *error)
{
    hy_status status = hy_markov_solve(&exact->random, graph, blocks, error);
    if (status == HY_OK)
        status = hy_lengths_init(&exact->lengths, graph, terms->mass * (1 - exact->random.never),
                                 terms->max_plies, error);
    return status;
}

static hy_status solve_perfect(hy_exact *exact, const hy_graph *graph, const hy_blocks *blocks,
                               hy_error *error)
{
    hy_values values;
    hy_status status = hy_values_init(&values, graph, blocks, error);
    if (status == HY_OK && hy_values_num_faults(&values, graph, blocks) > 0)
        status = hy_fail(error, HY_FAILED, "the values of perfect play do not pass their check");
    if (status == HY_OK) {
        exact->value = values.value[0];
        status = hy_line_find(&exact->line, &values, graph, blocks, error);
    }
    hy_values_clean_up(&values);
    return status;
}

/* Perfect play where ends without a result make the score count. */
static hy_status solve_with_score(hy_exact *exact, const hy_graph *graph, hy_error *error)
{
    hy_graph scored;
    hy_blocks blocks = {0};
    hy_status status = hy_graph_with_score(&scored, graph, error);
    if (status == HY_OK)
        status = hy_blocks_init(&blocks, &scored, error);
    exact->score_positions = scored.num_nodes;
    if (status == HY_OK)
        status = solve_perfect(exact, &scored, &blocks, error);
    hy_blocks_clean_up(&blocks);
    hy_graph_clean_up(&scored);
    return status;
}

static hy_status solve_graph(hy_exact *exact, const hy_graph *graph, const hy_exact_terms *terms,
                             hy_error *error)
{
    hy_blocks blocks;
    bool with_score = graph->rules.unfinished == HY_UNFINISHED_VOID;
    hy_status status = hy_blocks_init(&blocks, graph, error);
    if (status == HY_OK)
        status = solve_random(exact, graph, &blocks, terms, error);
    if (status == HY_OK)
        talk(terms, "random play solved");
    if (status == HY_OK && !with_score)
        status = solve_perfect(exact, graph, &blocks, error);
    hy_blocks_clean_up(&blocks);
    if (status == HY_OK && with_score)
        status = solve_with_score(exact, graph, error);
    return status;
}

static hy_status solve_with_history(hy_exact *exact, hy_graph *graph, const hy_exact_terms *terms,
                                    hy_error *error)
{
    hy_graph full;
    hy_status status = hy_graph_with_history(&full, graph, error);
    exact->history_positions = full.num_nodes;
    if (status == HY_OK) {
        talk(terms, "%" PRIu32 " positions with what has occurred before them", full.num_nodes);
        status = solve_graph(exact, &full, terms, error);
    }
    hy_graph_clean_up(&full);
    return status;
}

static void announce(const hy_rules *rules, const hy_exact_terms *terms)
{
    double bound = hy_reach_bound(rules), mib = bound * hy_reach_bytes(rules) / (1 << 20);
    talk(terms, "at most %.*g positions, %.*g MiB for all of them; limit %" PRIu64 " MiB",
         bound < 1e9 ? 10 : 4, bound, mib < 1e9 ? 6 : 4, mib < 1 ? 1 : mib,
         terms->memory / (1 << 20));
    if (rules->repetition > 0)
        talk(terms, "'repetition' multiplies them by what can have occurred before");
}

/* Whether there are so many boards that only a small part of them could fit. Then the part that can
 * be reached is looked for within little memory, so that a refusal does not take minutes. */
static bool is_hopeless(const hy_rules *rules, uint64_t limit)
{
    return hy_reach_bound(rules) * hy_reach_bytes(rules) > HOPELESS * (double)limit;
}

static hy_status refuse_hopeless(const hy_rules *rules, const hy_exact_terms *terms,
                                 hy_error *error)
{
    double bound = hy_reach_bound(rules);
    return hy_fail(error, HY_FAILED,
                   "does not fit: there are up to %.4g positions, which take up to %.4g MiB, and "
                   "the limit is %" PRIu64 " MiB (--memory); those that can be reached do not fit "
                   "into the first %u MiB either",
                   bound, bound * hy_reach_bytes(rules) / (1 << 20), terms->memory / (1 << 20),
                   (unsigned)(HOPEFUL / (1 << 20)));
}

hy_status hy_exact_solve(hy_exact *exact, const hy_rules *rules, const hy_exact_terms *terms,
                         hy_error *error)
{
    hy_budget budget = {.limit = terms->memory};
    hy_graph graph;
    bool hopeless = is_hopeless(rules, terms->memory) && terms->memory > HOPEFUL;
    *exact = (hy_exact){0};
    announce(rules, terms);
    if (hopeless)
        budget.limit = HOPEFUL;
    hy_status status = hy_graph_init(&graph, rules, terms->max_laps, &budget, error);
    if (status == HY_FAILED && hopeless && budget.peak > HOPEFUL / 2)
        status = refuse_hopeless(rules, terms, error);
    budget.limit = terms->memory;
    exact->positions = graph.num_nodes;
    exact->plies = graph.num_edges;
    if (status == HY_OK)
        talk(terms, "%" PRIu32 " positions can be reached, with %" PRIu64 " plies; %" PRIu64 " MiB",
             graph.num_nodes, graph.num_edges, budget.used / (1 << 20) + 1);
    if (status == HY_OK && rules->repetition > 0)
        status = solve_with_history(exact, &graph, terms, error);
    else if (status == HY_OK)
        status = solve_graph(exact, &graph, terms, error);
    hy_graph_clean_up(&graph);
    exact->peak = budget.peak;
    return status;
}

void hy_exact_clean_up(hy_exact *exact)
{
    hy_lengths_clean_up(&exact->lengths);
}
