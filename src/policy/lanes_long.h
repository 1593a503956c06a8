/* What becomes of sowings that last long in their lane. Private to src/policy; for lanes_engine.h.
 */
#ifndef HY_POLICY_LANES_LONG_H
#define HY_POLICY_LANES_LONG_H

#include "policy/lanes_state.h"
#include "rules/sowing_laps.h"

/* The game again from its beginning, for what happens seldom. */
COLD void play_again(hy_lanes *lanes, hy_lane_game *game)
{
    const hy_lanes_client *client = &lanes->job->client;
    game->holes.num = 0;
    if (lanes->status == HY_OK)
        lanes->status = client->play(client->context, game->number,
                                     lanes->job->keep_holes ? &game->holes : NULL, &lanes->record,
                                     lanes->error);
    deliver(lanes, game);
}

/* Delivers a game outside the lanes, the sowing of which has got its verdict. */
COLD void take_verdict(hy_lanes *lanes, unsigned place)
{
    hy_proof *proof = &lanes->proofs.prover.proofs[place];
    hy_lane_outside *outside = &lanes->proofs.games[place];
    proof->used = false;
    lanes->proofs.num--;
    switch (proof->verdict) {
    case HY_VERDICT_OPEN:
        return;
    case HY_VERDICT_UNCLEAR:
        lanes->proofs.num_unclear++;
        play_again(lanes, &outside->game);
        return;
    case HY_VERDICT_ENDLESS:
    case HY_VERDICT_UNRESOLVED:
        hy_lane_record(lanes->terms, &outside->game, &outside->image,
                       proof->verdict == HY_VERDICT_ENDLESS ? HY_ENDLESS : HY_UNRESOLVED,
                       outside->laps, &lanes->record);
        deliver(lanes, &outside->game);
        return;
    }
}

/* Follows the sowings outside the lanes until one of them has its verdict. */
COLD void prove_some(hy_lanes *lanes)
{
    hy_prover *prover = &lanes->proofs.prover;
    hy_prover_run(prover);
    for (unsigned place = 0; place < HY_PROVER_CHAINS; place++) {
        if (prover->proofs[place].used && prover->proofs[place].verdict != HY_VERDICT_OPEN)
            take_verdict(lanes, place);
    }
}

/* Takes the laps and counters of the sowing that goes on out of the counts of its game. */
static void drop_sowing(hy_lane_game *game, hy_lane_image *image)
{
    const unsigned carry = 1u << 8 * sizeof(hy_count);
    game->counters -= image->columns[HY_COLUMN_SOWING_LOW];
    game->counters -= image->columns[HY_COLUMN_SOWING_HIGH] * carry;
}

/* The game in this lane leaves it for a place among the proofs, and another one begins. */
COLD void move_out(hy_lanes *lanes, unsigned lane)
{
    hy_lane_proofs *proofs = &lanes->proofs;
    unsigned place = 0;
    if (proofs->num == HY_PROVER_CHAINS)
        prove_some(lanes);
    while (proofs->prover.proofs[place].used)
        place++;
    hy_lane_outside *outside = &proofs->games[place];
    hy_hole_list free_list = outside->game.holes;
    uint16_t board[HY_MAX_BOARD];
    for (unsigned hole = 0; hole < HY_MAX_BOARD; hole++)
        board[hole] = lanes->board[hole][lane];
    get_columns(lanes, lane, &outside->image);
    hy_prover_add(&proofs->prover, place, board, outside->image.columns[HY_COLUMN_HOLE],
                  outside->image.columns[HY_COLUMN_SOWING_LAPS]);
    outside->game = lanes->games[lane];
    lanes->games[lane].holes = free_list;
    outside->game.move_hash = lanes->hashes[lane / NUM_HASHES][lane % NUM_HASHES];
    outside->laps =
        lanes->step - outside->game.began - outside->image.columns[HY_COLUMN_SOWING_LAPS];
    drop_sowing(&outside->game, &outside->image);
    proofs->num++;
    proofs->num_moved++;
    begin(lanes, lane);
}

/* Sows on in this lane up to the last lap. Returns whether another game has begun there. */
COLD bool sow_on(hy_lanes *lanes, unsigned lane)
{
    hy_lane_game *game = &lanes->games[lane];
    hy_lane_image image;
    hy_sowing sowing;
    uint16_t board[HY_MAX_BOARD], after[HY_MAX_BOARD];
    for (unsigned hole = 0; hole < HY_MAX_BOARD; hole++)
        board[hole] = lanes->board[hole][lane];
    get_columns(lanes, lane, &image);
    unsigned laps = image.columns[HY_COLUMN_SOWING_LAPS];
    hy_sow(lanes->rules, board, image.columns[HY_COLUMN_HOLE], image.columns[HY_COLUMN_MOVER],
           lanes->terms->max_laps - laps, after, &sowing);
    if (sowing.ending == HY_ENDING_UNRESOLVED) {
        play_again(lanes, game);
        begin(lanes, lane);
        return true;
    }
    if (sowing.ending == HY_ENDING_ENDLESS) {
        drop_sowing(game, &image);
        game->began += laps;
        game->move_hash = lanes->hashes[lane / NUM_HASHES][lane % NUM_HASHES];
        hy_lane_record(lanes->terms, game, &image, HY_ENDLESS, lanes->step - game->began,
                       &lanes->record);
        deliver(lanes, game);
        begin(lanes, lane);
        return true;
    }
    hy_laps state = {.board = board,
                     .hole = image.columns[HY_COLUMN_HOLE],
                     .hand = image.columns[HY_COLUMN_HAND]};
    while (state.laps + 1 < sowing.laps)
        (void)hy_lap_by_counters(lanes->rules, image.columns[HY_COLUMN_MOVER], &state);
    game->began -= state.laps;
    game->counters += state.counters;
    image.columns[HY_COLUMN_HOLE] = (uint16_t)state.hole;
    image.columns[HY_COLUMN_HAND] = (uint16_t)state.hand;
    image.columns[HY_COLUMN_SOWING_LAPS] = 0;
    image.columns[HY_COLUMN_TAKEN_BY_SOUTH] =
        (uint16_t)(image.columns[HY_COLUMN_TAKEN_BY_SOUTH] + state.en_passant[HY_SOUTH]);
    image.columns[HY_COLUMN_TAKEN_BY_NORTH] =
        (uint16_t)(image.columns[HY_COLUMN_TAKEN_BY_NORTH] + state.en_passant[HY_NORTH]);
    memcpy(image.board, board, sizeof image.board);
    set_image(lanes, lane, &image, 2u * lanes->rules->holes);
    return false;
}

/* Sowings that have lasted long. Returns the lanes in which another game has begun. */
COLD uint64_t look_after_long(hy_lanes *lanes, uint64_t bits)
{
    hy_lane_proofs *proofs = &lanes->proofs;
    uint64_t begun = 0;
    for (; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        bool begins = true;
        /* Where most sowings end after all, proving together is the longer way. */
        if (proofs->possible && 4 * proofs->num_unclear <= 16 + proofs->num_moved)
            move_out(lanes, lane);
        else
            begins = sow_on(lanes, lane);
        begun |= (uint64_t)begins << lane;
    }
    return begun & lanes->playing;
}

#endif
