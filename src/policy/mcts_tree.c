#include "policy/mcts_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LN_2 0.69314718055994531
#define BEST_RESULT 2u

hy_status hy_mcts_tree_init(hy_mcts_tree *tree, uint32_t capacity, hy_error *error)
{
    tree->nodes = hy_new_array(capacity, sizeof tree->nodes[0]);
    if (!tree->nodes)
        return hy_fail_memory(error);
    tree->capacity = capacity;
    return HY_OK;
}

void hy_mcts_tree_clean_up(hy_mcts_tree *tree)
{
    free(tree->nodes);
    tree->nodes = NULL;
}

void hy_mcts_tree_start(hy_mcts_tree *tree, const hy_choice *choice)
{
    const hy_position *root = choice->position;
    hy_mcts_playouts *playouts = &tree->playouts;
    playouts->rules = *choice->rules;
    playouts->rules.repetition = 0;
    playouts->void_ends = choice->rules->unfinished == HY_UNFINISHED_VOID;
    playouts->for_counters = !playouts->void_ends && hy_mcts_is_decided(root);
    playouts->max_laps = choice->max_laps;
    playouts->total = (unsigned)root->score[HY_SOUTH] + root->score[HY_NORTH] + root->left;
    tree->choice = choice;
    tree->plies = 0;
    tree->nodes[0] = (hy_mcts_node){.mover = root->mover, .high = BEST_RESULT};
    tree->num = 1;
    tree->positions[0] = *root;
    tree->path[0] = 0;
    tree->played = 0;
    tree->in_rows =
        playouts->rows && choice->rules->repetition == 0 && root->left <= HY_ROWS_MAX_COUNTERS;
    if (tree->in_rows)
        tree->spots[0] = hy_mcts_spot_of(choice->rules, root);
}

/* Whether step (h) of rules/ply.h ends the game at `position`, which one ply without a capture
 * leads to from the end of the path. The root is in the game's history where there is one. */
static bool is_repeated(const hy_mcts_tree *tree, const hy_position *position)
{
    const hy_choice *choice = tree->choice;
    unsigned times = 1, first = tree->depth;
    while (first > 0 && !tree->captured[first])
        first--;
    if (first == 0 && choice->times) {
        times += choice->times(choice->history, position);
        first = 1;
    }
    for (unsigned i = first; i <= tree->depth; i++) {
        const hy_position *earlier = &tree->positions[i];
        times += earlier->mover == position->mover &&
                 memcmp(earlier->board, position->board, sizeof position->board) == 0;
    }
    return times >= choice->rules->repetition;
}

static uint8_t worth(hy_result result)
{
    switch (result) {
    case HY_RESULT_SOUTH:
        return BEST_RESULT;
    case HY_RESULT_NORTH:
        return 0;
    case HY_RESULT_DRAW:
    case HY_RESULT_NONE:
    case HY_NUM_RESULTS:
        break;
    }
    return 1;
}

/* Plays a hole of the position at the end of the path; of `after`, score, left and mover count. */
static hy_termination play(const hy_mcts_tree *tree, unsigned hole, hy_position *after)
{
    const hy_choice *choice = tree->choice;
    const hy_rules *rules = choice->rules;
    hy_ply ply;
    hy_moves moves;
    uint32_t passes = 0;
    hy_ply_play(rules, &tree->positions[tree->depth], hole, choice->max_laps, after, &ply);
    if (ply.termination != HY_GOES_ON)
        return ply.termination;
    hy_termination termination = hy_settle(rules, choice->max_laps, after, &moves, &passes);
    if (termination == HY_GOES_ON && rules->repetition > 0 && !ply.captured &&
        is_repeated(tree, after))
        return HY_REPETITION;
    return termination;
}

/* The same in rows. */
static hy_termination play_in_rows(const hy_mcts_tree *tree, unsigned hole, hy_position *after)
{
    hy_mcts_spot spot;
    hy_termination termination = hy_mcts_spot_play(&tree->rows.sower, tree->choice->max_laps,
                                                   &tree->spots[tree->depth], hole, &spot);
    after->score[HY_SOUTH] = spot.score[HY_SOUTH];
    after->score[HY_NORTH] = spot.score[HY_NORTH];
    after->left = spot.left;
    after->mover = spot.mover;
    return termination;
}

/* A child of the node at the end of the path. */
static void make_child(const hy_mcts_tree *tree, unsigned hole, hy_mcts_node *child)
{
    hy_position after;
    hy_termination termination =
        tree->in_rows ? play_in_rows(tree, hole, &after) : play(tree, hole, &after);
    *child = (hy_mcts_node){
        .hole = (uint8_t)hole,
        .mover = after.mover,
        .high = BEST_RESULT,
        .over = termination != HY_GOES_ON,
        .end = (int16_t)((int)after.score[HY_SOUTH] - (int)after.score[HY_NORTH]),
    };
    if (tree->playouts.for_counters)
        return;
    if (child->over)
        child->low = child->high = worth(hy_game_result(tree->choice->rules, &after, termination));
    else if (!tree->playouts.void_ends && hy_mcts_is_decided(&after))
        child->low = child->high = child->end > 0 ? BEST_RESULT : 0;
}

