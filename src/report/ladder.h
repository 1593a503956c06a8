/* The ladder: ratings of the policies of an experiment, a table for each variant. */
#ifndef HY_REPORT_LADDER_H
#define HY_REPORT_LADDER_H

#include <jansson.h>
#include <stdio.h>

#include "stats/pairs.h"
#include "stats/rating.h"
#include "store/store.h"

/* A policy is a class above another one that it beats by that score. The number of classes of skill
 * is the length of the longest chain in which each policy is rated above the next and beats it so.
 * Source: the depth of a game as in Cauwet and others, "Depth, balancing, and limits of the Elo
 * model", IEEE CIG 2015, here with this share and over the policies at hand: it grows with the
 * policies that take part, and is comparable between games only for the same ones. */
#define HY_CLASS_SCORE 0.75

/* The level below which the test of the scale warns. */
#define HY_LEVEL_OF_FIT 0.01

typedef struct hy_ladder_policy {
    char *name; /* canonical text; owned */
    hy_rating rating;
    uint64_t won, drawn, lost;     /* games against others */
    uint64_t self_games;           /* against itself */
    uint64_t self_distinct;        /* units of these that differ in the holes played */
    hy_estimate self_first_player; /* score of south in these */
} hy_ladder_policy;

/* Two policies in one condition. A unit is a pair where seats were swapped, else a game. */
typedef struct hy_ladder_pairing {
    uint32_t condition;
    size_t first, second; /* policies; the same one: games against itself */
    bool paired;
    uint64_t won, drawn, lost;     /* games of the first (of south, against itself) */
    uint64_t no_result;            /* games left out */
    hy_pair_counts pairs;          /* of which both games have a result, points of the first */
    hy_pair_counts south_pairs;    /* the same, points of south in both */
    hy_estimate score;             /* of the first; from pairs, or from games if not paired */
    hy_estimate first_player;      /* score of south; likewise */
    double elo, elo_low, elo_high; /* of the score; NaN: undefined */
    double expected;               /* score by the ratings; NaN: no finite distance */
    double residual;               /* see hy_rated_pairing; of all conditions of these two */
    uint64_t units, distinct;      /* stored, and different in the holes played */
} hy_ladder_pairing;

typedef struct hy_ladder_table {
    const hy_condition *condition; /* one of the variant's */
    hy_ladder_policy *policies;
    size_t num_policies;
    size_t *order; /* policies from the highest rating down; unknown ones last */
    size_t anchor;
    hy_ladder_pairing *pairings;
    size_t num_pairings;
    hy_rating_table fit;
    uint64_t games, no_result;
    size_t *chain; /* policies from the top: the longest chain of classes */
    size_t num_classes;
    size_t num_sure_classes; /* counted by the lower ends of the scores' intervals */
    bool repeated;           /* in some pairing less than half of the units are distinct */
    bool misfit;             /* the test of the scale rejects it */
} hy_ladder_table;

/* Made by _build, released by _clean_up; the store outlives it. */
typedef struct hy_ladder {
    const hy_experiment *experiment;
    hy_ladder_table *tables;
    size_t num_tables;
} hy_ladder;

/* Rates the policies of each variant. `anchor` is the canonical text of the policy that is 0; NULL:
 * `random`, or the first policy where it does not play. An anchor that plays nowhere is HY_INVALID;
 * a database of sums only (`record: summary`) is HY_MISMATCH. */
HY_MUST_CHECK hy_status hy_ladder_build(hy_store *store, const char *anchor, hy_ladder *ladder,
                                        hy_error *error);
void hy_ladder_clean_up(hy_ladder *ladder);

void hy_ladder_print(const hy_ladder *ladder, FILE *out);

/* The same as JSON, which the caller releases; NULL for want of memory. Unknown numbers are null.
 */
json_t *hy_ladder_json(const hy_ladder *ladder);

#endif
