#include "policy/mcts_playout.h"

#include <assert.h>
#include <math.h>

#include "policy/mcts_rows.h"
#include "policy/playout.h"

#define HALF_PI 1.5707963267948966

hy_mcts_outcome hy_mcts_outcome_of(const hy_mcts_playouts *playouts, hy_result result,
                                   int32_t difference)
{
    hy_mcts_outcome outcome = {.points = HY_MCTS_WIN / 2, .difference = difference};
    if (playouts->for_counters) {
        int64_t share = (int64_t)difference * (HY_MCTS_WIN / 2) / (int64_t)playouts->total;
        outcome.points = (uint32_t)(HY_MCTS_WIN / 2 + share);
    } else if (result == HY_RESULT_SOUTH) {
        outcome.points = HY_MCTS_WIN;
    } else if (result == HY_RESULT_NORTH) {
        outcome.points = 0;
    }
    return outcome;
}

uint32_t hy_mcts_estimate(const hy_mcts_playouts *playouts, int32_t difference, unsigned left)
{
    double lead = difference;
    double square = lead * lead;
    double spread = HALF_PI * playouts->rules.casa * left;
    if (lead > left || -lead > left)
        return lead > 0 ? HY_MCTS_WIN : 0;
    if (!(square + spread > 0))
        return HY_MCTS_WIN / 2;
    double share = 0.5 + 0.5 * (lead / sqrt(square + spread));
    return (uint32_t)(share * HY_MCTS_WIN);
}

hy_mcts_outcome hy_mcts_outcome_at(const hy_mcts_playouts *playouts, const hy_position *end,
                                   hy_termination termination)
{
    int32_t difference = (int32_t)end->score[HY_SOUTH] - (int32_t)end->score[HY_NORTH];
    hy_mcts_outcome outcome = hy_mcts_outcome_of(
        playouts, hy_game_result(&playouts->rules, end, termination), difference);
    if (termination == HY_TRUNCATED && !playouts->for_counters)
        outcome.points = hy_mcts_estimate(playouts, difference, end->left);
    return outcome;
}

static hy_mcts_outcome play_fast(const hy_mcts_playouts *playouts, const hy_position *start,
                                 hy_stream *stream)
{
    hy_playout_terms terms = {
        .rules = &playouts->rules,
        .max_laps = playouts->max_laps,
        .max_plies = playouts->max_plies,
        .until_decided = hy_mcts_stops_when_decided(playouts),
    };
    hy_stream *const streams[3] = {stream, stream, stream};
    hy_game_record record;
    hy_status status = hy_playout_play(&terms, start, streams, NULL, &record, NULL);
    assert(status == HY_OK);
    (void)status;
    hy_position end = {
        .score = {(uint16_t)record.score[HY_SOUTH], (uint16_t)record.score[HY_NORTH]},
        .left = (uint16_t)(playouts->total - record.score[HY_SOUTH] - record.score[HY_NORTH]),
    };
    hy_mcts_outcome outcome = hy_mcts_outcome_at(playouts, &end, record.termination);
    outcome.plies = record.plies;
    return outcome;
}

/* The hole that wins the mover most at once. */
static unsigned greedy_hole(const hy_mcts_playouts *playouts, const hy_position *position,
                            const hy_moves *moves, hy_stream *stream)
{
    hy_moves best = {0};
    unsigned most = 0, mover = position->mover;
    for (unsigned i = 0; i < moves->num; i++) {
        hy_position after;
        hy_ply ply;
        hy_ply_play(&playouts->rules, position, moves->hole[i], playouts->max_laps, &after, &ply);
        unsigned won = (unsigned)(after.score[mover] - position->score[mover]);
        if (won > most) {
            most = won;
            best.num = 0;
        }
        if (won == most)
            best.hole[best.num++] = moves->hole[i];
    }
    return best.hole[best.num > 1 ? hy_stream_below(stream, best.num) : 0];
}

static unsigned next_hole(const hy_mcts_playouts *playouts, const hy_position *position,
                          const hy_moves *moves, hy_stream *stream)
{
    if (moves->num == 1)
        return moves->hole[0];
    if (playouts->greedy)
        return greedy_hole(playouts, position, moves, stream);
    return moves->hole[hy_stream_below(stream, moves->num)];
}

static hy_mcts_outcome play_by_plies(const hy_mcts_playouts *playouts, const hy_position *start,
                                     hy_stream *stream)
{
    const hy_rules *rules = &playouts->rules;
    bool until_decided = hy_mcts_stops_when_decided(playouts);
    hy_position positions[2] = {*start};
    hy_position *position = &positions[0], *after = &positions[1];
    hy_moves moves;
    uint32_t passes = 0, plies = 0;
    hy_termination termination;
    for (;;) {
        hy_ply ply;
        termination = hy_settle(rules, playouts->max_laps, position, &moves, &passes);
        if (termination == HY_GOES_ON && plies >= playouts->max_plies)
            termination = HY_TRUNCATED;
        if (termination != HY_GOES_ON)
            break;
        plies++;
        unsigned hole = next_hole(playouts, position, &moves, stream);
        hy_ply_play(rules, position, hole, playouts->max_laps, after, &ply);
        if (ply.termination == HY_GOES_ON && until_decided && hy_mcts_is_decided(after))
            ply.termination = HY_TRUNCATED;
        hy_position *swap = position;
        position = after;
        after = swap;
        termination = ply.termination;
        if (termination != HY_GOES_ON)
            break;
    }
    hy_mcts_outcome outcome = hy_mcts_outcome_at(playouts, position, termination);
    outcome.plies = plies;
    return outcome;
}

hy_mcts_outcome hy_mcts_play_on(const hy_mcts_playouts *playouts, const hy_position *start,
                                hy_stream *stream)
{
    if (hy_mcts_plays_in_rows(playouts) && start->left <= HY_ROWS_MAX_COUNTERS) {
        hy_mcts_spot spot = hy_mcts_spot_of(&playouts->rules, start);
        return hy_mcts_play_in_rows(playouts, &spot, stream);
    }
    if (!playouts->greedy && hy_playout_handles(&playouts->rules, start))
        return play_fast(playouts, start, stream);
    return play_by_plies(playouts, start, stream);
}

hy_mcts_outcome hy_mcts_play_on_in_rows(const hy_mcts_playouts *playouts, const hy_mcts_spot *start,
                                        hy_stream *stream)
{
    if (hy_mcts_plays_in_rows(playouts))
        return hy_mcts_play_in_rows(playouts, start, stream);
    hy_position position = hy_mcts_spot_unpack(&playouts->rules, start);
    return hy_mcts_play_on(playouts, &position, stream);
}
