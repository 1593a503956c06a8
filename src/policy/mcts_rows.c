#include "policy/mcts_rows_laps.h"

#include <stdlib.h>
#include <string.h>

bool hy_mcts_plays_in_rows(const hy_mcts_playouts *playouts)
{
    return !playouts->greedy && playouts->rows && playouts->max_laps > HY_ROWS_MAX_STEPS;
}

bool hy_mcts_handles_rows(const hy_rules *rules)
{
    return hy_rows_handles(rules, 0) && rules->endless == HY_ENDLESS_ANNUL;
}

/* As hy_stream_below with any word of these highest bits, where all of them give the same. */
static unsigned pick_among(unsigned mask, uint32_t bits, const uint8_t *filled)
{
    uint64_t num = (unsigned)__builtin_popcount(mask);
    uint64_t first = (uint64_t)(bits << (32 - HY_PICK_BITS)) * num;
    uint64_t last = first + ((UINT64_C(1) << (32 - HY_PICK_BITS)) - 1) * num;
    if (num == 0)
        return HY_PICK_OPEN;
    bool redrawn = (uint32_t)first < (uint32_t)((UINT64_C(1) << 32) % num);
    if (num > 1 && (first >> 32 != last >> 32 || redrawn))
        return HY_PICK_OPEN;
    return 8u * filled[first >> 32] | (num > 1 ? HY_PICK_DRAWS : 0);
}

unsigned hy_rows_sow_usual(const hy_mcts_rows *tables, hy_rows_game *game, hy_rows_words *words)
{
    return hy_rows_sow_laps(tables, game, words, true);
}

unsigned hy_rows_sow_any(const hy_mcts_rows *tables, hy_rows_game *game, hy_rows_words *words)
{
    return hy_rows_sow_laps(tables, game, words, false);
}

void hy_mcts_rows_init(hy_mcts_rows *rows, const hy_rules *rules)
{
    hy_rows_sower_init(&rows->sower, rules);
    memset(rows->picks, HY_PICK_OPEN, sizeof rows->picks);
    for (uint32_t bits = 0; bits < 1u << HY_PICK_BITS; bits++) {
        for (unsigned mask = 0; mask < 1u << rules->holes; mask++)
            rows->picks[bits << rules->holes | mask] =
                (uint8_t)pick_among(mask, bits, rows->sower.filled + 8 * mask);
    }
    rows->sow_usual = hy_rows_sow_usual;
#if defined __x86_64__ /* the first two Zen have pext, but slow */
    if (__builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
        !__builtin_cpu_is("znver2"))
        rows->sow_usual = hy_rows_sow_usual_bmi2;
#endif
}

static void give(hy_rows_game *game, unsigned player, unsigned counters)
{
    game->difference += player == HY_SOUTH ? (int32_t)counters : -(int32_t)counters;
    game->left -= counters;
}

static void change_mover(hy_rows_game *game)
{
    game->rows = (hy_rows){game->rows.north, game->rows.south};
    game->mover ^= 1;
}

/* Books a capture; steps (b) to (e) of rules/ply.h. */
static hy_termination capture(const hy_mcts_playouts *playouts, hy_rows_game *game,
                              unsigned counters)
{
    const hy_rules *rules = &playouts->rules;
    give(game, game->mover, counters);
    if (game->left > 0 && game->left <= rules->claim) {
        give(game, rules->claim_by == HY_CLAIM_STARTER ? HY_SOUTH : game->mover, game->left);
        return HY_CLAIMED;
    }
    if (game->left < rules->casa)
        return HY_EXHAUSTED;
    return hy_mcts_stops_when_decided(playouts) && abs(game->difference) > (int32_t)game->left
               ? HY_TRUNCATED
               : HY_GOES_ON;
}

/* Step (g), where the player to move has no hole; the opponent has one. */
static hy_termination pass(const hy_mcts_playouts *playouts, hy_rows_game *game)
{
    change_mover(game);
    if (playouts->rules.no_move != HY_NO_MOVE_SWEEP)
        return HY_GOES_ON;
    give(game, game->mover, game->left);
    return HY_SWEPT;
}

/* Picks the hole of the next ply, or ends the game. */
static hy_termination begin_ply(const hy_mcts_playouts *playouts, hy_rows_game *game,
                                hy_stream *stream)
{
    if (game->rows.south == 0) {
        hy_termination termination = pass(playouts, game);
        if (termination != HY_GOES_ON)
            return termination;
    }
    uint64_t filled = hy_row_filled(game->rows.south);
    unsigned num = hy_row_num(filled);
    unsigned index = num > 1 ? hy_stream_below(stream, num) : 0;
    if (game->plies >= playouts->max_plies)
        return HY_TRUNCATED;
    game->plies++;
    game->place = playouts->rows->sower.filled[hy_row_mask(filled) * 8 + index];
    game->count = hy_rows_count(game->rows, game->place);
    return HY_GOES_ON;
}

