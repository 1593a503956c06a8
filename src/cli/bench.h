/* What `hoyito bench` measures. */
#ifndef HY_CLI_BENCH_H
#define HY_CLI_BENCH_H

#include "sim/experiment.h"

/* What a bench did in one round. */
typedef struct hy_bench_work {
    double amount;  /* in the unit of the bench */
    double laps;    /* sown; 0: not counted */
    double games;   /* played or stored; 0: not counted */
    double answers; /* of a policy about a position; 0: not counted */
    double seconds; /* that it took; 0: all the time of the call */
} hy_bench_work;

typedef struct hy_bench hy_bench;

/* Works for about `seconds`, and does something however short that is; *work is zeroed. */
typedef hy_status hy_bench_run(const hy_bench *bench, double seconds, hy_bench_work *work,
                               hy_error *error);

/* A row of the table. */
struct hy_bench {
    const char *name;
    const char *unit;
    const char *baseline; /* the name of the bench that it is compared with */
    hy_bench_run *run;
    const char *rules;
    const char *what; /* the policy that searches, or the solver's engine: best, general */
    bool general;     /* the policy takes the ways for any board only */
    hy_record record;
    unsigned path;    /* of hy_lanes_paths; a row is left out where this machine has none */
    bool scaling;     /* the same as its baseline, by all threads; left out where that is one */
    unsigned threads; /* 0: as many as asked for */
};

hy_bench_run hy_bench_sums;     /* arithmetic in registers, which shares nothing */
hy_bench_run hy_bench_plain;    /* the plain loop */
hy_bench_run hy_bench_singly;   /* one game after the other, as hy_table_play plays them */
hy_bench_run hy_bench_by_plies; /* as hy_table_play_by_plies does */
hy_bench_run hy_bench_lanes;    /* in lanes; games are counted and dropped */
hy_bench_run hy_bench_search;   /* a policy asked again and again about one position */
hy_bench_run hy_bench_batch;    /* a batch into a store */
hy_bench_run hy_bench_store;    /* games that have been played into a store */
hy_bench_run hy_bench_insert;   /* the same rows, by bare inserts */
hy_bench_run hy_bench_solve;    /* endgame tables of at most 12 counters */

/* `run` in bench->threads threads at once, each with its share of *work, which are summed. */
HY_MUST_CHECK hy_status hy_bench_in_threads(hy_bench_run *run, const hy_bench *bench,
                                            double seconds, hy_bench_work *work, hy_error *error);

/* Random play under the bench's rules; `experiment` is the caller's to clean up, in any case. */
HY_MUST_CHECK hy_status hy_bench_experiment(const hy_bench *bench, uint64_t games,
                                            hy_experiment *experiment, hy_error *error);

#endif
