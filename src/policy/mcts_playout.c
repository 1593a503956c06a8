#include "policy/mcts_playout.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

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

/* The outcome of a game that ended so, or was cut. */
static hy_mcts_outcome outcome_of(const hy_mcts_playouts *playouts, const hy_position *end,
                                  hy_termination termination)
{
    int32_t difference = (int32_t)end->score[HY_SOUTH] - (int32_t)end->score[HY_NORTH];
    hy_mcts_outcome outcome = hy_mcts_outcome_of(
        playouts, hy_game_result(&playouts->rules, end, termination), difference);
    if (termination == HY_TRUNCATED && !playouts->for_counters)
        outcome.points = hy_mcts_estimate(playouts, difference, end->left);
    return outcome;
}

static bool stops_when_decided(const hy_mcts_playouts *playouts)
{
    return !playouts->for_counters && !playouts->void_ends;
}

static hy_mcts_outcome play_fast(const hy_mcts_playouts *playouts, const hy_position *start,
                                 hy_stream *stream)
{
    hy_playout_terms terms = {
        .rules = &playouts->rules,
        .max_laps = playouts->max_laps,
        .max_plies = playouts->max_plies,
        .until_decided = stops_when_decided(playouts),
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
    hy_mcts_outcome outcome = outcome_of(playouts, &end, record.termination);
    outcome.plies = record.plies;
    return outcome;
}

/* A game of random play on a board in registers. It is sown as if the mover were south, which makes
 * no difference; so the row of the mover is always in the same register. */
typedef struct hy_rows_game {
    hy_rows rows; /* the mover's first */
    unsigned mover;
    unsigned left;
    int32_t difference; /* south's counters less north's */
} hy_rows_game;

bool hy_mcts_handles_rows(const hy_rules *rules)
{
    return hy_rows_handles(rules, 0) && rules->endless == HY_ENDLESS_ANNUL;
}

HY_INLINE void give(hy_rows_game *game, unsigned player, unsigned counters)
{
    game->difference += player == HY_SOUTH ? (int32_t)counters : -(int32_t)counters;
    game->left -= counters;
}

HY_INLINE void change_mover(hy_rows_game *game)
{
    game->rows = (hy_rows){game->rows.north, game->rows.south};
    game->mover ^= 1;
}

/* Books a capture; steps (b) to (e) of rules/ply.h. */
HY_INLINE hy_termination capture(const hy_mcts_playouts *playouts, hy_rows_game *game,
                                 unsigned counters)
{
    const hy_rules *rules = &playouts->sower->rules;
    give(game, game->mover, counters);
    if (game->left > 0 && game->left <= rules->claim) {
        give(game, rules->claim_by == HY_CLAIM_STARTER ? HY_SOUTH : game->mover, game->left);
        return HY_CLAIMED;
    }
    if (game->left < rules->casa)
        return HY_EXHAUSTED;
    return stops_when_decided(playouts) && abs(game->difference) > (int32_t)game->left
               ? HY_TRUNCATED
               : HY_GOES_ON;
}

/* Plays a hole of the mover's row, up to step (f). */
HY_INLINE hy_termination play_hole(const hy_mcts_playouts *playouts, hy_rows_game *game,
                                   unsigned hole)
{
    const hy_rules *rules = &playouts->sower->rules;
    hy_termination termination = HY_GOES_ON;
    unsigned casas;
    hy_ending ending =
        hy_rows_sow(playouts->sower, &game->rows, HY_SOUTH, hole, playouts->max_laps, &casas);
    if (__builtin_expect(ending == HY_ENDING_ENDLESS || ending == HY_ENDING_UNRESOLVED, 0))
        return ending == HY_ENDING_ENDLESS ? HY_ENDLESS : HY_UNRESOLVED;
    if (casas > 0)
        termination = capture(playouts, game, casas * rules->casa);
    if (casas == 0 || !rules->extra_turn)
        change_mover(game);
    return termination;
}

/* Step (g), where the player to move has no hole; the opponent has one. */
HY_INLINE hy_termination pass(const hy_mcts_playouts *playouts, hy_rows_game *game)
{
    change_mover(game);
    if (playouts->sower->rules.no_move != HY_NO_MOVE_SWEEP)
        return HY_GOES_ON;
    give(game, game->mover, game->left);
    return HY_SWEPT;
}

/* As play_fast, with the same draws. */
static hy_mcts_outcome play_in_rows(const hy_mcts_playouts *playouts, const hy_position *start,
                                    hy_stream *stream)
{
    const hy_rows rows = hy_rows_of(&playouts->rules, start->board);
    hy_rows_game game = {
        .rows = start->mover == HY_SOUTH ? rows : (hy_rows){rows.north, rows.south},
        .mover = start->mover,
        .left = start->left,
        .difference = (int32_t)start->score[HY_SOUTH] - (int32_t)start->score[HY_NORTH],
    };
    uint32_t plies = 0;
    hy_termination termination = game.left < playouts->rules.casa ? HY_EXHAUSTED : HY_GOES_ON;
    while (termination == HY_GOES_ON) {
        uint64_t filled = hy_row_filled(game.rows.south);
        unsigned num = hy_row_num(filled);
        if (__builtin_expect(num == 0, 0)) {
            termination = pass(playouts, &game);
            continue;
        }
        unsigned index = num > 1 ? hy_stream_below(stream, num) : 0;
        if (plies >= playouts->max_plies) {
            termination = HY_TRUNCATED;
            break;
        }
        plies++;
        unsigned hole = playouts->sower->filled[hy_row_mask(filled) * 8 + index];
        termination = play_hole(playouts, &game, hole);
    }
    int32_t captured = (int32_t)playouts->total - (int32_t)game.left;
    hy_position end = {
        .score = {(uint16_t)((captured + game.difference) / 2),
                  (uint16_t)((captured - game.difference) / 2)},
        .left = (uint16_t)game.left,
    };
    hy_mcts_outcome outcome = outcome_of(playouts, &end, termination);
    outcome.plies = plies;
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
    bool until_decided = stops_when_decided(playouts);
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
    hy_mcts_outcome outcome = outcome_of(playouts, position, termination);
    outcome.plies = plies;
    return outcome;
}

hy_mcts_outcome hy_mcts_play_on(const hy_mcts_playouts *playouts, const hy_position *start,
                                hy_stream *stream)
{
    if (!playouts->greedy && playouts->sower && start->left <= HY_ROWS_MAX_COUNTERS)
        return play_in_rows(playouts, start, stream);
    if (!playouts->greedy && hy_playout_handles(&playouts->rules, start))
        return play_fast(playouts, start, stream);
    return play_by_plies(playouts, start, stream);
}
