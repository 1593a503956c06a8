/* Games drawn from known ratings. */
#ifndef HY_TESTS_STATS_TOURNAMENT_H
#define HY_TESTS_STATS_TOURNAMENT_H

#include "random/stream.h"
#include "stats/rating.h"

#define MAX_PLAYERS 8

typedef struct tournament {
    size_t num_players;
    double elo[MAX_PLAYERS];
    double advantage;   /* of the first player, Elo */
    double nu;          /* of draws */
    double opening;     /* openings favour the first player by up to that much Elo, or the second */
    uint32_t num_pairs; /* of each pairing; all have the same openings */
    bool self;          /* and each plays itself, once a number */
    unsigned other_skill; /* 0: the scale holds; else P(i beats i + 1) is raised in a cycle */
} tournament;

/* Plays all pairings; the caller releases the games. */
hy_rated_game *tournament_play(const tournament *all, hy_stream *stream, size_t *num_games);

/* `num` games of one south and north, each a cluster of its own from *cluster on. */
void add_games(hy_rated_game **games, size_t *num_games, uint64_t *cluster, uint32_t south,
               uint32_t north, hy_points points, unsigned num);

/* `num` pairs: the first policy scores `as_south` and then, in north, `as_north`. */
void add_pairs(hy_rated_game **games, size_t *num_games, uint64_t *cluster, uint32_t first,
               uint32_t second, hy_points as_south, hy_points as_north, unsigned num);

#define assert_close(a, b, tolerance)                                                              \
    do {                                                                                           \
        double value_ = (a), expected_ = (b);                                                      \
        if (!(fabs(value_ - expected_) <= (tolerance)))                                            \
            fail_msg("%.12g is not %.12g", value_, expected_);                                     \
    } while (0)

#endif
