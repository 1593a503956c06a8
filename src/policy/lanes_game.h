/* What there is of a game beside its lane: shared by all paths of policy/lanes.h. Private to
 * src/policy. */
#ifndef HY_POLICY_LANES_GAME_H
#define HY_POLICY_LANES_GAME_H

#include "policy/lanes.h"
#include "rules/prover.h"

/* Small numbers of a game that stand in vectors, one lane a game. Those marked * are emptied now
 * and then into hy_lane_game; of pairs marked LOW, HIGH the second counts the carries. */
typedef enum hy_column {
    HY_COLUMN_HOLE, /* to pick up */
    HY_COLUMN_HAND, /* the counters in it */
    HY_COLUMN_MOVER,
    HY_COLUMN_LEFT, /* counters on the board */
    HY_COLUMN_SOUTH_SCORE,
    HY_COLUMN_NORTH_SCORE,
    HY_COLUMN_SOUTH_LEADS, /* 1: south has been the last to lead */
    HY_COLUMN_NORTH_LEADS,
    HY_COLUMN_LEAD_CHANGES,
    HY_COLUMN_CAPTURES,
    HY_COLUMN_CAPTURED, /* counters in casas taken */
    HY_COLUMN_SOUTH_CAPTURES,
    HY_COLUMN_CLAIMED,
    HY_COLUMN_TURN_LENGTH, /* of the turn that goes on; 0: the next ply begins one */
    HY_COLUMN_LONGEST_TURN,
    HY_COLUMN_OPENING_LEFT,   /* plies that draw from the stream of the opening */
    HY_COLUMN_PLIES_LEFT,     /* * of those granted */
    HY_COLUMN_TURNS,          /* * */
    HY_COLUMN_PASSES,         /* * */
    HY_COLUMN_DECISIONS,      /* * */
    HY_COLUMN_LEGAL_LOW,      /* * */
    HY_COLUMN_LEGAL_HIGH,     /* * */
    HY_COLUMN_COUNTERS_LOW,   /* * dropped */
    HY_COLUMN_COUNTERS_HIGH,  /* * */
    HY_COLUMN_SOWING_LAPS,    /* of the sowing that goes on */
    HY_COLUMN_SOWING_LOW,     /* counters dropped in it */
    HY_COLUMN_SOWING_HIGH,    /* */
    HY_COLUMN_TAKEN_BY_SOUTH, /* casas taken en passant in it */
    HY_COLUMN_TAKEN_BY_NORTH, /* */
    HY_NUM_COLUMNS,
} hy_column;

/* Numbers of a game that are seldom touched, or too large for a lane. */
typedef struct hy_lane_game {
    uint64_t number;
    uint64_t began; /* the step before its first lap */
    uint64_t counters;
    uint64_t move_hash;
    uint32_t plies;
    uint32_t granted; /* plies that the lane may play before it is looked after */
    uint32_t turns;
    uint32_t passes;
    uint32_t legal_holes;
    uint32_t decision_plies;
    uint32_t chains;
    uint32_t south_chains;
    uint32_t longest_chain;
    uint16_t chain_count[HY_MAX_CHAIN + 1];
    hy_hole_list holes; /* where they are kept */
} hy_lane_game;

/* A game out of its lane: on its way in, or out. */
typedef struct hy_lane_image {
    uint16_t board[HY_MAX_BOARD];
    uint16_t columns[HY_NUM_COLUMNS];
} hy_lane_image;

/* A game outside the lanes, while its sowing is being proven endless. */
typedef struct hy_lane_outside {
    hy_lane_game game;
    hy_lane_image image;
    uint64_t laps; /* of its finished sowings */
} hy_lane_outside;

typedef struct hy_lane_proofs {
    hy_prover prover;
    hy_lane_outside games[HY_PROVER_CHAINS];
    unsigned num;
    uint64_t num_moved, num_unclear; /* since the run began */
    bool possible;
} hy_lane_proofs;

/* Steps from one emptying of the columns to the next; no column overflows in so many. */
#define HY_LANES_ROUND 120u

/* Plies that may be granted: more than a round has. */
#define HY_LANES_GRANT 250u

/* A sowing of so many laps leaves its lane, to be proven endless or to end. */
#define HY_LANES_SOWING_LAPS 250u

/* The image of a game before its first ply. */
void hy_lane_image_begin(const hy_playout_terms *terms, hy_lane_image *image);

/* The record of a game that ended so after `laps` laps of finished sowings. */
void hy_lane_record(const hy_playout_terms *terms, const hy_lane_game *game,
                    const hy_lane_image *image, hy_termination termination, uint64_t laps,
                    hy_game_record *record);

#endif
