#include "stats/rating.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/rating_model.h"

static uint32_t lesser(const hy_rated_game *game)
{
    return game->south < game->north ? game->south : game->north;
}

static uint32_t greater(const hy_rated_game *game)
{
    return game->south < game->north ? game->north : game->south;
}

/* By cluster, and within it by pairing; a total order, so that sums do not depend on the caller's.
 */
static int compare_games(const void *a, const void *b)
{
    const hy_rated_game *x = a, *y = b;
    if (x->cluster != y->cluster)
        return x->cluster > y->cluster ? 1 : -1;
    if (lesser(x) != lesser(y))
        return lesser(x) > lesser(y) ? 1 : -1;
    if (greater(x) != greater(y))
        return greater(x) > greater(y) ? 1 : -1;
    if (x->south != y->south)
        return x->south > y->south ? 1 : -1;
    return (x->points > y->points) - (x->points < y->points);
}

/* Σ over clusters of the outer product of their scores. */
static hy_status sum_scores(const hy_rating_model *model, const hy_rated_game *games,
                            size_t num_games, gsl_matrix *sum, hy_error *error)
{
    gsl_vector *score = gsl_vector_calloc(sum->size1);
    if (!score)
        return hy_fail_memory(error);
    for (size_t i = 0; i < num_games; i++) {
        hy_model_add_score(model, &games[i], score);
        if (i + 1 < num_games && games[i + 1].cluster == games[i].cluster)
            continue;
        gsl_blas_dger(1, score, score, sum);
        gsl_vector_set_zero(score);
    }
    gsl_vector_free(score);
    return HY_OK;
}

/* The sandwich of the inverse information around `middle`, times G / (G − 1); into `middle`. */
static hy_status enclose(const hy_rating_model *model, uint64_t clusters, gsl_matrix *middle,
                         hy_error *error)
{
    gsl_matrix *half = gsl_matrix_alloc(middle->size1, middle->size2);
    if (!half)
        return hy_fail_memory(error);
    gsl_matrix_const_view inverse =
        gsl_matrix_const_submatrix(model->inverse, 0, 0, middle->size1, middle->size2);
    double factor = clusters > 1 ? (double)clusters / ((double)clusters - 1) : NAN;
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, factor, &inverse.matrix, middle, 0, half);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, half, &inverse.matrix, 0, middle);
    gsl_matrix_free(half);
    return HY_OK;
}

/* The variance of value[plus] − value[minus], either of which may be HY_NO_PARAMETER. */
static double variance_of(const gsl_matrix *covariance, size_t plus, size_t minus)
{
    double variance = 0;
    if (plus != HY_NO_PARAMETER)
        variance += gsl_matrix_get(covariance, plus, plus);
    if (minus != HY_NO_PARAMETER)
        variance += gsl_matrix_get(covariance, minus, minus);
    if (plus != HY_NO_PARAMETER && minus != HY_NO_PARAMETER)
        variance -= 2 * gsl_matrix_get(covariance, plus, minus);
    return variance;
}

/* Where all clusters are alike the sandwich is 0 and says nothing: then the model's own variance.
 */
static hy_estimate estimate(const hy_rating_model *model, const gsl_matrix *sandwich, size_t plus,
                            size_t minus, double t)
{
    double value = 0;
    if (plus != HY_NO_PARAMETER)
        value += gsl_vector_get(model->values, plus);
    if (minus != HY_NO_PARAMETER)
        value -= gsl_vector_get(model->values, minus);
    double own = variance_of(model->inverse, plus, minus);
    double variance = variance_of(sandwich, plus, minus);
    double error = sqrt(variance < 1e-6 * own ? own : variance);
    return (hy_estimate){
        .known = true,
        .value = HY_ELO_UNIT * value,
        .standard_error = HY_ELO_UNIT * error,
        .low = HY_ELO_UNIT * (value - t * error),
        .high = HY_ELO_UNIT * (value + t * error),
    };
}

static void set_ratings(const hy_rating_model *model, const gsl_matrix *sandwich, size_t anchor,
                        double t, hy_rating_table *table)
{
    for (size_t i = 0; i < table->num_policies; i++) {
        if (model->group[i] != model->group[anchor]) {
            table->ratings[i] = (hy_rating){HY_RATING_UNKNOWN, hy_share(0, 0, 0.5)};
            continue;
        }
        hy_rating *rating = &table->ratings[i];
        *rating = (hy_rating){.kind = HY_RATING_KNOWN, .elo = {.known = true}};
        if (i != anchor)
            rating->elo =
                estimate(model, sandwich, model->parameter[i], model->parameter[anchor], t);
    }
    if (table->advantage_kind == HY_ADVANTAGE_KNOWN)
        table->advantage = estimate(model, sandwich, model->advantage, HY_NO_PARAMETER, t);
}

static hy_status rate(const hy_rating_model *model, const hy_rated_game *games, size_t num_games,
                      size_t anchor, double confidence, hy_rating_table *table, hy_error *error)
{
    size_t num = model->num_parameters > 0 ? model->num_parameters : 1;
    double t = table->clusters > 1
                   ? gsl_cdf_tdist_Qinv((1 - confidence) / 2, (double)table->clusters - 1)
                   : NAN;
    gsl_matrix *sandwich = gsl_matrix_calloc(num, num);
    if (!sandwich)
        return hy_fail_memory(error);
    hy_status status = sum_scores(model, games, num_games, sandwich, error);
    if (status == HY_OK)
        status = enclose(model, table->clusters, sandwich, error);
    if (status == HY_OK)
        set_ratings(model, sandwich, anchor, t, table);
    gsl_matrix_free(sandwich);
    return status;
}

static hy_status fill(hy_rating_model *model, const hy_rated_game *games, size_t num_games,
                      size_t anchor, double confidence, hy_rating_table *table, hy_error *error)
{
    hy_status status = hy_rating_model_fit(model, &table->advantage_kind, &table->held, error);
    table->draw = hy_model_nu(model);
    if (status == HY_OK)
        status = rate(model, games, num_games, anchor, confidence, table, error);
    if (status == HY_OK)
        status = hy_rating_scale(model, games, num_games, table, error);
    if (status == HY_OK)
        hy_rating_bounds(model, confidence, table);
    return status;
}

hy_status hy_rating_fit(hy_rated_game *games, size_t num_games, size_t num_policies, size_t anchor,
                        double confidence, hy_rating_table *table, hy_error *error)
{
    hy_rating_model model;
    *table = (hy_rating_table){
        .num_policies = num_policies,
        .games = num_games,
        .ratings = hy_new_array(num_policies, sizeof table->ratings[0]),
        .advantage = hy_share(0, 0, confidence),
    };
    if (!table->ratings)
        return hy_fail_memory(error);
    if (num_games > 0)
        qsort(games, num_games, sizeof games[0], compare_games);
    for (size_t i = 0; i < num_games; i++)
        table->clusters += i == 0 || games[i].cluster != games[i - 1].cluster;
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    hy_status status = hy_rating_model_init(&model, games, num_games, num_policies, error);
    if (status == HY_OK) {
        status = fill(&model, games, num_games, anchor, confidence, table, error);
        hy_rating_model_clean_up(&model);
    }
    gsl_set_error_handler(handler);
    if (status != HY_OK)
        hy_rating_clean_up(table);
    return status;
}

void hy_rating_clean_up(hy_rating_table *table)
{
    free(table->ratings);
    free(table->pairings);
    *table = (hy_rating_table){0};
}
