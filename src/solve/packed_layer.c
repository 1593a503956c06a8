/* The engine for boards that fit into a word. */
#include "solve/packed.h"

#define BATCH 32u   /* positions whose probes of smaller layers are on their way at once */
#define MAX_ROW 16u /* holes a row of a board that fits */
#define MAX_LAPS                                                                                   \
    64u /* longer sowings are left to the engine of the rules, which knows endless ones */

/* A position in step 1. */
typedef struct expansion {
    int base;
    unsigned open;
    unsigned legal;
} expansion;

/* A value to be fetched from a smaller layer. */
typedef struct probe {
    const int8_t *at;
    expansion *to;
    int gain; /* units */
    int sign;
} probe;

typedef struct batch {
    expansion positions[BATCH];
    probe probes[BATCH * MAX_ROW];
    unsigned num_probes;
} batch;

static void improve(expansion *position, int value)
{
    position->base = value > position->base ? value : position->base;
}

/* Takes the casas at `landing` and before it; returns the counters taken. */
static unsigned take(const hy_packed *packed, const hy_rules *rules, unsigned landing,
                     uint64_t *board)
{
    unsigned taken = 0, hole = landing;
    do {
        *board &= ~(packed->field << hole);
        taken += rules->casa;
        hole = hole > 0 ? hole - packed->bits : packed->width - packed->bits;
    } while (rules->chain_capture &&
             (packed->captures[hole] >> hy_packed_count(packed, *board, hole) & 1) != 0);
    return taken;
}

/* A sowing that ended with a capture. */
static void capture(hy_worker *worker, batch *all, expansion *to, unsigned landing, uint64_t board)
{
    const hy_layer_work *work = worker->work;
    const hy_packed *packed = work->packed;
    const hy_rules *rules = &work->endgame->rules;
    unsigned taken = take(packed, rules, landing, &board), left = work->counters - taken;
    int unit = work->endgame->unit;
    if (left <= rules->claim)
        improve(to, (int)work->counters / unit);
    else if (left < rules->casa)
        improve(to, (int)taken / unit);
    else {
        if (!rules->extra_turn)
            board = hy_packed_turn(packed, board);
        const int8_t *at = packed->below[left] + hy_packed_place(packed, board);
        __builtin_prefetch(at);
        all->probes[all->num_probes++] =
            (probe){at, to, (int)taken / unit, rules->extra_turn ? 1 : -1};
    }
}

/* A sowing that is too long to be followed here. */
static void sow_long(hy_worker *worker, expansion *to, uint64_t board, unsigned hole)
{
    hy_layer_work *work = worker->work;
    const hy_packed *packed = work->packed;
    uint8_t bytes[HY_MAX_BOARD];
    hy_option option;
    hy_packed_unpack(packed, board, bytes);
    hy_position position = hy_position_of_turned(&work->endgame->rules, bytes);
    hy_option_of(work->endgame, &position, packed->number[hole], work->max_laps, &option);
    switch (option.kind) {
    case HY_OPTION_ILLEGAL:
        to->legal--;
        return;
    case HY_OPTION_ENDS:
        improve(to, option.value / work->endgame->unit);
        return;
    case HY_OPTION_STAYS:
        to->open++;
        return;
    case HY_OPTION_UNRESOLVED:
        hy_work_fail_unresolved(work, &position, packed->number[hole]);
        return;
    }
}

HY_INLINE void sow(hy_worker *worker, batch *all, expansion *to, uint64_t before, unsigned hole)
{
    const hy_packed *packed = worker->work->packed;
    uint64_t board = before;
    unsigned at = hole, count = hy_packed_count(packed, board, at), laps = 0;
    to->legal++;
    do {
        unsigned lap = at << packed->bits | count;
        board += packed->add[lap];
        at = packed->landing[lap];
        count = hy_packed_count(packed, board, at);
    } while ((packed->ends[at] >> count & 1) == 0 && ++laps < MAX_LAPS);
    if (__builtin_expect(laps == MAX_LAPS, 0))
        sow_long(worker, to, before, hole);
    else if ((packed->captures[at] >> count & 1) != 0 && worker->work->endgame->rules.final_capture)
        capture(worker, all, to, at, board);
    else if (worker->work->counters < worker->work->endgame->rules.casa)
        improve(to, 0);
    else
        to->open++;
}

