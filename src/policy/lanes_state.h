/* The games in progress in the lanes of policy/lanes.h: how they begin and end. Private to
 * src/policy; for lanes_engine.h. */
#ifndef HY_POLICY_LANES_STATE_H
#define HY_POLICY_LANES_STATE_H

#include "base/hash.h"
#include "policy/lanes_game.h"
#include "policy/lanes_random.h"
#include "policy/lanes_vector.h"

#define COLD static __attribute__((noinline, cold))

/* What is fixed for a run. Where a path is made for one value of a field, that value stands here as
 * a constant. */
typedef struct hy_lanes_terms {
    unsigned holes, size;
    unsigned round; /* counters of a lap that goes round once */
    unsigned casa;  /* as far as the final counter captures; else 0, which nothing makes */
    bool one_sided; /* `capture_side` is not any */
    hy_en_passant en_passant;
    bool relay;
} hy_lanes_terms;

/* The games in progress. */
typedef struct hy_lanes {
    hy_counts board[HY_MAX_BOARD];
    hy_counts columns[HY_NUM_COLUMNS];
    hy_hashes hashes[LANES / NUM_HASHES];
    hy_lanes_random random;
    hy_lane_game games[LANES];
    hy_lane_proofs proofs;
    uint64_t playing; /* bits */
    uint64_t step;
    bool exhausted; /* there is no next game */
    hy_status status;
    hy_error *error;
    const hy_lanes_job *job;
    const hy_playout_terms *terms;
    const hy_rules *rules;
    hy_lane_image beginning;
    hy_game_record record; /* of the game that ended last */
} hy_lanes;

INLINE void set_image(hy_lanes *lanes, unsigned lane, const hy_lane_image *image, unsigned size)
{
    for (unsigned hole = 0; hole < size; hole++)
        lanes->board[hole][lane] = (hy_count)image->board[hole];
    for (unsigned column = 0; column < HY_NUM_COLUMNS; column++)
        lanes->columns[column][lane] = (hy_count)image->columns[column];
}

INLINE void get_columns(const hy_lanes *lanes, unsigned lane, hy_lane_image *image)
{
    for (unsigned column = 0; column < HY_NUM_COLUMNS; column++)
        image->columns[column] = lanes->columns[column][lane];
}

static void set_hash(hy_lanes *lanes, unsigned lane, uint64_t hash)
{
    lanes->hashes[lane / NUM_HASHES][lane % NUM_HASHES] = hash;
}

/* Begins the next game in that lane, or lets the lane rest. */
static void begin(hy_lanes *lanes, unsigned lane)
{
    hy_lane_game *game = &lanes->games[lane];
    uint64_t number;
    lanes->exhausted =
        lanes->exhausted || !lanes->job->client.next(lanes->job->client.context, &number);
    if (lanes->exhausted) {
        lanes->playing &= ~((uint64_t)1 << lane);
        set_image(lanes, lane, &(hy_lane_image){.columns = {0}}, 2u * lanes->rules->holes);
        return;
    }
    hy_hole_list holes = game->holes;
    holes.num = 0;
    *game = (hy_lane_game){
        .number = number,
        .began = lanes->step,
        .granted = lanes->beginning.columns[HY_COLUMN_PLIES_LEFT],
        .holes = holes,
    };
    begin_streams(&lanes->random, lane, number);
    lanes->playing |= (uint64_t)1 << lane;
    set_image(lanes, lane, &lanes->beginning, 2u * lanes->rules->holes);
    set_hash(lanes, lane, HY_FNV1A_START);
}

static void deliver(hy_lanes *lanes, const hy_lane_game *game)
{
    const hy_lanes_client *client = &lanes->job->client;
    if (lanes->status == HY_OK)
        lanes->status = client->take(client->context, &lanes->record,
                                     lanes->job->keep_holes ? &game->holes : NULL, lanes->error);
}

/* The games in these lanes are over. */
static void finish(hy_lanes *lanes, uint64_t bits, hy_termination termination)
{
    for (; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        hy_lane_game *game = &lanes->games[lane];
        hy_lane_image image;
        get_columns(lanes, lane, &image);
        game->move_hash = lanes->hashes[lane / NUM_HASHES][lane % NUM_HASHES];
        hy_lane_record(lanes->terms, game, &image, termination, lanes->step - game->began,
                       &lanes->record);
        deliver(lanes, game);
        begin(lanes, lane);
    }
}

#endif
