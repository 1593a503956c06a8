/* The likelihood of ratings and its maximum. Private to src/stats.
 *
 * Everything is in natural units here: a difference of 1 is a factor e. Policies belong to groups;
 * only games within a group count, and the first policy of every group has the rating 0. */
#ifndef HY_STATS_RATING_MODEL_H
#define HY_STATS_RATING_MODEL_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "stats/rating.h"

#define HY_ELO_UNIT (400 / 2.302585092994045684) /* Elo of a natural unit */

/* All games of one south and one north, by south's points. */
typedef struct hy_cell {
    uint32_t south, north;
    uint64_t results[HY_NUM_POINTS];
} hy_cell;

#define HY_NO_PARAMETER SIZE_MAX

/* The caller's storage; made by _init, released by _clean_up. */
typedef struct hy_rating_model {
    size_t num_policies;
    hy_cell *cells;
    size_t num_cells;
    size_t *group;     /* [policy]: the least policy of its group */
    size_t *parameter; /* [policy]: its index, or HY_NO_PARAMETER: the rating is 0 */
    size_t advantage;  /* index of a, or HY_NO_PARAMETER: 0 */
    size_t draw;       /* index of ln ν, or HY_NO_PARAMETER: ν = 0 */
    size_t num_parameters;
    double prior;             /* 1 / variance of a normal prior on each parameter; 0: none */
    gsl_vector *values;       /* of the parameters */
    gsl_vector *gradient;     /* of the log likelihood */
    gsl_matrix *information;  /* minus its second derivatives */
    gsl_matrix *inverse;      /* of the information, at the maximum */
    gsl_vector *step, *trial; /* room */
} hy_rating_model;

/* What the model says of a game. */
typedef struct hy_game_odds {
    double chance[HY_NUM_POINTS];
    double points;   /* expected of south, 1 a win */
    double variance; /* of these */
} hy_game_odds;

hy_game_odds hy_odds(double difference, double nu);

/* Collects the cells, and the groups. `games` are in the order of their clusters. */
HY_MUST_CHECK hy_status hy_rating_model_init(hy_rating_model *model, const hy_rated_game *games,
                                             size_t num_games, size_t num_policies,
                                             hy_error *error);
void hy_rating_model_clean_up(hy_rating_model *model);

/* Finds the maximum of the likelihood; *advantage and *held as in hy_rating_table. */
HY_MUST_CHECK hy_status hy_rating_model_fit(hy_rating_model *model, hy_advantage_kind *advantage,
                                            bool *held, hy_error *error);

/* The value of a policy's rating, of a and of ν. */
double hy_model_rating(const hy_rating_model *model, size_t policy);
double hy_model_advantage(const hy_rating_model *model);
double hy_model_nu(const hy_rating_model *model);

/* Whether a cell counts, and what the model says of its games. */
bool hy_model_uses(const hy_rating_model *model, size_t south, size_t north);
hy_game_odds hy_model_odds(const hy_rating_model *model, size_t south, size_t north);

/* The derivatives of d by the parameters as a sparse row: indices and signs; returns how many. */
unsigned hy_model_row(const hy_rating_model *model, size_t south, size_t north, size_t index[3],
                      double sign[3]);

/* Adds a game's share of the gradient to `score`. */
void hy_model_add_score(const hy_rating_model *model, const hy_rated_game *game, gsl_vector *score);

/* The cell of a south and a north, or NULL. */
const hy_cell *hy_model_cell(const hy_rating_model *model, size_t south, size_t north);

/* Collects the pairings of `games` (in the order of hy_rating_fit) into the table, compares them
 * with the model, and tests the scale. */
HY_MUST_CHECK hy_status hy_rating_scale(const hy_rating_model *model, const hy_rated_game *games,
                                        size_t num_games, hy_rating_table *table, hy_error *error);

/* Sets the ratings of policies outside of the anchor's group, from the table's pairings; those of
 * the group are set. */
void hy_rating_bounds(const hy_rating_model *model, double confidence, hy_rating_table *table);

#endif
