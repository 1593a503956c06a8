/* The nodes of the alpha-beta search, around a way to keep a position. Private to src/policy.
 *
 * Included by one source file for each such way, after it has defined HY_SUCCESSOR, a type of which
 * the search reads hole, over, same_mover, extra, gain and order as they are in hy_successor, and
 * the functions declared here. All ways search the same nodes. */
#include "base/clock.h"
#include "policy/search.h"

static uint8_t mover_of(const HY_SUCCESSOR *at);
static unsigned left_of(const HY_SUCCESSOR *at);

/* The legal holes, a bit each. */
static uint64_t holes_of(const hy_search *search, const HY_SUCCESSOR *at);

/* Plays a hole. */
static void play(const hy_search *search, const HY_SUCCESSOR *at, unsigned hole,
                 HY_SUCCESSOR *after);

static int32_t evaluate(const hy_search *search, const HY_SUCCESSOR *at);
static hy_search_key key_of(const hy_search *search, const HY_SUCCESSOR *at);

/* Asks for what the table knows of a position. */
static void fetch_entry(const hy_search *search, const HY_SUCCESSOR *successor);

/* Whether the value is known without a search. */
static bool is_known(const hy_search *search, const HY_SUCCESSOR *at, int32_t *value);

/* Where the rules have `repetition`: whether it ends the game at a position that is entered now,
 * and what having played so is worth then. */
static bool is_repeated(hy_search *search, const HY_SUCCESSOR *successor);
static int32_t value_repeated(const hy_search *search, const HY_SUCCESSOR *successor);

static int32_t value_of(hy_search *search, const HY_SUCCESSOR *at, hy_horizon horizon,
                        int32_t alpha, int32_t beta);

static bool is_over_limit(hy_search *search)
{
    if (search->max_nodes > 0 && search->nodes >= search->max_nodes)
        search->stopped = true;
    if (search->deadline > 0 && search->nodes % 1024 == 0 && hy_now() > search->deadline)
        search->stopped = true;
    return search->stopped;
}

static int32_t value_after(hy_search *search, const HY_SUCCESSOR *successor, hy_horizon horizon,
                           int32_t alpha, int32_t beta)
{
    int32_t gain = successor->gain;
    if (successor->extra && horizon.extra > 0)
        horizon.extra--;
    else
        horizon.turns--;
    if (successor->same_mover)
        return gain + value_of(search, successor, horizon, alpha - gain, beta - gain);
    return gain - value_of(search, successor, horizon, gain - beta, gain - alpha);
}

/* As value_after, unless the game ends by repetition. */
static int32_t value_with_history(hy_search *search, const HY_SUCCESSOR *successor,
                                  hy_horizon horizon, int32_t alpha, int32_t beta)
{
    unsigned start = search->path_start, end = search->path_end;
    bool history_counts = search->history_counts;
    int32_t value = is_repeated(search, successor)
                        ? value_repeated(search, successor)
                        : value_after(search, successor, horizon, alpha, beta);
    search->path_start = start;
    search->path_end = end;
    search->history_counts = history_counts;
    return value;
}

static int32_t search_ply(hy_search *search, const HY_SUCCESSOR *successor, hy_horizon horizon,
                          int32_t alpha, int32_t beta)
{
    search->nodes++;
    if (successor->over)
        return successor->gain;
    if (search->rules->repetition == 0)
        return value_after(search, successor, horizon, alpha, beta);
    return value_with_history(search, successor, horizon, alpha, beta);
}

/* Captures first, the largest first; then holes that have cut off before; then from low to high. */
static void insert(HY_SUCCESSOR **sorted, unsigned num, HY_SUCCESSOR *successor)
{
    unsigned place = num;
    for (; place > 0 && sorted[place - 1]->order < successor->order; place--)
        sorted[place] = sorted[place - 1];
    sorted[place] = successor;
}

