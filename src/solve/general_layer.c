/* The engine for any rules and board: plies by the rules' own engine, undone by hy_unsow. A
 * position's handle is its place. */
#include <string.h>

#include "solve/settle.h"
#include "solve/unsow.h"

static uint8_t code_of(hy_layer_work *work, const hy_position *position)
{
    const hy_endgame *endgame = work->endgame;
    int base = hy_codes_no_base(&work->codes);
    unsigned open = 0, legal = 0;
    for (unsigned hole = 0; hole < endgame->rules.holes; hole++) {
        hy_option option;
        if (position->board[hole] == 0)
            continue;
        hy_option_of(endgame, position, hole, work->max_laps, &option);
        int value = option.value / endgame->unit;
        legal += option.kind != HY_OPTION_ILLEGAL;
        open += option.kind == HY_OPTION_STAYS;
        if (option.kind == HY_OPTION_ENDS && value > base)
            base = value;
        if (option.kind == HY_OPTION_UNRESOLVED)
            hy_work_fail_unresolved(work, position, hole);
    }
    return legal > 0 ? hy_code_of(&work->codes, base, open) : hy_code_without_move(work, position);
}

static void expand(hy_worker *worker, uint64_t first, uint64_t end)
{
    hy_layer_work *work = worker->work;
    uint8_t board[HY_MAX_BOARD];
    hy_index_unrank(&work->endgame->index, work->counters, first, board);
    for (uint64_t place = first; place < end; place++) {
        hy_position position = hy_position_of_turned(&work->endgame->rules, board);
        work->table[place] = code_of(work, &position);
        if (place + 1 < end)
            hy_index_next(board);
    }
}

typedef struct messenger {
    hy_worker *worker;
    const uint8_t *news;
} messenger;

static void tell(void *context, const uint8_t *before, unsigned hole)
{
    const messenger *self = context;
    uint64_t place = hy_index_rank(&self->worker->work->endgame->index, before);
    (void)hole;
    hy_tell(self->worker, place, place, self->news);
}

/* Whether the mover of `before` had no move, while the other player has. */
static bool was_pass(const hy_layer_work *work, const uint8_t *before)
{
    const hy_rules *rules = &work->endgame->rules;
    hy_position position = hy_position_of_turned(rules, before);
    unsigned row = 0;
    for (unsigned hole = 0; hole < rules->holes; hole++)
        row += before[hole];
    if (rules->no_move != HY_NO_MOVE_PASS || (row > 0 && !hy_all_forbidden(work, &position)))
        return false;
    position.mover = HY_NORTH;
    return !hy_all_forbidden(work, &position);
}

static void predecessors(hy_worker *worker, uint64_t settled, const uint8_t *news)
{
    const hy_layer_work *work = worker->work;
    messenger self = {worker, news};
    uint8_t board[HY_MAX_BOARD], turned[HY_MAX_BOARD];
    unsigned holes = work->endgame->rules.holes;
    hy_index_unrank(&work->endgame->index, work->counters, settled, board);
    memcpy(turned, board + holes, holes);
    memcpy(turned + holes, board, holes);
    if (was_pass(work, turned))
        tell(&self, turned, 0);
    hy_unsow(&work->endgame->rules, turned, tell, &self);
}

static void drain(hy_worker *worker)
{
    hy_drain_by(worker, predecessors);
}

static void settle(hy_worker *worker, uint64_t first, uint64_t end)
{
    for (uint64_t place = first; place < end; place++) {
        unsigned which;
        if (hy_settles(worker, place, &which)) {
            hy_push(worker, which, place);
            drain(worker);
        }
    }
}

const hy_layer_engine hy_general_engine = {expand, settle, drain};
