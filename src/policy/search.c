#include "policy/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"

static int32_t lead(const hy_position *position, hy_player player)
{
    return HY_SEARCH_UNIT *
           ((int32_t)position->score[player] - (int32_t)position->score[hy_opponent(player)]);
}

/* Whether a game that ends so has no result, so that nothing counts. */
static bool is_void(const hy_rules *rules, hy_termination termination)
{
    return rules->unfinished == HY_UNFINISHED_VOID &&
           (termination == HY_ENDLESS || termination == HY_STUCK || termination == HY_REPETITION);
}

static void finish(const hy_search *search, const hy_position *before, hy_termination termination,
                   hy_successor *successor)
{
    successor->over = true;
    if (is_void(search->rules, termination))
        successor->gain = -lead(before, before->mover);
}

void hy_search_successor(const hy_search *search, const hy_position *position, unsigned hole,
                         hy_successor *successor)
{
    hy_ply ply;
    uint32_t passes = 0;
    hy_player mover = position->mover;
    hy_position *after = &successor->position;
    hy_ply_play(search->rules, position, hole, search->max_laps, after, &ply);
    hy_termination termination = ply.termination;
    successor->hole = (uint8_t)hole;
    successor->over = false;
    successor->captured = ply.captured;
    if (termination == HY_GOES_ON)
        termination = hy_settle(search->rules, search->max_laps, after, &successor->moves, &passes);
    successor->same_mover = after->mover == mover;
    successor->extra = ply.again && passes == 0;
    successor->gain = lead(after, mover) - lead(position, mover);
    if (termination != HY_GOES_ON)
        finish(search, position, termination, successor);
}

/* What may be expected of the counters on the board, at most all of them. Counters in the own row
 * are within reach of the next sowings; see README.md for how the weight was chosen. */
int32_t hy_search_evaluate(const hy_search *search, const hy_position *position)
{
    if (search->evaluation == HY_EVALUATION_CAPTURED)
        return 0;
    unsigned holes = search->rules->holes;
    int32_t own = 0, other = 0;
    for (unsigned hole = 0; hole < holes; hole++) {
        own += position->board[hole] > 0;
        other += position->board[hole + holes] > 0;
    }
    int32_t value = HY_SEARCH_REACH * (position->mover == HY_SOUTH ? own - other : other - own);
    int32_t most = HY_SEARCH_UNIT * position->left;
    return value > most ? most : value < -most ? -most : value;
}

static bool is_over_limit(hy_search *search)
{
    if (search->max_nodes > 0 && search->nodes >= search->max_nodes)
        search->stopped = true;
    if (search->deadline > 0 && search->nodes % 1024 == 0 && hy_now() > search->deadline)
        search->stopped = true;
    return search->stopped;
}

/* What else than the position a value depends on: the lead, where a game can lose its result; the
 * positions on the way, where repetition ends it. */
static uint64_t salt_of(const hy_search *search, const hy_position *position)
{
    uint64_t salt = 0;
    if (search->rules->unfinished == HY_UNFINISHED_VOID)
        salt = hy_mix64((uint64_t)(lead(position, position->mover) + HY_SEARCH_INFINITY));
    if (search->rules->repetition == 0)
        return salt;
    salt += search->history_counts;
    for (unsigned i = search->path_start; i < search->path_end; i++)
        salt += hy_mix64(search->path[i].low); /* the order does not matter */
    return salt;
}

/* Whether the position, entered now, ends the game by repetition. It is put on the path, which the
 * caller takes back. */
static bool is_repeated(hy_search *search, const hy_position *position, bool captured)
{
    hy_search_key key = hy_search_key_of(search->rules, position, 0);
    unsigned times = 1;
    if (captured) { /* no position from before can occur again */
        search->path_start = search->path_end;
        search->history_counts = false;
    }
    if (search->history_counts && search->root->times)
        times += search->root->times(search->root->history, position);
    for (unsigned i = search->path_start; i < search->path_end; i++)
        times += search->path[i].low == key.low && search->path[i].high == key.high;
    search->path[search->path_end] = key;
    if (search->path_end + 1 < HY_SEARCH_MAX_PATH)
        search->path_end++;
    return times >= search->rules->repetition;
}

