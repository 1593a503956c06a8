/* What a pilot says about the run to come: games, time and disk for a precision. */
#ifndef HY_SEQUENTIAL_PLAN_H
#define HY_SEQUENTIAL_PLAN_H

#include "sequential/rule.h"

/* Either a half width of the metric's usual interval, or the power to find a difference between two
 * conditions that are alike but for it. */
typedef struct hy_plan_target {
    hy_stop_metric metric;
    double confidence; /* of the interval; 1 − level of the two-sided test */
    double half_width; /* 0: not asked for, and the other two are */
    double difference;
    double power;
} hy_plan_target;

typedef enum hy_plan_fault {
    HY_PLAN_GOOD,
    HY_PLAN_FEW,   /* fewer than two games (of those that count) */
    HY_PLAN_CUT,   /* games were cut, so a mean over them would be a lower bound */
    HY_PLAN_ALIKE, /* all games alike: the pilot does not show how much the metric varies */
    HY_PLAN_HUGE,  /* more games than can be asked for */
} hy_plan_fault;

/* One condition and seating. */
typedef struct hy_plan_row {
    uint32_t condition;
    bool swapped;
    uint64_t pilot_games;
    uint64_t pilot_counting; /* of them, those that count for the metric */
    hy_estimate estimate;    /* of the pilot */
    double deviation;        /* of one game's contribution, in the pilot; NaN: not known */
    double deviation_limit;  /* what it will at most be in the run, with 95 % confidence */
    double plies;            /* a game, those of cut games as far as they went */
    hy_plan_fault fault;
    uint64_t games; /* where there is no fault */
} hy_plan_row;

/* Made by _build, released by _clean_up. */
typedef struct hy_plan {
    const hy_experiment *experiment; /* the pilot's */
    hy_plan_target target;
    hy_plan_row *rows;
    size_t num_rows;
    size_t num_faults;
    uint64_t games;     /* per condition and seating: the most that a row needs, rounded up to three
                           digits; 0: no row says */
    uint64_t all_games; /* of all conditions and seatings */
    unsigned threads;   /* of the pilot's last run */
    double seconds;     /* with as many threads; NaN: not known */
    bool seconds_low;   /* a run of the pilot was cut short, so that its time is not known */
    double bytes;       /* of the database; NaN: not known */
} hy_plan;

HY_MUST_CHECK hy_status hy_plan_build(hy_store *store, const hy_plan_target *target, hy_plan *plan,
                                      hy_error *error);
void hy_plan_clean_up(hy_plan *plan);

#endif