/* The holes of the position at the end of the path. */
static void find_moves(const hy_mcts_tree *tree, hy_moves *moves)
{
    const hy_rules *rules = tree->choice->rules;
    if (!tree->in_rows) {
        hy_legal_moves(rules, &tree->positions[tree->depth], tree->choice->max_laps, moves);
        return;
    }
    const hy_mcts_spot *spot = &tree->spots[tree->depth];
    unsigned first = spot->mover == HY_SOUTH ? 0 : rules->holes;
    unsigned mask = hy_row_mask(hy_row_filled(hy_rows_row(spot->rows, spot->mover)));
    moves->num = 0;
    for (; mask; mask &= mask - 1)
        moves->hole[moves->num++] = (uint8_t)(first + (unsigned)__builtin_ctz(mask));
}

/* Gives the node at the end of the path its children; false where there is no room. */
static bool expand(hy_mcts_tree *tree, hy_mcts_node *node)
{
    hy_moves moves;
    if (tree->depth == HY_MCTS_MAX_DEPTH)
        return false;
    find_moves(tree, &moves);
    if (moves.num > tree->capacity - tree->num)
        return false;
    node->children = tree->num;
    node->num_children = moves.num;
    for (unsigned i = 0; i < moves.num; i++)
        make_child(tree, moves.hole[i], &tree->nodes[tree->num++]);
    return true;
}

/* Bounds of a node from those of its children: the player to move takes the best. */
static void narrow(const hy_mcts_tree *tree, hy_mcts_node *node)
{
    const hy_mcts_node *children = &tree->nodes[node->children];
    bool south = node->mover == HY_SOUTH;
    uint8_t low = children[0].low, high = children[0].high;
    for (unsigned i = 1; i < node->num_children; i++) {
        if ((children[i].low > low) == south && children[i].low != low)
            low = children[i].low;
        if ((children[i].high > high) == south && children[i].high != high)
            high = children[i].high;
    }
    node->low = low;
    node->high = high;
}

/* ln n between powers of two is interpolated, off by 0.06 at the most: sums, products and square
 * roots of doubles are the same on every machine, logarithms are not. */
static double logarithm(uint32_t n)
{
    unsigned exponent = 31u - (unsigned)__builtin_clz(n);
    double mantissa = (double)n / (double)(1u << exponent);
    return (exponent + (mantissa - 1.0)) * LN_2;
}

/* A child's bounds in the view of the player to move. */
static unsigned least(const hy_mcts_node *child, bool south)
{
    return south ? child->low : BEST_RESULT - child->high;
}

static unsigned most(const hy_mcts_node *child, bool south)
{
    return south ? child->high : BEST_RESULT - child->low;
}

static double mean_points(const hy_mcts_node *child, bool south)
{
    double mean = (double)child->points / ((double)child->visits * HY_MCTS_WIN);
    return south ? mean : 1.0 - mean;
}

/* The child to visit: the first that has not been visited, or the one of the highest bound. Those
 * that cannot be better than what is certain already are left out. */
static uint32_t select_child(const hy_mcts_tree *tree, const hy_mcts_node *node)
{
    bool south = node->mover == HY_SOUTH;
    unsigned certain = least(node, south);
    double log_visits = node->visits > 0 ? logarithm(node->visits) : 0, highest = -1;
    uint32_t selected = node->children;
    for (uint32_t i = node->children; i < node->children + node->num_children; i++) {
        const hy_mcts_node *child = &tree->nodes[i];
        bool worth_it = most(child, south) > certain || (certain > 0 && least(child, south) > 0);
        if (!worth_it)
            continue;
        if (child->visits == 0)
            return i;
        double spread = tree->exploration * sqrt(log_visits / child->visits);
        double bound = mean_points(child, south) + spread;
        if (bound > highest) {
            highest = bound;
            selected = i;
        }
    }
    return selected;
}

/* Goes from the end of the path to a child. Iterations often go the same way at first, so what is
 * known of the last path stays as far as this one is the same. */
static void descend(hy_mcts_tree *tree, uint32_t index)
{
    if (tree->played > tree->depth && tree->path[tree->depth + 1] != index)
        tree->played = tree->depth;
    tree->path[++tree->depth] = index;
}

