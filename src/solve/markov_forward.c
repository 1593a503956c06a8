#include <float.h>
#include <math.h>

#include "solve/markov_internal.h"
#include "solve/markov_speed.h"

#define WHAT "the probabilities of random play"
#define REST 1e-15 /* of what comes into a block, left at the end */

/* The probability that is on its way, by south's score. All nodes of a block have the same scores,
 * as nothing is captured within it: a set of bits. */
typedef struct flow {
    hy_chain *chain;
    unsigned words;   /* of a set */
    uint64_t *scores; /* sets of the blocks */
    uint64_t *place;  /* of a node's first probability */
    double *inflow;
    double *block; /* a block that is solved directly: its vectors */
    size_t block_capacity;
    uint64_t num;
} flow;

static unsigned count_scores(const flow *f, uint32_t block)
{
    unsigned num = 0;
    for (unsigned w = 0; w < f->words; w++)
        num += (unsigned)__builtin_popcountll(f->scores[(size_t)block * f->words + w]);
    return num;
}

static bool has_score(const flow *f, uint32_t block, unsigned score)
{
    return f->scores[(size_t)block * f->words + score / 64] >> (score % 64) & 1;
}

/* The place of a score among those of its block. */
static unsigned rank_of(const flow *f, uint32_t block, unsigned score)
{
    const uint64_t *set = f->scores + (size_t)block * f->words;
    unsigned rank = 0;
    for (unsigned w = 0; w < score / 64; w++)
        rank += (unsigned)__builtin_popcountll(set[w]);
    uint64_t below = ((uint64_t)1 << (score % 64)) - 1;
    return rank + (unsigned)__builtin_popcountll(set[score / 64] & below);
}

/* The scores of a list: all that the block has, from low to high. */
static unsigned list_scores(const flow *f, uint32_t block, uint16_t *list)
{
    unsigned num = 0;
    for (unsigned score = 0; score < 64 * f->words; score++) {
        if (has_score(f, block, score))
            list[num++] = (uint16_t)score;
    }
    return num;
}

static void spread_scores(flow *f, uint32_t block, const hy_edge *edge)
{
    const hy_blocks *blocks = f->chain->blocks;
    if (edge->target == HY_NO_NODE || hy_edge_is_inner(blocks, block, edge))
        return;
    const uint64_t *from = f->scores + (size_t)block * f->words;
    uint64_t *to = f->scores + (size_t)blocks->block_of[edge->target] * f->words;
    unsigned skip = edge->gain[HY_SOUTH] / 64, shift = edge->gain[HY_SOUTH] % 64;
    for (unsigned w = 0; w + skip < f->words; w++) {
        to[w + skip] |= from[w] << shift;
        if (shift > 0 && w + skip + 1 < f->words)
            to[w + skip + 1] |= from[w] >> (64 - shift);
    }
}

/* The scores with which each block can be reached, and the places of the nodes. */
static hy_status find_scores(flow *f, hy_error *error)
{
    const hy_blocks *blocks = f->chain->blocks;
    const hy_graph *graph = f->chain->graph;
    f->words = hy_rules_total(&graph->rules) / 64 + 1;
    hy_status status = hy_budget_new(graph->budget, &f->scores, (size_t)blocks->num * f->words,
                                     sizeof f->scores[0], WHAT, error);
    if (status == HY_OK)
        status = hy_budget_new(graph->budget, &f->place, graph->num_nodes, sizeof f->place[0], WHAT,
                               error);
    if (status != HY_OK)
        return status;
    f->scores[(size_t)blocks->block_of[0] * f->words] = 1;
    for (uint32_t block = blocks->num; block-- > 0;) {
        unsigned num = count_scores(f, block);
        for (uint32_t i = blocks->first[block]; i < blocks->first[block + 1]; i++) {
            uint32_t node = blocks->order[i];
            f->place[node] = f->num;
            f->num += num;
            for (unsigned e = 0; e < graph->nodes[node].num_edges; e++)
                spread_scores(f, block, &hy_node_edges(graph, node)[e]);
        }
    }
    return hy_budget_new(graph->budget, &f->inflow, f->num, sizeof f->inflow[0], WHAT, error);
}

/* A game ends at, or after an edge of, a node: `south` and `north` are gained by the end. */
static void book(flow *f, const hy_node *node, unsigned score, const uint16_t gain[2],
                 uint8_t termination, double mass)
{
    const hy_rules *rules = &f->chain->graph->rules;
    unsigned captured = hy_rules_total(rules) - node->left;
    hy_position end = {.score = {(uint16_t)(score + gain[HY_SOUTH]),
                                 (uint16_t)(captured - score + gain[HY_NORTH])}};
    hy_result result = hy_game_result(rules, &end, (hy_termination)termination);
    f->chain->markov->share[termination][result] += mass;
}

