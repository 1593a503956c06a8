/* Every position that can be reached in a variant, and the plies between them.
 *
 * A node is a board and a player to move as a ply leaves them, before passes are settled: what is
 * still to come depends on nothing else, unless the rules have `repetition` (hy_graph_with_history)
 * or `unfinished: void` (hy_graph_with_score). What was captured stands on the edges. */
#ifndef HY_SOLVE_REACH_H
#define HY_SOLVE_REACH_H

#include "rules/ply.h"
#include "solve/reach_keys.h"

/* One legal hole of a node, and where it leads. */
typedef struct hy_edge {
    uint32_t target;  /* a node; HY_NO_NODE: the game is over by this ply */
    uint16_t gain[2]; /* counters that south and north get, a claim included */
    uint8_t hole;
    uint8_t termination; /* hy_termination; HY_GOES_ON where there is a target */
    bool captured;       /* by anyone */
    bool new_turn;       /* another ply follows, and it begins a turn */
} hy_edge;

typedef struct hy_node {
    uint64_t first_edge;
    uint16_t left;       /* counters on the board */
    int16_t lead;        /* of a game over here: what south gets by the end, less what north gets */
    uint8_t num_edges;   /* 0: the game is over here */
    uint8_t termination; /* hy_termination: swept or stuck; else HY_GOES_ON */
    uint8_t mover;       /* who plays the edges, passes settled */
    bool passed;         /* the other one had no hole */
} hy_node;

typedef struct hy_graph {
    hy_rules rules;
    const char *what; /* is built, for the words of a refusal */
    hy_budget *budget;
    hy_keys keys; /* number i is node i; node 0 is the start */
    hy_node *nodes;
    hy_edge *edges;
    size_t node_capacity, edge_capacity;
    uint32_t num_nodes;
    uint64_t num_edges;
} hy_graph;

/* Positions (boards with a player to move) that there are at most, reachable or not: twice the sum
 * over n = total, total − casa, … of C(n + 2·holes − 1, 2·holes − 1). */
double hy_reach_bound(const hy_rules *rules);

/* Bytes a position takes in all, about, while it is solved. */
double hy_reach_bytes(const hy_rules *rules);

/* Explores all that can be reached from the start. HY_FAILED where it does not fit, or a sowing
 * neither ends nor recurs within `max_laps` laps. Released with hy_graph_clean_up, also after an
 * error. The budget must live as long. */
HY_MUST_CHECK hy_status hy_graph_init(hy_graph *graph, const hy_rules *rules, uint64_t max_laps,
                                      hy_budget *budget, hy_error *error);
void hy_graph_clean_up(hy_graph *graph);

static inline const hy_edge *hy_node_edges(const hy_graph *graph, uint32_t node)
{
    return graph->edges + graph->nodes[node].first_edge;
}

/* The graph in which a node has a score as well, for `unfinished: void`: an end carries the whole
 * difference of the game, 0 where it has no result, and other edges carry nothing. */
HY_MUST_CHECK hy_status hy_graph_with_score(hy_graph *scored, const hy_graph *graph,
                                            hy_error *error);

/* The graph in which a node has a history as well, for `repetition`: how often each position that
 * can still come again (those of its block) has occurred. It has no cycles. Edges of `graph` to a
 * position that passes are led to the position after the pass, if that is a node of its own. */
HY_MUST_CHECK hy_status hy_graph_with_history(hy_graph *full, hy_graph *graph, hy_error *error);

/* The node of the position after the pass at `node`, if there is one; else `node`. */
uint32_t hy_graph_settled(const hy_graph *graph, uint32_t node);

/* For those who build graphs: room for one more node and its edges. */
HY_MUST_CHECK hy_status hy_graph_reserve(hy_graph *graph, unsigned num_edges, hy_error *error);

#endif