static uint8_t code_of(hy_layer_work *work, const expansion *position, uint64_t board)
{
    uint8_t bytes[HY_MAX_BOARD];
    if (position->legal > 0)
        return hy_code_of(&work->codes, position->base, position->open);
    hy_packed_unpack(work->packed, board, bytes);
    hy_position unpacked = hy_position_of_turned(&work->endgame->rules, bytes);
    return hy_code_without_move(work, &unpacked);
}

HY_INLINE void expand_position(hy_worker *worker, batch *all, unsigned i, uint64_t board)
{
    const hy_packed *packed = worker->work->packed;
    uint64_t filled = packed->top & packed->row & ~hy_packed_empty(packed, board);
    expansion *to = &all->positions[i];
    *to = (expansion){.base = hy_codes_no_base(&worker->work->codes)};
    for (; filled; filled &= filled - 1)
        sow(worker, all, to, board, (unsigned)__builtin_ctzll(filled) + 1 - packed->bits);
}

static uint64_t board_at(const hy_layer_work *work, uint64_t place)
{
    uint8_t bytes[HY_MAX_BOARD];
    hy_index_unrank(&work->endgame->index, work->counters, place, bytes);
    return hy_packed_of(work->packed, bytes);
}

static void expand(hy_worker *worker, uint64_t first, uint64_t end)
{
    hy_layer_work *work = worker->work;
    uint64_t board = board_at(work, first), boards[BATCH];
    batch all;
    for (uint64_t place = first; place < end; place += BATCH) {
        unsigned num = end - place < BATCH ? (unsigned)(end - place) : BATCH;
        all.num_probes = 0;
        for (unsigned i = 0; i < num; i++) {
            boards[i] = board;
            expand_position(worker, &all, i, board);
            if (place + i + 1 < end)
                board = hy_packed_next(work->packed, board);
        }
        for (unsigned i = 0; i < all.num_probes; i++) {
            const probe *due = &all.probes[i];
            improve(due->to, due->gain + due->sign * *due->at);
        }
        for (unsigned i = 0; i < num; i++)
            work->table[place + i] = code_of(work, &all.positions[i], boards[i]);
    }
}

HY_INLINE void tell(hy_worker *worker, uint64_t board, const uint8_t *news)
{
    hy_tell(worker, hy_packed_place(worker->work->packed, board), board, news);
}

/* The positions from which a sowing came to `board` by a lap that ended in `landing`. */
static void undo_from(hy_worker *worker, uint64_t board, unsigned landing, const uint8_t *news);

/* One lap has been undone: `hole` was picked up. Whether another lap can have ended there. */
HY_INLINE bool tell_and_go_on(hy_worker *worker, uint64_t board, unsigned hole, const uint8_t *news)
{
    const hy_packed *packed = worker->work->packed;
    if (hole < packed->width / 2)
        tell(worker, board, news);
    return (packed->ends[hole] >> hy_packed_count(packed, board, hole) & 1) == 0;
}

/* Laps of a whole round or more, after which no hole is empty: every length is tried. A hole that
 * would get more than it holds makes the difference borrow, so the fields are compared one by one.
 */