/* Ends a ply that took casas, or not, and begins the next one or ends the game. */
static hy_termination end_ply(const hy_mcts_playouts *playouts, hy_rows_game *game, unsigned casas,
                              hy_stream *stream)
{
    const hy_rules *rules = &playouts->rules;
    hy_termination termination = HY_GOES_ON;
    if (casas > 0)
        termination = capture(playouts, game, casas * rules->casa);
    if (casas == 0 || !rules->extra_turn)
        change_mover(game);
    return termination == HY_GOES_ON ? begin_ply(playouts, game, stream) : termination;
}

/* Plays a ply that has begun and no lap of which is sown, and begins the next one. */
static hy_termination play_ply(const hy_mcts_playouts *playouts, hy_rows_game *game,
                               hy_stream *stream)
{
    unsigned casas;
    hy_rows rows = game->rows;
    hy_ending ending = hy_rows_sow(&playouts->rows->sower, &rows, HY_SOUTH, game->place,
                                   playouts->max_laps, &casas);
    if (ending == HY_ENDING_ENDLESS || ending == HY_ENDING_UNRESOLVED)
        return ending == HY_ENDING_ENDLESS ? HY_ENDLESS : HY_UNRESOLVED;
    game->rows = rows;
    return end_ply(playouts, game, casas, stream);
}

/* Looks the words of the stream up anew, where it has drawn others. */
static void renew(hy_rows_words *words, unsigned holes)
{
    const hy_stream *stream = words->stream;
    if (words->block == stream->counter[0])
        return;
    words->block = stream->counter[0];
    for (unsigned i = 0; i < HY_STREAM_WORDS; i++)
        words->rows[i] = (uint16_t)(stream->words[i] >> (32 - HY_PICK_BITS) << holes);
}

/* Plays some plies; the next one has begun when the game goes on. */
static hy_termination play_plies(const hy_mcts_playouts *playouts, hy_rows_game *game,
                                 hy_rows_words *words, hy_rows_laps *sow)
{
    const hy_rows_sower *sower = &playouts->rows->sower;
    const hy_rows_game begun = *game;
    const uint32_t next = words->stream->next;
    renew(words, sower->rules.holes);
    unsigned steps = sow(playouts->rows, game, words);
    if (__builtin_expect(steps == 0 || game->plies > playouts->max_plies, 0)) {
        uint32_t reached = game->plies;
        hy_termination termination = HY_GOES_ON;
        *game = begun;
        words->stream->next = next;
        while (termination == HY_GOES_ON && game->plies <= reached)
            termination = play_ply(playouts, game, words->stream);
        return termination;
    }
    unsigned casas = 0;
    if (game->count != 1 && hy_rows_is_taken(sower, HY_SOUTH, game->place, game->count)) {
        hy_rows rows = game->rows;
        casas = hy_rows_take(sower, &rows, HY_SOUTH, game->place);
        game->rows = rows;
    }
    return end_ply(playouts, game, casas, words->stream);
}

hy_mcts_outcome hy_mcts_play_in_rows(const hy_mcts_playouts *playouts, const hy_mcts_spot *start,
                                     hy_stream *stream)
{
    const hy_rules *rules = &playouts->rules;
    const hy_rows rows = start->rows;
    bool usual = rules->holes <= HY_ROWS_USUAL_HOLES && start->left <= HY_ROWS_USUAL_COUNTERS;
    hy_rows_laps *sow = usual ? playouts->rows->sow_usual : hy_rows_sow_any;
    hy_rows_words words = {.stream = stream, .block = stream->counter[0] + 1};
    words.rows[HY_STREAM_WORDS] = (uint16_t)(1u << HY_PICK_BITS << rules->holes);
    hy_rows_game game = {
        .rows = start->mover == HY_SOUTH ? rows : (hy_rows){rows.north, rows.south},
        .mover = start->mover,
        .left = start->left,
        .difference = (int32_t)start->score[HY_SOUTH] - (int32_t)start->score[HY_NORTH],
    };
    hy_termination termination =
        game.left < rules->casa ? HY_EXHAUSTED : begin_ply(playouts, &game, stream);
    while (termination == HY_GOES_ON)
        termination = play_plies(playouts, &game, &words, sow);
    int32_t captured = (int32_t)playouts->total - (int32_t)game.left;
    hy_position end = {
        .score = {(uint16_t)((captured + game.difference) / 2),
                  (uint16_t)((captured - game.difference) / 2)},
        .left = (uint16_t)game.left,
    };
    hy_mcts_outcome outcome = hy_mcts_outcome_at(playouts, &end, termination);
    outcome.plies = game.plies;
    return outcome;
}
