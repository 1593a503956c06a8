/* When enough games of a condition have been played: a rule, as data, and its looks.
 *
 * A look comes after a number of games (per seating) that is fixed before anything is played, and
 * sees the games with smaller numbers: no others have been played by then. So what is decided, and
 * which games are stored in the end, depends neither on threads nor on interruptions. */
#ifndef HY_SIM_STOP_H
#define HY_SIM_STOP_H

#include "sim/stop_metric.h"

#define HY_DEFAULT_LOOK_GAMES 1000u
#define HY_LIMIT_ELO 10000.0

typedef enum hy_stop_kind {
    HY_STOP_NEVER,      /* before all games that were asked for */
    HY_STOP_HALF_WIDTH, /* when an interval is narrow enough, for each seating */
    HY_STOP_SPRT,       /* when a test between two strengths of the first policy is decided */
    HY_NUM_STOP_KINDS,
} hy_stop_kind;

/* The scale on which elo0 and elo1 are. */
typedef enum hy_elo_scale {
    HY_SCALE_LOGISTIC,
    HY_SCALE_NORMALIZED,
    HY_NUM_ELO_SCALES,
} hy_elo_scale;

extern const char *const hy_elo_scale_words[HY_NUM_ELO_SCALES];

typedef struct hy_stop {
    hy_stop_kind kind;
    uint64_t every; /* games per seating to the first look */
    /* half width */
    hy_stop_metric metric;
    double half_width; /* in the metric's unit */
    double confidence;
    /* sprt */
    double elo0, elo1;
    double alpha, beta;
    hy_elo_scale scale;
} hy_stop;

/* Why no more games of a condition are played. */
typedef enum hy_stop_reason {
    HY_STOPPED_HALF_WIDTH,
    HY_STOPPED_H0,    /* the SPRT accepted elo0 */
    HY_STOPPED_H1,    /* … elo1 */
    HY_STOPPED_GAMES, /* the most that were asked for */
    HY_NUM_STOP_REASONS,
} hy_stop_reason;

extern const char *const hy_stop_reason_words[HY_NUM_STOP_REASONS];

/* The look after the one at `games` (0: the first): `every` games later or, from 20 times that many
 * games on, about a tenth of the games later; always at a multiple of `every`, and the last one at
 * `max_games`. So a rule asks for at most a tenth more games than it needs, and looks seldom where
 * there are many. */
uint64_t hy_stop_next_look(const hy_stop *stop, uint64_t max_games, uint64_t games);

#define HY_STOP_TEXT_SIZE 256

/* Writes the rule as JSON, with the keys of an experiment file; {} for none. The same rule has the
 * same text. */
void hy_stop_print(const hy_stop *stop, char buffer[HY_STOP_TEXT_SIZE]);

#endif
