/* Random games from the start position, many at once: each lane of a vector is a game, and every
 * step sows one lap in all of them. The same games as hy_playout_play gives with the same streams.
 *
 * The board is kept by holes: a vector holds one hole of every game. A lap is then a handful of
 * vector operations for each hole, whatever the games' hands are, and what follows a lap (captures,
 * who moves, which hole) is computed for all lanes and kept where it applies. PERFORMANCE.md says
 * what that costs. */
#ifndef HY_POLICY_LANES_H
#define HY_POLICY_LANES_H

#include "policy/playout.h"

/* Where the numbers of the games come from and where their records go, in the order in which games
 * end. All functions are required. */
typedef struct hy_lanes_client {
    void *context;
    /* The next game to play; false: there is none. It is not asked again then. */
    bool (*next)(void *context, uint64_t *number);
    /* Takes the record of a game (`number` is set); `holes` are those played, NULL unless kept. A
     * failure stops everything. */
    hy_status (*take)(void *context, const hy_game_record *record, const hy_hole_list *holes,
                      hy_error *error);
    /* Plays the game of that number in another way, for what happens seldom. `holes`, unless NULL,
     * receives those played. */
    hy_status (*play)(void *context, uint64_t number, hy_hole_list *holes, hy_game_record *record,
                      hy_error *error);
    /* Asked some thousand times a second: whether to give up the games that are not over. */
    bool (*stopped)(void *context);
} hy_lanes_client;

/* What to play. */
typedef struct hy_lanes_job {
    const hy_playout_terms *terms; /* without `until_decided` */
    uint64_t seed;
    bool keep_holes;
    hy_lanes_client client;
} hy_lanes_job;

/* A way of playing that this machine can use. */
typedef struct hy_lanes_path {
    const char *name; /* for people: "64 games in AVX-512 registers" */
    unsigned lanes;
    hy_status (*play)(const hy_lanes_job *job, hy_error *error);
} hy_lanes_path;

/* All paths of this machine for that variant, the fastest first; ends with a name that is NULL. */
#define HY_MAX_LANES_PATHS 4
void hy_lanes_paths(const hy_rules *rules, hy_lanes_path paths[HY_MAX_LANES_PATHS]);

/* Whether lanes can play games of these terms: no `repetition`, no `endless: forbid`, at most 255
 * opening plies, and max_laps above HY_LANES_MIN_LAPS. */
#define HY_LANES_MIN_LAPS 1000u
bool hy_lanes_handle(const hy_playout_terms *terms);

/* Plays by the fastest path until there is no next game and all are over, or stopped. */
HY_MUST_CHECK hy_status hy_lanes_play(const hy_lanes_job *job, hy_error *error);

#endif
