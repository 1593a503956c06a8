/* What each rule does: a full factorial of rules analysed as such.
 *
 * The factors are the fields of the rules that vary among the conditions. A main effect is the
 * metric at a level less that at the factor's first level, averaged over all combinations of the
 * other factors; a two-way interaction is by how much the one effect differs between levels of the
 * other factor. In a full factorial with as many games in every cell these are the coefficients of
 * least squares with centred columns, main effects and two-way interactions (Box, Hunter and
 * Hunter, Statistics for Experimenters, 2nd ed. 2005, chapter 5), whatever higher interactions
 * there are. On the scale `ratio` they are fitted to the logarithms of the cells' values, on `odds`
 * to the logits. For the metric `hazard` they are the coefficients of Cox's regression with the
 * same columns, as ratios.
 *
 * Games of the same number draw the same random numbers in every cell. Where they are stored one by
 * one, a game number is a replicate of the whole design, and errors come from how the effect varies
 * from number to number; else cells are taken to be independent. */
#ifndef HY_REPORT_EFFECTS_H
#define HY_REPORT_EFFECTS_H

#include <jansson.h>
#include <stdio.h>

#include "report/groups.h"
#include "stats/adjust.h"

typedef enum hy_scale {
    HY_SCALE_DIFFERENCE,
    HY_SCALE_RATIO,
    HY_SCALE_ODDS,
    HY_NUM_SCALES,
} hy_scale;

extern const char *const hy_scale_words[HY_NUM_SCALES];

typedef struct hy_effects_options {
    const hy_metric *metric;
    hy_scale scale;
    hy_adjustment adjustment;
    double confidence;
    double horizon; /* as in hy_compare_options */
} hy_effects_options;

#define HY_MAX_LEVELS 32
#define HY_MAX_FACTORS 12

/* A field that varies, and its values in the order of the grid. */
typedef struct hy_factor {
    const hy_field *field;
    unsigned levels[HY_MAX_LEVELS];
    unsigned num_levels;
} hy_factor;

#define HY_NO_FACTOR SIZE_MAX

/* One effect; on the scales `ratio` and `odds` the estimate is a ratio, with its interval. */
typedef struct hy_effect {
    size_t factor, other;        /* `other` is HY_NO_FACTOR for a main effect */
    unsigned level, other_level; /* indices; never 0, the base */
    hy_estimate estimate;
    double statistic; /* estimate (or its logarithm) over its standard error */
    double p, adjusted;
} hy_effect;

/* How much of the variation among the cells' values (transformed by the scale) a factor or a pair
 * of factors accounts for. */
typedef struct hy_effect_share {
    size_t factor, other;
    double share;
} hy_effect_share;

/* The conditions that differ in rules alone. */
typedef struct hy_effect_table {
    const hy_group **cells;
    size_t num_cells;
    bool paired;
    hy_estimate mean; /* of the cells' values, on the scale */
    hy_effect *effects;
    size_t num_effects;
    hy_effect_share *shares;
    size_t num_shares;
    double rest;           /* the share of higher interactions and chance */
    double proportional_p; /* HY_METRIC_HAZARD: of hazards in proportion; else not set */
} hy_effect_table;

/* Made by _build, released by _clean_up; the groups outlive it. */
typedef struct hy_effects {
    const hy_groups *groups;
    hy_effects_options options;
    double horizon;
    hy_factor factors[HY_MAX_FACTORS];
    size_t num_factors;
    hy_effect_table *tables; /* one for every pair of policies, opening, … */
    size_t num_tables;
    uint64_t games; /* of the condition that has most */
} hy_effects;

/* Fails with HY_INVALID where no rule varies or the design is not a full factorial, and with
 * HY_FAILED where the games cannot carry the metric or the scale. */
HY_MUST_CHECK hy_status hy_effects_build(const hy_groups *groups, const hy_effects_options *options,
                                         hy_effects *effects, hy_error *error);
void hy_effects_clean_up(hy_effects *effects);

void hy_effects_print(const hy_effects *effects, FILE *out);
json_t *hy_effects_json(const hy_effects *effects);

#endif