static void book_end(flow *f, uint32_t node, unsigned score, double mass)
{
    const hy_node *n = &f->chain->graph->nodes[node];
    uint16_t gain[2] = {(uint16_t)(n->lead > 0 ? n->lead : 0),
                        (uint16_t)(n->lead < 0 ? -n->lead : 0)};
    book(f, n, score, gain, n->termination, mass);
}

/* Sends `mass` along the edges of a node that leave the block, or along all of them. */
static void push(flow *f, uint32_t node, uint32_t block, unsigned score, double mass, bool inner)
{
    const hy_blocks *blocks = f->chain->blocks;
    const hy_node *n = &f->chain->graph->nodes[node];
    const hy_edge *edges = hy_node_edges(f->chain->graph, node);
    double part = mass / n->num_edges;
    for (unsigned e = 0; e < n->num_edges; e++) {
        const hy_edge *edge = &edges[e];
        if (edge->target == HY_NO_NODE) {
            book(f, n, score, edge->gain, edge->termination, part);
        } else if (blocks->block_of[edge->target] != block || inner) {
            unsigned rank =
                rank_of(f, blocks->block_of[edge->target], score + edge->gain[HY_SOUTH]);
            f->inflow[f->place[edge->target] + rank] += part;
        }
    }
}

static double sum_of(const flow *f, uint32_t block, unsigned num_scores)
{
    const hy_blocks *blocks = f->chain->blocks;
    double sum = 0;
    for (uint32_t i = blocks->first[block]; i < blocks->first[block + 1]; i++) {
        for (unsigned k = 0; k < num_scores; k++)
            sum += fabs(f->inflow[f->place[blocks->order[i]] + k]);
    }
    return sum;
}

/* Visits the node so much more often, and sends that along its edges. */
static void visit(flow *f, uint32_t block, uint32_t node, unsigned k, unsigned score, double mass)
{
    if (mass == 0)
        return;
    f->inflow[f->place[node] + k] -= mass;
    f->chain->visits[node] += mass;
    push(f, node, block, score, mass, true);
}

/* Pushes on what stands at each node of a block once; sources mostly stand behind targets. */
static void sweep(flow *f, uint32_t block, const uint16_t *scores, unsigned num_scores,
                  double *changes, hy_speed *speed)
{
    const hy_blocks *blocks = f->chain->blocks;
    for (uint32_t i = hy_block_size(blocks, block); i-- > 0;) {
        uint32_t node = blocks->order[blocks->first[block] + i];
        for (unsigned k = 0; k < num_scores; k++) {
            double mass = f->inflow[f->place[node] + k];
            double *change = &changes[(size_t)i * num_scores + k];
            hy_speed_add(speed, mass, *change);
            *change = mass;
            visit(f, block, node, k, scores[k], mass);
        }
    }
}

/* Sweeps until hardly anything is left of what came into the block. */
static hy_status push_round(flow *f, uint32_t block, const uint16_t *scores, unsigned num_scores,
                            hy_error *error)
{
    const hy_blocks *blocks = f->chain->blocks;
    const uint32_t *nodes = blocks->order + blocks->first[block];
    double rest = sum_of(f, block, num_scores), goal = REST * rest, *changes = NULL;
    size_t num = (size_t)hy_block_size(blocks, block) * num_scores;
    hy_speed speed = hy_speed_start();
    hy_status status =
        hy_budget_new(f->chain->graph->budget, &changes, num, sizeof changes[0], WHAT, error);
    while (status == HY_OK && rest > goal && speed.idle < HY_SPEED_PATIENCE) {
        sweep(f, block, scores, num_scores, changes, &speed);
        double factor = hy_speed_end(&speed, sum_of(f, block, num_scores));
        for (size_t i = 0; factor > 0 && i < num; i++)
            visit(f, block, nodes[i / num_scores], (unsigned)(i % num_scores),
                  scores[i % num_scores], factor * changes[i]);
        rest = sum_of(f, block, num_scores);
    }
    f->chain->markov->probability_error += rest;
    hy_budget_free(f->chain->graph->budget, changes, num, sizeof changes[0]);
    return status;
}

