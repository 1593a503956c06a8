#include "solve/iterate.h"

#include <limits.h>
#include <string.h>

typedef struct iteration {
    const hy_endgame *endgame;
    uint64_t max_laps;
    const int8_t *values;
} iteration;

static int value_of_next(const iteration *it, const hy_position *position, hy_player mover)
{
    const hy_rules *rules = &it->endgame->rules;
    uint8_t turned[HY_MAX_BOARD];
    hy_turn_to_mover(rules, position->board, mover, turned);
    return it->values[hy_index_rank(&it->endgame->index, turned)] * it->endgame->unit;
}

/* The best value over the legal holes; *moves counts those. HY_FAILED: an unresolved sowing. */
static hy_status best_hole(const iteration *it, const hy_position *position, unsigned *moves,
                           int *best, hy_error *error)
{
    for (unsigned hole = 0; hole < it->endgame->rules.holes; hole++) {
        hy_option option;
        if (position->board[hole] == 0)
            continue;
        hy_option_of(it->endgame, position, hole, it->max_laps, &option);
        if (option.kind == HY_OPTION_UNRESOLVED)
            return hy_fail(error, HY_FAILED, "a sowing neither ends nor recurs within %llu laps",
                           (unsigned long long)it->max_laps);
        if (option.kind == HY_OPTION_ILLEGAL)
            continue;
        if (option.kind == HY_OPTION_STAYS)
            option.value = -value_of_next(it, &option.after, option.after.mover);
        if ((*moves)++ == 0 || option.value > *best)
            *best = option.value;
    }
    return HY_OK;
}

static hy_status value_of(const iteration *it, const hy_position *position, int *value,
                          hy_error *error)
{
    const hy_rules *rules = &it->endgame->rules;
    unsigned num = 0;
    hy_status status = best_hole(it, position, &num, value, error);
    if (status != HY_OK || num > 0)
        return status;
    hy_position passed = *position;
    hy_moves moves;
    uint32_t passes = 0;
    *value = 0;
    switch (hy_settle(rules, it->max_laps, &passed, &moves, &passes)) {
    case HY_SWEPT:
        *value = -(int)position->left;
        break;
    case HY_GOES_ON:
        if (position->left >= rules->casa)
            *value = -value_of_next(it, position, HY_NORTH);
        break;
    case HY_CLAIMED:
    case HY_EXHAUSTED:
    case HY_STUCK:
    case HY_REPETITION:
    case HY_ENDLESS:
    case HY_UNRESOLVED:
    case HY_TRUNCATED:
    case HY_NUM_TERMINATIONS:
        break;
    }
    return HY_OK;
}

/* Sets all values by those there are; *changed says whether any is another one now. */
static hy_status sweep(const iteration *it, const hy_layer *layer, const atomic_int *stop,
                       int8_t *values, bool *changed, hy_error *error)
{
    const hy_endgame *endgame = it->endgame;
    uint8_t board[HY_MAX_BOARD];
    hy_index_unrank(&endgame->index, layer->counters, 0, board);
    for (uint64_t place = 0; place < layer->num; place++) {
        hy_position position = hy_position_of_turned(&endgame->rules, board);
        int value = 0;
        hy_status status = value_of(it, &position, &value, error);
        if (status != HY_OK)
            return status;
        if (stop && atomic_load(stop) != 0)
            return hy_fail(error, HY_INTERRUPTED, "interrupted in the layer of %u counters",
                           layer->counters);
        *changed = *changed || values[place] * endgame->unit != value;
        values[place] = (int8_t)(value / endgame->unit);
        if (place + 1 < layer->num)
            hy_index_next(board);
    }
    return HY_OK;
}

hy_status hy_layer_iterate_from(const hy_endgame *endgame, unsigned counters, uint64_t max_laps,
                                unsigned max_sweeps, const atomic_int *stop, int8_t *values,
                                hy_error *error)
{
    iteration it = {endgame, max_laps, values};
    bool changed = true;
    for (unsigned n = 0; changed; n++) {
        changed = false;
        if (n == max_sweeps)
            return hy_fail(error, HY_FAILED, "the values still change");
        hy_status status =
            sweep(&it, hy_endgame_layer(endgame, counters), stop, values, &changed, error);
        if (status != HY_OK)
            return status;
    }
    return HY_OK;
}

hy_status hy_layer_iterate(const hy_endgame *endgame, unsigned counters, uint64_t max_laps,
                           const atomic_int *stop, int8_t *values, hy_error *error)
{
    memset(values, 0, hy_endgame_layer(endgame, counters)->num);
    return hy_layer_iterate_from(endgame, counters, max_laps, UINT_MAX, stop, values, error);
}