hy_horizon hy_horizon_after(hy_horizon horizon, const hy_successor *successor)
{
    if (successor->extra && horizon.extra > 0)
        horizon.extra--;
    else
        horizon.turns--;
    return horizon;
}

static int32_t value_after(hy_search *search, const hy_successor *successor, hy_horizon horizon,
                           int32_t alpha, int32_t beta)
{
    hy_horizon left = hy_horizon_after(horizon, successor);
    int32_t gain = successor->gain;
    if (successor->same_mover)
        return gain + hy_search_value(search, &successor->position, &successor->moves, left,
                                      alpha - gain, beta - gain);
    return gain - hy_search_value(search, &successor->position, &successor->moves, left,
                                  gain - beta, gain - alpha);
}

int32_t hy_search_ply(hy_search *search, const hy_successor *successor, hy_horizon horizon,
                      int32_t alpha, int32_t beta)
{
    search->nodes++;
    if (successor->over)
        return successor->gain;
    if (search->rules->repetition == 0)
        return value_after(search, successor, horizon, alpha, beta);
    unsigned start = search->path_start, end = search->path_end;
    bool history_counts = search->history_counts;
    int32_t value;
    if (is_repeated(search, &successor->position, successor->captured)) {
        bool no_result = search->rules->unfinished == HY_UNFINISHED_VOID;
        hy_player mover = successor->same_mover ? successor->position.mover
                                                : hy_opponent(successor->position.mover);
        value = no_result ? successor->gain - lead(&successor->position, mover) : successor->gain;
    } else {
        value = value_after(search, successor, horizon, alpha, beta);
    }
    search->path_start = start;
    search->path_end = end;
    search->history_counts = history_counts;
    return value;
}

/* Captures first, the largest first; then holes that have cut off before; then from low to high. */
static void insert(hy_successor **sorted, unsigned num, hy_successor *successor)
{
    unsigned place = num;
    for (; place > 0 && sorted[place - 1]->order < successor->order; place--)
        sorted[place] = sorted[place - 1];
    sorted[place] = successor;
}

/* Lets the processor fetch what the table knows of a position while others are being sown; where
 * the key is more than the position's, it fetches in vain. */
static void fetch_entry(const hy_search *search, const hy_successor *successor)
{
    if (!successor->over)
        hy_search_table_fetch(search->table,
                              hy_search_key_of(search->rules, &successor->position, 0));
}

static unsigned successors(const hy_search *search, const hy_position *position,
                           const hy_moves *moves, hy_horizon horizon, unsigned skipped,
                           hy_successor *all, hy_successor **sorted)
{
    unsigned num = 0;
    for (unsigned i = 0; i < moves->num; i++) {
        unsigned hole = moves->hole[i];
        if (hole == skipped)
            continue;
        hy_successor *successor = &all[num];
        hy_search_successor(search, position, hole, successor);
        if (horizon.turns > 2)
            fetch_entry(search, successor);
        uint32_t captured = successor->gain > 0 ? (uint32_t)successor->gain : 0;
        uint32_t cutoffs = search->cutoffs[position->mover][hole];
        successor->order = (captured << 16) + (cutoffs < 0xffff ? cutoffs : 0xffff);
        insert(sorted, num++, successor);
    }
    return num;
}

/* The state of one node's loop over its holes. */
typedef struct hy_node {
    int32_t alpha, beta, best;
    uint8_t hole;
} hy_node;

/* Takes a value in; whether the node is cut off. */
static bool take_value(hy_node *node, int32_t value, unsigned hole)
{
    if (value > node->best) {
        node->best = value;
        node->hole = (uint8_t)hole;
    }
    if (value > node->alpha)
        node->alpha = value;
    return node->alpha >= node->beta;
}

static bool search_first(hy_search *search, const hy_position *position, hy_horizon horizon,
                         unsigned hole, hy_node *node)
{
    hy_successor successor;
    hy_search_successor(search, position, hole, &successor);
    int32_t value = hy_search_ply(search, &successor, horizon, node->alpha, node->beta);
    return take_value(node, value, hole) || search->stopped;
}

