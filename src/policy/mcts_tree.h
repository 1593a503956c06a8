/* The tree of Monte-Carlo tree search. Private to src/policy, and to its tests.
 *
 * UCT: a child is chosen by the mean of its points plus exploration · √(ln N / n), N visits of the
 * node, n of the child (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006).
 * Everything is kept in south's view and read in the view of the player to move, so that extra
 * turns and passes need no care. Results that are proven are kept as bounds on south's result and
 * backed up with the rest (Winands, Björnsson, Saito, "Monte-Carlo tree search solver", CG 2008;
 * draws as in Cazenave and Saffidine, "Score bounded Monte-Carlo tree search", CG 2010); a proven
 * node is not searched on, and a child that is proven lost for the player to move is not chosen
 * again.
 *
 * A game is also proven when one player leads by more than there is left to win, unless the rules
 * have `unfinished: void`. Where that is so at the root already, the search is for counters
 * instead: points are the share of the counters, and nothing is proven. */
#ifndef HY_POLICY_MCTS_TREE_H
#define HY_POLICY_MCTS_TREE_H

#include "policy/mcts_rows.h"
#include "policy/policy.h"

#define HY_MCTS_MAX_DEPTH                                                                          \
    1024u /* plies below the root; a node there is played out from, always                         \
           */

typedef struct hy_mcts_node {
    uint64_t points;    /* of south, summed over the visits */
    int64_t difference; /* likewise */
    uint32_t visits;
    uint32_t children; /* the first of them; 0: none so far */
    int16_t end;       /* difference at the end of the game, where it is over */
    uint8_t num_children;
    uint8_t hole;  /* that was played to come here */
    uint8_t mover; /* passes settled */
    uint8_t low;   /* south's result at the least: 0 lost, 1 drawn or none, 2 won … */
    uint8_t high;  /* … and at the most */
    bool over;
} hy_mcts_node;

/* The caller's storage, zeroed before _init; used again for one search after the other. */
typedef struct hy_mcts_tree {
    hy_mcts_node *nodes; /* the root first */
    uint32_t num, capacity;
    uint64_t plies; /* played so far, in the tree and in playouts */
    double exploration;
    const hy_choice *choice;
    hy_mcts_playouts playouts;
    hy_mcts_rows rows; /* of the playouts, where they have them */
    /* the way from the root in this iteration */
    uint32_t path[HY_MCTS_MAX_DEPTH + 1];
    unsigned depth;
    unsigned played; /* plies of it, as far as its positions are known; longer than it or not */
    bool in_rows;    /* they are kept in `spots`, else in `positions` */
    hy_mcts_spot spots[HY_MCTS_MAX_DEPTH + 1];
    hy_position positions[HY_MCTS_MAX_DEPTH + 1]; /* the root in any case */
    bool captured[HY_MCTS_MAX_DEPTH + 1];         /* the ply that led to that position did */
} hy_mcts_tree;

/* Takes all memory that searches will need: room for `capacity` nodes. When they are used up the
 * tree grows no more, and its leaves are played out from. */
HY_MUST_CHECK hy_status hy_mcts_tree_init(hy_mcts_tree *tree, uint32_t capacity, hy_error *error);
void hy_mcts_tree_clean_up(hy_mcts_tree *tree);

/* Forgets the tree and begins one at the choice's position. The playouts' `for_counters` and
 * `total` are set by it. */
void hy_mcts_tree_start(hy_mcts_tree *tree, const hy_choice *choice);

/* One iteration: down the tree, a playout, and back. Draws from the stream. */
void hy_mcts_tree_iterate(hy_mcts_tree *tree, hy_stream *stream);

static inline bool hy_mcts_is_proven(const hy_mcts_node *node)
{
    return node->low == node->high;
}

/* The children that a choice at this node is to be made among: the most visited of those that are
 * proven won, or where there are none, of those that are not proven lost; ones that are certain to
 * draw if no other one promises more, and lost ones only if all are. Writes their indices to
 * `best`, returns how many; at least one where the node has children. */
unsigned hy_mcts_tree_best(const hy_mcts_tree *tree, uint32_t index, uint32_t best[HY_MAX_HOLES]);

#endif
