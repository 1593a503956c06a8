/* The search of any variant. */
#define HY_SUCCESSOR hy_successor
#define HY_SUCCESSORS HY_MAX_HOLES

#include "policy/search_engine.h"

#include <string.h>

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
int32_t hy_search_expect(int32_t filled, unsigned left)
{
    int32_t value = HY_SEARCH_REACH * filled, most = HY_SEARCH_UNIT * (int32_t)left;
    return value > most ? most : value < -most ? -most : value;
}

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
    return hy_search_expect(position->mover == HY_SOUTH ? own - other : other - own,
                            position->left);
}

uint64_t hy_search_path_salt(const hy_search *search)
{
    uint64_t salt = search->history_counts;
    for (unsigned i = search->path_start; i < search->path_end; i++)
        salt += hy_mix64(search->path[i].low); /* the order does not matter */
    return salt;
}

/* What else than the position a value depends on: the lead, where a game can lose its result; the
 * positions on the way, where repetition ends it. */
static uint64_t salt_of(const hy_search *search, const hy_position *position)
{
    uint64_t salt = 0;
    if (search->rules->unfinished == HY_UNFINISHED_VOID)
        salt = hy_mix64((uint64_t)lead(position, position->mover) + HY_SEARCH_INFINITY);
    return search->rules->repetition > 0 ? salt + hy_search_path_salt(search) : salt;
}

bool hy_search_enter(hy_search *search, hy_search_key key, bool captured, unsigned times_in_game)
{
    unsigned times = 1 + times_in_game;
    if (captured) { /* no position from before can occur again */
        search->path_start = search->path_end;
        search->history_counts = false;
    }
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

static uint8_t mover_of(const hy_successor *at)
{
    return at->position.mover;
}

static unsigned left_of(const hy_successor *at)
{
    return at->position.left;
}

static uint64_t holes_of(const hy_search *search, const hy_successor *at)
{
    uint64_t holes = 0;
    (void)search;
    for (unsigned i = 0; i < at->moves.num; i++)
        holes |= UINT64_C(1) << at->moves.hole[i];
    return holes;
}

static void play(const hy_search *search, const hy_successor *at, unsigned hole,
                 hy_successor *after)
{
    hy_search_successor(search, &at->position, hole, after);
}

static int32_t evaluate(const hy_search *search, const hy_successor *at)
{
    return hy_search_evaluate(search, &at->position);
}

static hy_search_key key_of(const hy_search *search, const hy_successor *at)
{
    return hy_search_key_of(search->rules, &at->position, salt_of(search, &at->position));
}

/* Where the key is more than the position's, it fetches in vain. */
static void fetch_entry(const hy_search *search, const hy_successor *successor)
{
    if (!successor->over)
        hy_search_table_fetch(search->table,
                              hy_search_key_of(search->rules, &successor->position, 0));
}

static bool is_known(const hy_search *search, const hy_successor *at, int32_t *value)
{
    const hy_position *position = &at->position;
    if (!search->endgame || !hy_endgame_has(search->endgame, position->left))
        return false;
    *value = HY_SEARCH_UNIT * hy_endgame_value(search->endgame, position->board, position->mover);
    return true;
}

static bool is_repeated(hy_search *search, const hy_successor *successor)
{
    const hy_position *position = &successor->position;
    const hy_choice *root = search->root;
    bool looked_up = !successor->captured && search->history_counts && root->times;
    return hy_search_enter(search, hy_search_key_of(search->rules, position, 0),
                           successor->captured,
                           looked_up ? root->times(root->history, position) : 0);
}

static int32_t value_repeated(const hy_search *search, const hy_successor *successor)
{
    const hy_position *after = &successor->position;
    hy_player mover =
        successor->same_mover ? (hy_player)after->mover : hy_opponent((hy_player)after->mover);
    bool no_result = search->rules->unfinished == HY_UNFINISHED_VOID;
    return no_result ? successor->gain - lead(after, mover) : successor->gain;
}

static bool fits_rows(const hy_search *search, const hy_position *position)
{
    return search->sower && position->left <= HY_ROWS_MAX_COUNTERS;
}

int32_t hy_search_ply(hy_search *search, const hy_successor *successor, hy_horizon horizon,
                      int32_t alpha, int32_t beta)
{
    if (fits_rows(search, &successor->position))
        return hy_search_ply_in_rows(search, successor, horizon, alpha, beta);
    return search_ply(search, successor, horizon, alpha, beta);
}

int32_t hy_search_value(hy_search *search, const hy_position *position, const hy_moves *moves,
                        hy_horizon horizon, int32_t alpha, int32_t beta)
{
    hy_successor at = {.position = *position, .moves = *moves};
    if (fits_rows(search, position))
        return hy_search_value_in_rows(search, &at, horizon, alpha, beta);
    return value_of(search, &at, horizon, alpha, beta);
}