static void play_once(hy_mcts_tree *tree)
{
    const hy_choice *choice = tree->choice;
    unsigned from = tree->played++;
    const hy_mcts_node *node = &tree->nodes[tree->path[from + 1]];
    if (tree->in_rows) {
        hy_mcts_spot_play(&tree->rows.sower, choice->max_laps, &tree->spots[from], node->hole,
                          &tree->spots[from + 1]);
        return;
    }
    hy_ply ply;
    hy_position *after = &tree->positions[from + 1];
    hy_ply_play(choice->rules, &tree->positions[from], node->hole, choice->max_laps, after, &ply);
    after->mover = node->mover;
    tree->captured[from + 1] = ply.captured;
}

/* Gets to know the positions of the path. */
static void play_path(hy_mcts_tree *tree)
{
    while (tree->played < tree->depth)
        play_once(tree);
}

static hy_mcts_outcome play_out(const hy_mcts_tree *tree, hy_stream *stream)
{
    unsigned end = tree->depth;
    return tree->in_rows ? hy_mcts_play_on_in_rows(&tree->playouts, &tree->spots[end], stream)
                         : hy_mcts_play_on(&tree->playouts, &tree->positions[end], stream);
}

/* What a node is worth without a playout: the game is over, or its result is proven. */
static hy_mcts_outcome known_outcome(const hy_mcts_tree *tree, const hy_mcts_node *node)
{
    static const hy_result results[] = {HY_RESULT_NORTH, HY_RESULT_DRAW, HY_RESULT_SOUTH};
    int64_t difference = node->visits > 0 ? node->difference / node->visits : node->end;
    return hy_mcts_outcome_of(&tree->playouts, results[node->low],
                              node->over ? node->end : (int32_t)difference);
}

static bool is_known(const hy_mcts_node *node)
{
    return node->over || hy_mcts_is_proven(node);
}

static void back_up(hy_mcts_tree *tree, hy_mcts_outcome outcome)
{
    tree->plies += tree->depth + outcome.plies;
    for (unsigned i = tree->depth + 1; i-- > 0;) {
        hy_mcts_node *node = &tree->nodes[tree->path[i]];
        node->visits++;
        node->points += outcome.points;
        node->difference += outcome.difference;
        if (node->num_children > 0 && !hy_mcts_is_proven(node))
            narrow(tree, node);
    }
}

/* A leaf is played out from when it is visited first, and given children when it is visited again;
 * the root is given them at once. */
void hy_mcts_tree_iterate(hy_mcts_tree *tree, hy_stream *stream)
{
    tree->depth = 0;
    for (;;) {
        hy_mcts_node *node = &tree->nodes[tree->path[tree->depth]];
        bool leaf = node->num_children == 0;
        if (is_known(node)) {
            back_up(tree, known_outcome(tree, node));
            return;
        }
        if (leaf)
            play_path(tree);
        if (leaf && ((tree->depth > 0 && node->visits == 0) || !expand(tree, node))) {
            back_up(tree, play_out(tree, stream));
            return;
        }
        if (leaf)
            narrow(tree, node);
        if (!is_known(node))
            descend(tree, select_child(tree, node));
    }
}

/* What a choice is made among, so far. */
typedef struct hy_candidates {
    uint32_t *best;
    unsigned num;
} hy_candidates;

/* Keeps the most visited. */
static void keep(const hy_mcts_tree *tree, hy_candidates *candidates, uint32_t index)
{
    if (candidates->num > 0) {
        uint32_t visits = tree->nodes[candidates->best[0]].visits;
        if (tree->nodes[index].visits < visits)
            return;
        if (tree->nodes[index].visits > visits)
            candidates->num = 0;
    }
    candidates->best[candidates->num++] = index;
}

unsigned hy_mcts_tree_best(const hy_mcts_tree *tree, uint32_t index, uint32_t best[HY_MAX_HOLES])
{
    const hy_mcts_node *node = &tree->nodes[index], *children = &tree->nodes[node->children];
    bool south = node->mover == HY_SOUTH;
    uint32_t sure_best[HY_MAX_HOLES];
    hy_candidates sure = {.best = sure_best}, open = {.best = best};
    unsigned certain = 0;
    for (unsigned i = 0; i < node->num_children; i++)
        certain = least(&children[i], south) > certain ? least(&children[i], south) : certain;
    for (unsigned i = 0; i < node->num_children; i++) {
        if (most(&children[i], south) > certain)
            keep(tree, &open, node->children + i);
        else if (least(&children[i], south) == certain)
            keep(tree, &sure, node->children + i);
    }
    bool hopeful =
        open.num > 0 &&
        (sure.num == 0 || certain == 0 ||
         (tree->nodes[best[0]].visits > 0 && mean_points(&tree->nodes[best[0]], south) > 0.5));
    if (hopeful)
        return open.num;
    memcpy(best, sure_best, sure.num * sizeof best[0]);
    return sure.num;
}