static __attribute__((noinline)) void undo_rounds(hy_worker *worker, uint64_t board,
                                                  unsigned landing, const uint8_t *news)
{
    const hy_packed *packed = worker->work->packed;
    unsigned size = packed->size;
    for (unsigned count = size; count <= packed->counters; count++) {
        unsigned number = (packed->number[landing] + size * 2 - count % size) % size;
        unsigned hole = number * packed->bits, i = 0;
        if (hy_packed_count(packed, board, hole) != count / size)
            continue;
        while (i < size &&
               hy_packed_count(packed, board, i * packed->bits) >=
                   count / size + (i != number && (i + size - number) % size <= count % size))
            i++;
        if (i < size)
            continue;
        uint64_t before = board - packed->add[hole << packed->bits | count];
        if (tell_and_go_on(worker, before, hole, news))
            undo_from(worker, before, hole, news);
    }
}

static void undo_from(hy_worker *worker, uint64_t board, unsigned landing, const uint8_t *news)
{
    const hy_packed *packed = worker->work->packed;
    bool goes_on;
    do {
        uint64_t empty = hy_packed_empty(packed, board);
        if (__builtin_expect(empty == 0, 0)) {
            undo_rounds(worker, board, landing, news);
            return;
        }
        unsigned hole = hy_packed_behind(packed, empty, landing);
        board -= packed->spans[hole << 6 | landing];
        goes_on = tell_and_go_on(worker, board, hole, news);
        landing = hole;
    } while (goes_on);
}

/* A position in which the mover had no move, so that `settled` came by a pass. */
static __attribute__((noinline)) bool was_pass(const hy_layer_work *work, uint64_t before)
{
    uint8_t bytes[HY_MAX_BOARD];
    hy_packed_unpack(work->packed, before, bytes);
    hy_position position = hy_position_of_turned(&work->endgame->rules, bytes);
    if (work->endgame->rules.no_move != HY_NO_MOVE_PASS)
        return false;
    if ((before & work->packed->row) != 0 && !hy_all_forbidden(work, &position))
        return false;
    position.mover = HY_NORTH;
    return !hy_all_forbidden(work, &position);
}

HY_INLINE void predecessors(hy_worker *worker, uint64_t settled, const uint8_t *news)
{
    const hy_layer_work *work = worker->work;
    const hy_packed *packed = work->packed;
    const hy_rules *rules = &work->endgame->rules;
    uint64_t board = hy_packed_turn(packed, settled);
    bool may_be_pass = (board & packed->row) == 0 || rules->endless == HY_ENDLESS_FORBID;
    if (__builtin_expect(may_be_pass, 0) && was_pass(work, board))
        tell(worker, board, news);
    uint64_t ends = rules->relay ? hy_packed_empty(packed, board ^ packed->one)
                                 : packed->top & ~hy_packed_empty(packed, board);
    for (; ends; ends &= ends - 1) {
        unsigned landing = packed->hole[__builtin_ctzll(ends)];
        unsigned count = hy_packed_count(packed, board, landing);
        bool captures = rules->final_capture && (packed->captures[landing] >> count & 1) != 0;
        if (rules->relay || count == 1 || !captures)
            undo_from(worker, board, landing, news);
    }
}

static void drain(hy_worker *worker)
{
    hy_drain_by(worker, predecessors);
}

/* Positions that settle are few or many; a board is found from the one before if that is near. */
static void settle(hy_worker *worker, uint64_t first, uint64_t end)
{
    hy_layer_work *work = worker->work;
    uint64_t board = 0, known = HY_NO_PLACE;
    for (uint64_t row = first; row < end; row += 64) {
        if (end - row >= 64 && !hy_any_settles(worker, row))
            continue;
        for (uint64_t place = row; place < end && place < row + 64; place++) {
            unsigned which;
            if (!hy_settles(worker, place, &which))
                continue;
            if (known > place || place - known > 32)
                board = board_at(work, place);
            else
                for (; known < place; known++)
                    board = hy_packed_next(work->packed, board);
            known = place;
            hy_push(worker, which, board);
        }
        if (worker->stacks[0].num + worker->stacks[1].num > 256)
            drain(worker);
    }
    drain(worker);
}

const hy_layer_engine hy_packed_engine = {expand, settle, drain};