static unsigned successors(const hy_search *search, const HY_SUCCESSOR *at, uint64_t holes,
                           hy_horizon horizon, HY_SUCCESSOR *all, HY_SUCCESSOR **sorted)
{
    const uint32_t *cutoffs = search->cutoffs[mover_of(at)];
    unsigned num = 0;
    for (; holes; holes &= holes - 1) {
        unsigned hole = (unsigned)__builtin_ctzll(holes);
        HY_SUCCESSOR *successor = &all[num];
        play(search, at, hole, successor);
        if (horizon.turns > 2)
            fetch_entry(search, successor);
        uint32_t captured = successor->gain > 0 ? (uint32_t)successor->gain : 0;
        successor->order = (captured << 16) + (cutoffs[hole] < 0xffff ? cutoffs[hole] : 0xffff);
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

static bool search_first(hy_search *search, const HY_SUCCESSOR *at, hy_horizon horizon,
                         unsigned hole, hy_node *node)
{
    HY_SUCCESSOR successor;
    play(search, at, hole, &successor);
    int32_t value = search_ply(search, &successor, horizon, node->alpha, node->beta);
    return take_value(node, value, hole) || search->stopped;
}

static void search_rest(hy_search *search, const HY_SUCCESSOR *at, uint64_t holes,
                        hy_horizon horizon, hy_node *node)
{
    HY_SUCCESSOR all[HY_SUCCESSORS], *sorted[HY_SUCCESSORS];
    unsigned num = successors(search, at, holes, horizon, all, sorted);
    for (unsigned i = 0; i < num; i++) {
        int32_t value = search_ply(search, sorted[i], horizon, node->alpha, node->beta);
        if (search->stopped)
            return;
        if (take_value(node, value, sorted[i]->hole)) {
            search->cutoffs[mover_of(at)][sorted[i]->hole] +=
                (uint32_t)horizon.turns * horizon.turns;
            return;
        }
    }
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
static hy_node search_holes(hy_search *search, const HY_SUCCESSOR *at, uint64_t holes,
                            hy_horizon horizon, unsigned first, int32_t alpha, int32_t beta)
{
    hy_node node = {.alpha = alpha, .beta = beta, .best = -HY_SEARCH_INFINITY, .hole = HY_NO_HOLE};
    if (first != HY_NO_HOLE) {
        if (search_first(search, at, horizon, first, &node))
            return node;
        holes &= ~(UINT64_C(1) << first);
    }
    search_rest(search, at, holes, horizon, &node);
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
static int32_t search_node(hy_search *search, const HY_SUCCESSOR *at, hy_horizon horizon,
                           int32_t alpha, int32_t beta)
{
    hy_search_key key = key_of(search, at);
    const hy_search_entry *entry = hy_search_table_find(search->table, key);
    if (is_settled_by(entry, horizon, alpha, beta)) {
        search->complete &= entry->complete;
        return entry->value;
    }
    uint64_t holes = holes_of(search, at);
    bool has_first = entry && entry->hole != HY_NO_HOLE && (holes >> entry->hole & 1) != 0;
    unsigned first = has_first ? entry->hole : HY_NO_HOLE;
    bool was_complete = search->complete;
    search->complete = true;
    hy_node node = search_holes(search, at, holes, horizon, first, alpha, beta);
    if (!search->stopped)
        store(search, key, horizon, &node, alpha);
    search->complete &= was_complete;
    return node.best;
}

/* As hy_search_value. */
static int32_t value_of(hy_search *search, const HY_SUCCESSOR *at, hy_horizon horizon,
                        int32_t alpha, int32_t beta)
{
    int32_t known;
    if (is_over_limit(search))
        return 0;
    if (is_known(search, at, &known))
        return known;
    if (horizon.turns == 0) {
        search->complete = false;
        return evaluate(search, at);
    }
    if (search->rules->unfinished == HY_UNFINISHED_SCORE) {
        int32_t most = HY_SEARCH_UNIT * (int32_t)left_of(at); /* nobody wins more than is left */
        if (alpha >= most)
            return most;
        if (beta <= -most)
            return -most;
    }
    if (horizon.turns == 1) /* most nodes, and a look at the table costs more than they do */
        return search_holes(search, at, holes_of(search, at), horizon, HY_NO_HOLE, alpha, beta)
            .best;
    return search_node(search, at, horizon, alpha, beta);
}
