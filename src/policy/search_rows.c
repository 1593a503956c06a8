/* The search on small boards, which are kept in registers (rules/rows.h). */
#include "rules/rows.h"

/* A ply and what it leads to; as hy_successor. */
typedef struct hy_rows_successor {
    hy_rows rows;
    int32_t gain;
    uint32_t order;
    uint16_t left;
    uint8_t mover;
    uint8_t hole;
    bool over;
    bool same_mover;
    bool extra;
    bool captured;
} hy_rows_successor;

#define HY_SUCCESSOR hy_rows_successor
#define HY_SUCCESSORS HY_ROWS_MAX_HOLES

#include "policy/search_engine.h"

bool hy_search_handles_rows(const hy_rules *rules)
{
    return hy_rows_handles(rules, 0) && rules->endless == HY_ENDLESS_ANNUL &&
           rules->unfinished == HY_UNFINISHED_SCORE;
}

static uint8_t mover_of(const hy_rows_successor *at)
{
    return at->mover;
}

static unsigned left_of(const hy_rows_successor *at)
{
    return at->left;
}

static uint64_t holes_of(const hy_search *search, const hy_rows_successor *at)
{
    uint64_t filled = hy_row_filled(hy_rows_row(at->rows, at->mover));
    return (uint64_t)hy_row_mask(filled) << (at->mover == HY_SOUTH ? 0 : search->rules->holes);
}

/* Steps (c) to (e) of rules/ply.h, after a capture or not; `player` gets what is claimed. */
static bool ends(const hy_rules *rules, bool captured, hy_player mover, hy_rows_successor *after)
{
    if (captured && after->left > 0 && after->left <= rules->claim) {
        bool own = rules->claim_by != HY_CLAIM_STARTER || mover == HY_SOUTH;
        after->gain += own ? after->left : -(int32_t)after->left;
        return true;
    }
    return after->left < rules->casa;
}

/* Step (g), where the player to move has no hole; whether that ends the game. */
static bool settle_without_move(const hy_rules *rules, hy_player mover, hy_rows_successor *after)
{
    hy_player waiting = hy_opponent((hy_player)after->mover);
    if (rules->no_move == HY_NO_MOVE_SWEEP) {
        after->gain += waiting == mover ? after->left : -(int32_t)after->left;
        return true;
    }
    after->extra = false;
    after->mover = (uint8_t)waiting;
    return hy_rows_row(after->rows, waiting) == 0;
}

static void play(const hy_search *search, const hy_rows_successor *at, unsigned hole,
                 hy_rows_successor *after)
{
    const hy_rows_sower *sower = search->sower;
    const hy_rules *rules = &sower->rules;
    hy_player mover = (hy_player)at->mover;
    hy_rows rows = {hy_hidden(at->rows.south), hy_hidden(at->rows.north)};
    unsigned casas, taken;
    hy_ending ending =
        hy_rows_sow(sower, &rows, mover, hy_rows_place(rules, hole), search->max_laps, &casas);
    taken = casas * rules->casa;
    after->rows = rows;
    after->hole = (uint8_t)hole;
    after->gain = (int32_t)taken;
    after->left = (uint16_t)(at->left - taken);
    after->captured = casas > 0;
    after->extra = casas > 0 && rules->extra_turn;
    after->mover = (uint8_t)(after->extra ? mover : hy_opponent(mover));
    after->over = ending == HY_ENDING_ENDLESS || ending == HY_ENDING_UNRESOLVED ||
                  ends(rules, casas > 0, mover, after);
    if (!after->over && hy_rows_row(rows, after->mover) == 0)
        after->over = settle_without_move(rules, mover, after);
    after->same_mover = after->mover == mover;
    after->gain *= HY_SEARCH_UNIT;
}

static int32_t evaluate(const hy_search *search, const hy_rows_successor *at)
{
    if (search->evaluation == HY_EVALUATION_CAPTURED)
        return 0;
    uint64_t own = hy_row_filled(hy_rows_row(at->rows, at->mover));
    uint64_t other = hy_row_filled(hy_rows_row(at->rows, !at->mover));
    return hy_search_expect((int32_t)hy_row_num(own) - (int32_t)hy_row_num(other), at->left);
}

static hy_search_key key_of(const hy_search *search, const hy_rows_successor *at)
{
    uint64_t salt = search->rules->repetition > 0 ? hy_search_path_salt(search) : 0;
    return hy_search_key_of_rows(search->rules, at->rows, at->mover, salt);
}

static hy_search_key plain_key(const hy_search *search, const hy_rows_successor *at)
{
    return hy_search_key_of_rows(search->rules, at->rows, at->mover, 0);
}

/* With a salt in the key, it fetches in vain. */
static void fetch_entry(const hy_search *search, const hy_rows_successor *successor)
{
    if (!successor->over)
        hy_search_table_fetch(search->table, plain_key(search, successor));
}

static bool is_known(const hy_search *search, const hy_rows_successor *at, int32_t *value)
{
    (void)search;
    (void)at;
    (void)value;
    return false;
}

/* How often the position occurred in the game before the search. */
static unsigned times_in_game(const hy_search *search, const hy_rows_successor *at)
{
    const hy_choice *root = search->root;
    if (at->captured || !search->history_counts || !root->times)
        return 0;
    hy_position position = {.left = at->left, .mover = at->mover};
    hy_rows_unpack(search->rules, at->rows, position.board);
    return root->times(root->history, &position);
}

static bool is_repeated(hy_search *search, const hy_rows_successor *successor)
{
    return hy_search_enter(search, plain_key(search, successor), successor->captured,
                           times_in_game(search, successor));
}

static int32_t value_repeated(const hy_search *search, const hy_rows_successor *successor)
{
    (void)search;
    return successor->gain;
}

static hy_rows_successor in_rows(const hy_search *search, const hy_successor *general)
{
    return (hy_rows_successor){
        .rows = hy_rows_of(search->rules, general->position.board),
        .gain = general->gain,
        .left = general->position.left,
        .mover = general->position.mover,
        .hole = general->hole,
        .over = general->over,
        .same_mover = general->same_mover,
        .extra = general->extra,
        .captured = general->captured,
    };
}

int32_t hy_search_ply_in_rows(hy_search *search, const hy_successor *successor, hy_horizon horizon,
                              int32_t alpha, int32_t beta)
{
    hy_rows_successor at = in_rows(search, successor);
    return search_ply(search, &at, horizon, alpha, beta);
}

int32_t hy_search_value_in_rows(hy_search *search, const hy_successor *general, hy_horizon horizon,
                                int32_t alpha, int32_t beta)
{
    hy_rows_successor at = in_rows(search, general);
    return value_of(search, &at, horizon, alpha, beta);
}
