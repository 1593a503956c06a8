#include "solve/endgame.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "solve/tables.h"

static hy_status refuse(const char **key, const char *name, const char *why, hy_error *error)
{
    if (key)
        *key = name;
    return hy_fail(error, HY_INVALID,
                   "positions have no value of their own under '%s': %s; tables cannot be made",
                   name, why);
}

hy_status hy_solve_check_rules(const hy_rules *rules, const char **key, hy_error *error)
{
    if (rules->claim_by != HY_CLAIM_CAPTURER && rules->claim > 0)
        return refuse(key, "claim_by",
                      "with 'starter' it matters who is south (set 'capturer', or 'claim: 0')",
                      error);
    if (rules->unfinished != HY_UNFINISHED_SCORE)
        return refuse(key, "unfinished",
                      "with 'void' it matters what was captured before (set 'score')", error);
    if (rules->repetition != 0)
        return refuse(key, "repetition", "it matters what was played before (set 0)", error);
    return HY_OK;
}

static unsigned common_divisor(unsigned a, unsigned b)
{
    while (b > 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

hy_status hy_endgame_new(const hy_rules *rules, unsigned max_counters, hy_endgame **endgame,
                         hy_error *error)
{
    unsigned total = hy_rules_total(rules), first = total % rules->casa;
    hy_status status = hy_solve_check_rules(rules, NULL, error);
    if (status != HY_OK)
        return status;
    if (max_counters > HY_MAX_TABLE_COUNTERS)
        max_counters = HY_MAX_TABLE_COUNTERS;
    hy_endgame *made = hy_new_array(1, sizeof *made);
    if (!made)
        return hy_fail_memory(error);
    made->rules = *rules;
    made->unit = (int)common_divisor(rules->casa, total);
    made->first = first;
    made->max_layers = max_counters < first ? 0 : 1 + (max_counters - first) / rules->casa;
    made->layers = hy_new_array(made->max_layers, sizeof made->layers[0]);
    status = made->layers ? HY_OK : hy_fail_memory(error);
    if (status == HY_OK)
        status = hy_index_init(&made->index, 2u * rules->holes, max_counters, error);
    if (status != HY_OK) {
        hy_endgame_destroy(made);
        return status;
    }
    for (unsigned i = 0; i < made->max_layers; i++) {
        made->layers[i].counters = hy_layer_counters(made, i);
        made->layers[i].num = hy_index_count(&made->index, made->layers[i].counters);
    }
    *endgame = made;
    return HY_OK;
}

void hy_endgame_destroy(hy_endgame *endgame)
{
    if (!endgame)
        return;
    for (unsigned i = 0; endgame->layers && i < endgame->max_layers; i++) {
        if (endgame->layers[i].map)
            munmap(endgame->layers[i].map, endgame->layers[i].map_size);
    }
    free(endgame->layers);
    hy_index_clean_up(&endgame->index);
    free(endgame);
}

void *hy_map_memory(size_t size)
{
    return hy_new_pages(size);
}

const hy_rules *hy_endgame_rules(const hy_endgame *endgame)
{
    return &endgame->rules;
}

unsigned hy_endgame_max_counters(const hy_endgame *endgame)
{
    return endgame->num_layers > 0 ? hy_layer_counters(endgame, endgame->num_layers - 1) : 0;
}

bool hy_endgame_has(const hy_endgame *endgame, unsigned counters)
{
    return counters >= endgame->first && (counters - endgame->first) % endgame->rules.casa == 0 &&
           (counters - endgame->first) / endgame->rules.casa < endgame->num_layers;
}

unsigned hy_endgame_num_layers(const hy_endgame *endgame)
{
    return endgame->num_layers;
}

hy_layer_census hy_endgame_census(const hy_endgame *endgame, unsigned layer)
{
    const hy_layer *of = &endgame->layers[layer];
    hy_layer_census census = {.counters = of->counters, .positions = of->num};
    for (uint64_t i = 0; i < of->num; i++) {
        census.won += of->values[i] > 0;
        census.lost += of->values[i] < 0;
    }
    census.even = of->num - census.won - census.lost;
    return census;
}

int hy_endgame_probe(const hy_endgame *endgame, const uint8_t *turned, unsigned counters)
{
    uint64_t place = hy_index_rank(&endgame->index, turned);
    return hy_endgame_layer(endgame, counters)->values[place] * endgame->unit;
}

int hy_endgame_value(const hy_endgame *endgame, const uint16_t board[HY_MAX_BOARD], hy_player mover)
{
    uint8_t turned[HY_MAX_BOARD];
    unsigned counters = 0;
    for (unsigned i = 0; i < 2u * endgame->rules.holes; i++)
        counters += board[i];
    hy_turn_to_mover(&endgame->rules, board, mover, turned);
    return hy_endgame_probe(endgame, turned, counters);
}

hy_position hy_position_of_turned(const hy_rules *rules, const uint8_t *turned)
{
    hy_position position = {.mover = HY_SOUTH};
    for (unsigned i = 0; i < 2u * rules->holes; i++) {
        position.board[i] = turned[i];
        position.left = (uint16_t)(position.left + turned[i]);
    }
    return position;
}

void hy_option_of(const hy_endgame *endgame, const hy_position *position, unsigned hole,
                  uint64_t max_laps, hy_option *option)
{
    const hy_rules *rules = &endgame->rules;
    hy_player mover = position->mover, other = hy_opponent(mover);
    hy_position *after = &option->after;
    hy_ply ply;
    hy_ply_play(rules, position, hole, max_laps, after, &ply);
    option->value = (after->score[mover] - position->score[mover]) -
                    (after->score[other] - position->score[other]);
    option->kind = HY_OPTION_ENDS;
    if (ply.termination == HY_UNRESOLVED)
        option->kind = HY_OPTION_UNRESOLVED;
    else if (ply.termination == HY_ENDLESS && rules->endless == HY_ENDLESS_FORBID)
        option->kind = HY_OPTION_ILLEGAL;
    else if (ply.termination == HY_GOES_ON && !ply.captured)
        option->kind = HY_OPTION_STAYS;
    else if (ply.termination == HY_GOES_ON) {
        int rest = hy_endgame_value(endgame, after->board, after->mover);
        option->value += after->mover == mover ? rest : -rest;
    }
}

int hy_endgame_holes(const hy_endgame *endgame, const hy_position *position, const hy_moves *moves,
                     int values[HY_MAX_HOLES])
{
    int best = 0;
    for (unsigned i = 0; i < moves->num; i++) {
        hy_option option;
        hy_option_of(endgame, position, moves->hole[i], HY_DEFAULT_MAX_LAPS, &option);
        values[i] = option.value;
        if (option.kind == HY_OPTION_STAYS)
            values[i] = -hy_endgame_value(endgame, option.after.board, option.after.mover);
        if (i == 0 || values[i] > best)
            best = values[i];
    }
    return best;
}