/* What the computed visits of a block leave over, summed without signs. */
static double residual(flow *f, uint32_t block, unsigned num_scores, const double *visits)
{
    const hy_blocks *blocks = f->chain->blocks;
    const uint32_t *nodes = blocks->order + blocks->first[block];
    uint32_t size = hy_block_size(blocks, block);
    double sum = 0;
    for (unsigned k = 0; k < num_scores; k++) {
        for (uint32_t i = 0; i < size; i++) {
            const hy_node *n = &f->chain->graph->nodes[nodes[i]];
            f->inflow[f->place[nodes[i]] + k] -= visits[k * size + i];
            for (unsigned e = 0; e < n->num_edges; e++) {
                const hy_edge *edge = &hy_node_edges(f->chain->graph, nodes[i])[e];
                if (hy_edge_is_inner(blocks, block, edge))
                    f->inflow[f->place[edge->target] + k] += visits[k * size + i] / n->num_edges;
            }
        }
        for (uint32_t i = 0; i < size; i++)
            sum += fabs(f->inflow[f->place[nodes[i]] + k]);
    }
    return sum;
}

static hy_status solve_directly(flow *f, uint32_t block, const uint16_t *scores,
                                unsigned num_scores, hy_error *error)
{
    hy_chain *chain = f->chain;
    const uint32_t *nodes = chain->blocks->order + chain->blocks->first[block];
    uint32_t size = hy_block_size(chain->blocks, block);
    hy_status status =
        hy_budget_reserve(chain->graph->budget, &f->block, &f->block_capacity,
                          (size_t)size * num_scores, sizeof f->block[0], WHAT, error);
    if (status == HY_OK)
        status = hy_system_factor(&chain->system, chain->graph, chain->blocks, block, error);
    if (status != HY_OK)
        return status;
    for (unsigned k = 0; k < num_scores; k++) {
        for (uint32_t i = 0; i < size; i++)
            f->block[k * size + i] = f->inflow[f->place[nodes[i]] + k];
    }
    status = hy_system_solve(&chain->system, true, f->block, (int)num_scores, error);
    if (status != HY_OK)
        return status;
    chain->markov->probability_error += residual(f, block, num_scores, f->block);
    for (unsigned k = 0; k < num_scores; k++) {
        for (uint32_t i = 0; i < size; i++) {
            chain->visits[nodes[i]] += f->block[k * size + i];
            push(f, nodes[i], block, scores[k], f->block[k * size + i], false);
        }
    }
    return HY_OK;
}

/* A block of one node: what comes in leaves it, after staying for a while if edges lead back. */
static void pass_on(flow *f, uint32_t block, const uint16_t *scores, unsigned num_scores)
{
    uint32_t node = f->chain->blocks->order[f->chain->blocks->first[block]];
    const hy_node *n = &f->chain->graph->nodes[node];
    unsigned back = 0;
    for (unsigned e = 0; e < n->num_edges; e++)
        back += hy_node_edges(f->chain->graph, node)[e].target == node;
    for (unsigned k = 0; k < num_scores; k++) {
        double mass = f->inflow[f->place[node] + k];
        if (n->num_edges == 0) {
            book_end(f, node, scores[k], mass);
            continue;
        }
        mass *= (double)n->num_edges / (n->num_edges - back);
        f->chain->visits[node] += mass;
        push(f, node, block, scores[k], mass, false);
    }
}

static hy_status solve_block(flow *f, uint32_t block, hy_error *error)
{
    uint16_t scores[HY_MAX_BOARD * HY_MAX_SEEDS + 64];
    unsigned num_scores = list_scores(f, block, scores);
    uint32_t size = hy_block_size(f->chain->blocks, block);
    if (hy_block_is_closed(f->chain->blocks, f->chain->graph, block))
        f->chain->markov->never += sum_of(f, block, num_scores);
    else if (size == 1)
        pass_on(f, block, scores, num_scores);
    else if (size <= HY_MARKOV_DIRECT)
        return solve_directly(f, block, scores, num_scores, error);
    else
        return push_round(f, block, scores, num_scores, error);
    return HY_OK;
}

hy_status hy_chain_forward(hy_chain *chain, hy_error *error)
{
    flow f = {.chain = chain};
    const hy_blocks *blocks = chain->blocks;
    hy_budget *budget = chain->graph->budget;
    hy_status status = find_scores(&f, error);
    if (status == HY_OK)
        f.inflow[f.place[0]] = 1;
    for (uint32_t block = blocks->num; status == HY_OK && block-- > 0;)
        status = solve_block(&f, block, error);
    for (uint32_t node = 0; status == HY_OK && node < chain->graph->num_nodes; node++)
        chain->markov->probability_error += DBL_EPSILON * chain->visits[node]; /* rounding */
    chain->markov->states = f.num;
    hy_budget_free(budget, f.scores, (size_t)blocks->num * f.words, sizeof f.scores[0]);
    hy_budget_free(budget, f.place, chain->graph->num_nodes, sizeof f.place[0]);
    hy_budget_free(budget, f.inflow, f.num, sizeof f.inflow[0]);
    hy_budget_free(budget, f.block, f.block_capacity, sizeof f.block[0]);
    return status;
}
