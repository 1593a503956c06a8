/* What is kept of many games: sums, sums of squares and products, histograms.
 *
 * What the report shows is computed from a summary, whether it was accumulated while playing
 * (`record: summary`) or from stored rows; both ways give the same numbers. Adding games in
 * any order and merging in any grouping give the same summary. */
#ifndef HY_SIM_SUMMARY_H
#define HY_SIM_SUMMARY_H

#include "base/wide.h"
#include "sim/game.h"

/* Quantities of a game that are summed. */
typedef enum hy_quantity {
    HY_QUANTITY_PLIES,
    HY_QUANTITY_TURNS,
    HY_QUANTITY_PASSES,
    HY_QUANTITY_LAPS,
    HY_QUANTITY_COUNTERS,
    HY_QUANTITY_CAPTURES,
    HY_QUANTITY_CASAS,
    HY_QUANTITY_CHAINS,
    HY_QUANTITY_LEAD_CHANGES,
    HY_QUANTITY_SOUTH_SCORE,
    HY_QUANTITY_NORTH_SCORE,
    HY_QUANTITY_LEGAL_HOLES,
    HY_QUANTITY_DECISION_PLIES,
    HY_QUANTITY_SOUTH_CAPTURES,
    HY_QUANTITY_SOUTH_CHAINS,
    HY_QUANTITY_CLAIMED,
    HY_NUM_QUANTITIES,
} hy_quantity;

extern const char *const hy_quantity_words[HY_NUM_QUANTITIES];

void hy_quantities_of(const hy_game_record *record, uint64_t values[HY_NUM_QUANTITIES]);

/* Products of two quantities of a game that are summed: the squares, and what ratios need. A
 * word is "a*b". */
typedef enum hy_product {
    HY_PRODUCT_PLIES_PLIES,
    HY_PRODUCT_TURNS_TURNS,
    HY_PRODUCT_PASSES_PASSES,
    HY_PRODUCT_LAPS_LAPS,
    HY_PRODUCT_CAPTURES_CAPTURES,
    HY_PRODUCT_CASAS_CASAS,
    HY_PRODUCT_CHAINS_CHAINS,
    HY_PRODUCT_LEAD_CHANGES_LEAD_CHANGES,
    HY_PRODUCT_SOUTH_SCORE_SOUTH_SCORE,
    HY_PRODUCT_NORTH_SCORE_NORTH_SCORE,
    HY_PRODUCT_LEGAL_HOLES_LEGAL_HOLES,
    HY_PRODUCT_DECISION_PLIES_DECISION_PLIES,
    HY_PRODUCT_SOUTH_CAPTURES_SOUTH_CAPTURES,
    HY_PRODUCT_SOUTH_CHAINS_SOUTH_CHAINS,
    HY_PRODUCT_CLAIMED_CLAIMED,
    HY_PRODUCT_TURNS_PLIES,
    HY_PRODUCT_PASSES_PLIES,
    HY_PRODUCT_LAPS_PLIES,
    HY_PRODUCT_CAPTURES_PLIES,
    HY_PRODUCT_CASAS_PLIES,
    HY_PRODUCT_CHAINS_PLIES,
    HY_PRODUCT_LEAD_CHANGES_PLIES,
    HY_PRODUCT_LEGAL_HOLES_PLIES,
    HY_PRODUCT_DECISION_PLIES_PLIES,
    HY_PRODUCT_LEGAL_HOLES_DECISION_PLIES,
    HY_PRODUCT_CAPTURES_TURNS,
    HY_PRODUCT_CASAS_CAPTURES,
    HY_PRODUCT_CHAINS_CAPTURES,
    HY_PRODUCT_SOUTH_CAPTURES_CAPTURES,
    HY_PRODUCT_SOUTH_CHAINS_CHAINS,
    HY_PRODUCT_SOUTH_SCORE_NORTH_SCORE,
    HY_NUM_PRODUCTS,
} hy_product;

extern const char *const hy_product_words[HY_NUM_PRODUCTS];

/* The two quantities of every product. */
extern const uint8_t hy_product_factors[HY_NUM_PRODUCTS][2];

/* Games by the way they ended and their length; a row of a sparse histogram. */
typedef struct hy_length_count {
    uint32_t plies;
    uint8_t termination; /* hy_termination; 0: the place is free */
    uint64_t games;
} hy_length_count;

/* The smallest mixed move hashes seen, which estimate the number of distinct games: exact up to
 * HY_SKETCH_SIZE of them (Bar-Yossef, Jayram, Kumar, Sivakumar, Trevisan, "Counting distinct
 * elements in a data stream", RANDOM 2002: the k smallest values). */
#define HY_SKETCH_SIZE 512u

typedef struct hy_sketch {
    uint64_t hashes[HY_SKETCH_SIZE]; /* ascending, without repetition */
    size_t num;
    bool overflowed; /* a hash was left out: there are more than HY_SKETCH_SIZE distinct ones */
} hy_sketch;

/* The caller's storage: zeroed before first use, released by _clean_up. */
typedef struct hy_summary {
    uint64_t games;
    uint64_t results[HY_NUM_RESULTS];
    uint64_t terminations[HY_NUM_TERMINATIONS];
    uint64_t sums[HY_NUM_QUANTITIES];
    uint64_t products[HY_NUM_PRODUCTS]; /* the low 63 bits; see hy_summary_product */
    uint64_t carries[HY_NUM_PRODUCTS];  /* the bits above; 0 in a block that is stored */
    uint64_t max_plies;                 /* the longest game, turn, chain */
    uint64_t longest_turn;
    uint64_t longest_chain;
    uint64_t chain_count[HY_MAX_CHAIN + 1]; /* chains by length */
    hy_sketch sketch;
    hy_length_count *lengths; /* open addressing; a power of two of them, or none */
    size_t length_capacity;
    size_t num_lengths;
} hy_summary;

void hy_summary_clean_up(hy_summary *summary);

/* Back to no games; keeps the memory. */
void hy_summary_clear(hy_summary *summary);

hy_wide hy_summary_product(const hy_summary *summary, hy_product product);

HY_MUST_CHECK hy_status hy_summary_add(hy_summary *summary, const hy_game_record *record,
                                       hy_error *error);

/* Adds all games of `other`. Fails, leaving `summary` in part changed, where a sum would not fit
 * 64 bits. */
HY_MUST_CHECK hy_status hy_summary_merge(hy_summary *summary, const hy_summary *other,
                                         hy_error *error);

/* Adds `games` games of that length and ending to the histogram alone. */
HY_MUST_CHECK hy_status hy_summary_add_length(hy_summary *summary, hy_termination termination,
                                              uint32_t plies, uint64_t games, hy_error *error);

/* The histogram of lengths, ordered by termination and plies: an array of summary->num_lengths
 * rows that the caller releases with free(). */
HY_MUST_CHECK hy_status hy_summary_lengths(const hy_summary *summary, hy_length_count **lengths,
                                           hy_error *error);

/* Adds a mixed hash to the sketch. */
void hy_sketch_add(hy_sketch *sketch, uint64_t hash);

/* The number of distinct games: exact, or an estimate with its standard error. */
typedef struct hy_distinct {
    double estimate;
    double standard_error; /* 0: the number is exact */
} hy_distinct;

hy_distinct hy_sketch_distinct(const hy_sketch *sketch);

#endif
