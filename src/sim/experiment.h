/* What is to be played: conditions, a seed, and how many games of each. */
#ifndef HY_SIM_EXPERIMENT_H
#define HY_SIM_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "policy/policy.h"
#include "rules/rules.h"
#include "sim/stop.h"

#define HY_LIMIT_GAMES 1000000000000u /* per condition and seating */
#define HY_LIMIT_MAX_PLIES 10000000u  /* keeps the sums of squares of a block within 63 bits */
#define HY_DEFAULT_MAX_PLIES 100000u
#define HY_LIMIT_OPENING_PLIES 1000u
#define HY_LIMIT_CONDITIONS 100000u

/* What is stored. */
typedef enum hy_record {
    HY_RECORD_SUMMARY, /* sums and histograms of blocks of games */
    HY_RECORD_GAMES,   /* a row a game */
    HY_RECORD_MOVES,   /* a row a game, and the holes played */
    HY_NUM_RECORDS,
} hy_record;

extern const char *const hy_record_words[HY_NUM_RECORDS];

/* One cell of the grid. The first policy sits south; with `swap`, every game number is played once
 * more with the policies' seats swapped, and the two games of a number are a pair. */
typedef struct hy_condition {
    hy_rules rules;
    hy_policy_spec *first, *second; /* owned by the experiment */
    bool swap;
    uint32_t opening_plies; /* played at random before the policies play */
    uint32_t max_plies;     /* a game that is not over by then is truncated */
    uint64_t max_laps;      /* a sowing that is not over by then is unresolved */
} hy_condition;

typedef struct hy_experiment {
    char *name;
    char *question; /* may be empty */
    char *source;   /* the text of the file, or NULL; nothing depends on it */
    uint64_t seed;  /* meaningful unless seed_auto */
    bool seed_auto; /* to be drawn when the database is made */
    uint64_t games; /* per condition and seating; with a stop rule, the most */
    hy_stop stop;   /* for every condition */
    hy_record record;
    hy_condition *conditions;
    size_t num_conditions;
} hy_experiment;

/* Releases what the experiment holds, not the experiment itself. */
void hy_experiment_clean_up(hy_experiment *experiment);

static inline unsigned hy_num_seatings(const hy_condition *condition)
{
    return condition->swap ? 2 : 1;
}

/* Whether the games follow from the seed; a policy that is limited by time makes them depend on the
 * machine as well. */
bool hy_condition_is_reproducible(const hy_condition *condition);

/* Whether the games with swapped seats are those without once more: both policies are the same, and
 * draw from the same streams. They are no further observations. */
bool hy_condition_repeats_swapped(const hy_condition *condition);

/* Refuses (HY_INVALID) policies that would take more memory than the machine has, in both seats of
 * a condition and so many threads. */
HY_MUST_CHECK hy_status hy_experiment_check_memory(const hy_experiment *experiment,
                                                   unsigned threads, hy_error *error);

/* Games of all conditions and seatings. */
uint64_t hy_experiment_num_games(const hy_experiment *experiment);

#define HY_CONDITION_TEXT_SIZE (HY_RULES_TEXT_SIZE + 2 * HY_POLICY_TEXT_SIZE + 256)

/* Writes the canonical text of a condition: all that decides its games but for the seed. */
void hy_condition_print(const hy_condition *condition, char buffer[HY_CONDITION_TEXT_SIZE]);

void hy_condition_hash(const hy_condition *condition, char hex[HY_SHA256_HEX_SIZE]);

/* The identity of an experiment: versions, seed, record and conditions; neither its name nor its
 * number of games, which can grow, nor the rule that stops it. */
void hy_experiment_hash(const hy_experiment *experiment, char hex[HY_SHA256_HEX_SIZE]);

/* As it was before policies had a version, which the first databases show. */
void hy_experiment_hash_without_policies(const hy_experiment *experiment,
                                         char hex[HY_SHA256_HEX_SIZE]);

#endif