static void search_rest(hy_search *search, const hy_position *position, const hy_moves *moves,
                        hy_horizon horizon, unsigned skipped, hy_node *node)
{
    hy_successor all[HY_MAX_HOLES];
    hy_successor *sorted[HY_MAX_HOLES];
    unsigned num = successors(search, position, moves, horizon, skipped, all, sorted);
    for (unsigned i = 0; i < num; i++) {
        int32_t value = hy_search_ply(search, sorted[i], horizon, node->alpha, node->beta);
        if (search->stopped)
            return;
        if (take_value(node, value, sorted[i]->hole)) {
            search->cutoffs[position->mover][sorted[i]->hole] +=
                (uint32_t)horizon.turns * horizon.turns;
            return;
        }
    }
}

static bool is_legal(const hy_moves *moves, unsigned hole)
{
    for (unsigned i = 0; i < moves->num; i++) {
        if (moves->hole[i] == hole)
            return true;
    }
    return false;
}

/* Whether a stored value of exactly this horizon settles the node. */
static bool is_settled_by(const hy_search_entry *entry, hy_horizon horizon, int32_t alpha,
                          int32_t beta)
{
    if (!entry || entry->turns != horizon.turns || entry->extra != horizon.extra)
        return false;
    return entry->bound == HY_BOUND_EXACT ||
           (entry->bound == HY_BOUND_LOWER && entry->value >= beta) ||
           (entry->bound == HY_BOUND_UPPER && entry->value <= alpha);
}

/* Searches the holes of a node, `first` before the others. */
static hy_node search_holes(hy_search *search, const hy_position *position, const hy_moves *moves,
                            hy_horizon horizon, unsigned first, int32_t alpha, int32_t beta)
{
    hy_node node = {.alpha = alpha, .beta = beta, .best = -HY_SEARCH_INFINITY, .hole = HY_NO_HOLE};
    bool cut = first != HY_NO_HOLE && search_first(search, position, horizon, first, &node);
    if (!cut)
        search_rest(search, position, moves, horizon, first, &node);
    return node;
}

static void store(hy_search *search, hy_search_key key, hy_horizon horizon, const hy_node *node,
                  int32_t alpha)
{
    hy_bound bound = node->best >= node->beta ? HY_BOUND_LOWER
                     : node->best <= alpha    ? HY_BOUND_UPPER
                                              : HY_BOUND_EXACT;
    hy_search_entry entry = {
        .key = key,
        .value = node->best,
        .turns = horizon.turns,
        .extra = horizon.extra,
        .hole = node->hole,
        .bound = (uint8_t)bound,
        .complete = search->complete,
    };
    hy_search_table_put(search->table, &entry);
}

/* As search_holes, with what the table knows, and stores what was found. */
static int32_t search_node(hy_search *search, const hy_position *position, const hy_moves *moves,
                           hy_horizon horizon, int32_t alpha, int32_t beta)
{
    hy_search_key key = hy_search_key_of(search->rules, position, salt_of(search, position));
    const hy_search_entry *entry = hy_search_table_find(search->table, key);
    if (is_settled_by(entry, horizon, alpha, beta)) {
        search->complete &= entry->complete;
        return entry->value;
    }
    unsigned first = entry && is_legal(moves, entry->hole) ? entry->hole : HY_NO_HOLE;
    bool was_complete = search->complete;
    search->complete = true;
    hy_node node = search_holes(search, position, moves, horizon, first, alpha, beta);
    if (!search->stopped)
        store(search, key, horizon, &node, alpha);
    search->complete &= was_complete;
    return node.best;
}

int32_t hy_search_value(hy_search *search, const hy_position *position, const hy_moves *moves,
                        hy_horizon horizon, int32_t alpha, int32_t beta)
{
    if (is_over_limit(search))
        return 0;
    if (search->endgame && hy_endgame_has(search->endgame, position->left))
        return HY_SEARCH_UNIT * hy_endgame_value(search->endgame, position->board, position->mover);
    if (horizon.turns == 0) {
        search->complete = false;
        return hy_search_evaluate(search, position);
    }
    if (search->rules->unfinished == HY_UNFINISHED_SCORE) {
        int32_t most = HY_SEARCH_UNIT * position->left; /* nobody wins more than is left */
        if (alpha >= most)
            return most;
        if (beta <= -most)
            return -most;
    }
    if (horizon.turns ==
        1) /* most nodes are such, and a look at the table costs more than they do */
        return search_holes(search, position, moves, horizon, HY_NO_HOLE, alpha, beta).best;
    return search_node(search, position, moves, horizon, alpha, beta);
}
