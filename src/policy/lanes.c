#include "policy/lanes.h"

#include "base/hash.h"
#include "policy/lanes_game.h"
#include "policy/lanes_paths.h"

void hy_lane_image_begin(const hy_playout_terms *terms, hy_lane_image *image)
{
    hy_position start = hy_position_start(terms->rules);
    *image = (hy_lane_image){.columns = {0}};
    for (unsigned hole = 0; hole < HY_MAX_BOARD; hole++)
        image->board[hole] = start.board[hole];
    image->columns[HY_COLUMN_MOVER] = start.mover;
    image->columns[HY_COLUMN_LEFT] = start.left;
    image->columns[HY_COLUMN_OPENING_LEFT] = (uint16_t)terms->opening_plies;
    image->columns[HY_COLUMN_PLIES_LEFT] =
        (uint16_t)(terms->max_plies < HY_LANES_GRANT ? terms->max_plies : HY_LANES_GRANT);
}

void hy_lane_record(const hy_playout_terms *terms, const hy_lane_game *game,
                    const hy_lane_image *image, hy_termination termination, uint64_t laps,
                    hy_game_record *record)
{
    const uint16_t *columns = image->columns;
    const unsigned carry = hy_rules_total(terms->rules) <= UINT8_MAX ? 1u << 8 : 1u << 16;
    record->number = game->number;
    record->termination = termination;
    record->score[HY_SOUTH] = columns[HY_COLUMN_SOUTH_SCORE];
    record->score[HY_NORTH] = columns[HY_COLUMN_NORTH_SCORE];
    record->plies = game->plies + game->granted - columns[HY_COLUMN_PLIES_LEFT];
    record->turns = game->turns + columns[HY_COLUMN_TURNS];
    record->passes = game->passes + columns[HY_COLUMN_PASSES];
    record->laps = laps;
    record->counters = game->counters + columns[HY_COLUMN_COUNTERS_LOW] +
                       (uint64_t)columns[HY_COLUMN_COUNTERS_HIGH] * carry;
    record->captures = columns[HY_COLUMN_CAPTURES];
    record->casas = (uint32_t)columns[HY_COLUMN_CAPTURED] / terms->rules->casa;
    record->chains = game->chains;
    record->longest_chain = game->longest_chain;
    record->longest_turn = columns[HY_COLUMN_LONGEST_TURN];
    record->lead_changes = columns[HY_COLUMN_LEAD_CHANGES];
    record->legal_holes =
        game->legal_holes + columns[HY_COLUMN_LEGAL_LOW] + columns[HY_COLUMN_LEGAL_HIGH] * carry;
    record->decision_plies = game->decision_plies + columns[HY_COLUMN_DECISIONS];
    record->south_captures = columns[HY_COLUMN_SOUTH_CAPTURES];
    record->south_chains = game->south_chains;
    record->claimed = columns[HY_COLUMN_CLAIMED];
    record->move_hash = game->move_hash;
    for (unsigned i = 0; i <= HY_MAX_CHAIN; i++)
        record->chain_count[i] = game->chain_count[i];
    hy_position end = {
        .score = {(uint16_t)record->score[HY_SOUTH], (uint16_t)record->score[HY_NORTH]}};
    record->result = hy_game_result(terms->rules, &end, termination);
}

bool hy_lanes_handle(const hy_playout_terms *terms)
{
    const hy_rules *rules = terms->rules;
    return rules->repetition == 0 && rules->endless == HY_ENDLESS_ANNUL &&
           terms->opening_plies <= UINT8_MAX && terms->max_laps > HY_LANES_MIN_LAPS &&
           !terms->until_decided;
}

void hy_lanes_paths(const hy_rules *rules, hy_lanes_path paths[HY_MAX_LANES_PATHS])
{
    bool wide = hy_rules_total(rules) > UINT8_MAX;
    unsigned num = 0;
#if defined __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("bmi2"))
        paths[num++] =
            wide ? (hy_lanes_path){"32 games in AVX-512 registers", 32, hy_lanes_play_wide_512}
                 : (hy_lanes_path){"64 games in AVX-512 registers", 64, hy_lanes_play_512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        paths[num++] =
            wide ? (hy_lanes_path){"16 games in AVX2 registers", 16, hy_lanes_play_wide_256}
                 : (hy_lanes_path){"32 games in AVX2 registers", 32, hy_lanes_play_256};
#endif
    paths[num++] = wide ? (hy_lanes_path){"8 games in 128-bit registers", 8, hy_lanes_play_wide_128}
                        : (hy_lanes_path){"16 games in 128-bit registers", 16, hy_lanes_play_128};
    paths[num] = (hy_lanes_path){0};
}

hy_status hy_lanes_play(const hy_lanes_job *job, hy_error *error)
{
    hy_lanes_path paths[HY_MAX_LANES_PATHS];
    hy_lanes_paths(job->terms->rules, paths);
    return paths[0].play(job, error);
}
