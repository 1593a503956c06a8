/* What the pairings scored against what their ratings say. */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/rating_model.h"

#define LEAST_EXPECTED 5.0 /* points of either policy, for a pairing to be tested */
#define LEAST_SHARE 1e-8   /* of a variance, below which it counts as 0 */

/* Room for one fit. */
typedef struct comparison {
    const hy_rating_model *model;
    hy_rating_table *table;
    double *variance; /* [pairing]: of the points of independent games */
    size_t *tested;   /* pairings that are tested */
    size_t num_tested;
    gsl_matrix *slopes;     /* [tested][parameter]: of the expected points */
    gsl_matrix *covariance; /* [tested][tested]: of the residuals */
} comparison;

static uint64_t count_games(const hy_cell *cell)
{
    return cell ? cell->results[0] + cell->results[1] + cell->results[2] : 0;
}

/* Adds the games of one seating to its pairing; `south` is the first policy. */
static void add_cell(const hy_rating_model *model, const hy_cell *cell, bool first_south,
                     hy_rated_pairing *pairing, double *variance)
{
    uint64_t games = count_games(cell);
    if (games == 0)
        return;
    double num = (double)games;
    double points =
        (double)cell->results[HY_POINTS_WON] + 0.5 * (double)cell->results[HY_POINTS_DRAWN];
    pairing->games += games;
    pairing->points += first_south ? points : num - points;
    if (!hy_model_uses(model, cell->south, cell->north)) {
        pairing->expected = NAN;
        return;
    }
    hy_game_odds odds = hy_model_odds(model, cell->south, cell->north);
    pairing->expected += num * (first_south ? odds.points : 1 - odds.points);
    *variance += num * odds.variance;
}

static hy_status collect_pairings(comparison *all, hy_error *error)
{
    const hy_rating_model *model = all->model;
    hy_rating_table *table = all->table;
    table->pairings = hy_new_array(model->num_cells, sizeof table->pairings[0]);
    all->variance = hy_new_array(model->num_cells, sizeof all->variance[0]);
    all->tested = hy_new_array(model->num_cells, sizeof all->tested[0]);
    if (!table->pairings || !all->variance || !all->tested)
        return hy_fail_memory(error);
    for (size_t i = 0; i < model->num_policies; i++) {
        for (size_t j = i + 1; j < model->num_policies; j++) {
            const hy_cell *south = hy_model_cell(model, i, j), *north = hy_model_cell(model, j, i);
            if (!south && !north)
                continue;
            hy_rated_pairing *pairing = &table->pairings[table->num_pairings];
            *pairing =
                (hy_rated_pairing){.first = (uint32_t)i, .second = (uint32_t)j, .residual = NAN};
            add_cell(model, south, true, pairing, &all->variance[table->num_pairings]);
            add_cell(model, north, false, pairing, &all->variance[table->num_pairings]);
            table->num_pairings++;
        }
    }
    return HY_OK;
}

static int compare_pairings(const void *a, const void *b)
{
    const hy_rated_pairing *x = a, *y = b;
    if (x->first != y->first)
        return x->first > y->first ? 1 : -1;
    return (x->second > y->second) - (x->second < y->second);
}

static hy_rated_pairing *find_pairing(hy_rating_table *table, const hy_rated_game *game)
{
    hy_rated_pairing wanted = {
        .first = game->south < game->north ? game->south : game->north,
        .second = game->south < game->north ? game->north : game->south,
    };
    return bsearch(&wanted, table->pairings, table->num_pairings, sizeof wanted, compare_pairings);
}

/* The units of a pairing: their number, and how their points differ from those expected. */
typedef struct spread {
    double sum, squares;
} spread;

static bool same_unit(const hy_rated_game *a, const hy_rated_game *b)
{
    return a->cluster == b->cluster && ((a->south == b->south && a->north == b->north) ||
                                        (a->south == b->north && a->north == b->south));
}

static void add_units(const comparison *all, const hy_rated_game *games, size_t num_games,
                      spread *spreads)
{
    double away = 0;
    for (size_t i = 0; i < num_games; i++) {
        const hy_rated_game *game = &games[i];
        if (game->south == game->north)
            continue;
        hy_rated_pairing *pairing = find_pairing(all->table, game);
        double expected = hy_model_odds(all->model, game->south, game->north).points;
        away += (game->south == pairing->first ? 1 : -1) * (game->points / 2.0 - expected);
        if (i + 1 < num_games && same_unit(game, &games[i + 1]))
            continue;
        spread *one = &spreads[pairing - all->table->pairings];
        pairing->units++;
        one->sum += away;
        one->squares += away * away;
        away = 0;
    }
}

/* The variance of a unit's points within its pairing over that of independent games. */
static hy_status find_dispersion(comparison *all, const hy_rated_game *games, size_t num_games,
                                 hy_error *error)
{
    spread *spreads = hy_new_array(all->table->num_pairings, sizeof *spreads);
    double found = 0, expected = 0;
    if (!spreads)
        return hy_fail_memory(error);
    add_units(all, games, num_games, spreads);
    for (size_t i = 0; i < all->table->num_pairings; i++) {
        const hy_rated_pairing *pairing = &all->table->pairings[i];
        double units = (double)pairing->units;
        if (pairing->units < 2 || isnan(pairing->expected))
            continue;
        found +=
            (spreads[i].squares - spreads[i].sum * spreads[i].sum / units) * units / (units - 1);
        expected += all->variance[i];
    }
    all->table->dispersion = expected > 0 && found > 0 ? found / expected : NAN;
    free(spreads);
    return HY_OK;
}

static void choose_tested(comparison *all)
{
    for (size_t i = 0; i < all->table->num_pairings; i++) {
        const hy_rated_pairing *pairing = &all->table->pairings[i];
        if (isnan(pairing->expected))
            continue;
        double least = fmin(pairing->expected, (double)pairing->games - pairing->expected);
        if (least >= LEAST_EXPECTED)
            all->tested[all->num_tested++] = i;
        else
            all->table->num_one_sided++;
    }
}

static void add_slopes(const comparison *all, size_t row, const hy_cell *cell, double direction)
{
    const hy_rating_model *model = all->model;
    if (!cell)
        return;
    size_t index[3];
    double sign[3], games = direction * (double)count_games(cell);
    hy_game_odds odds = hy_model_odds(model, cell->south, cell->north);
    unsigned num = hy_model_row(model, cell->south, cell->north, index, sign);
    for (unsigned i = 0; i < num; i++)
        *gsl_matrix_ptr(all->slopes, row, index[i]) += sign[i] * games * odds.variance;
    if (model->draw != HY_NO_PARAMETER)
        *gsl_matrix_ptr(all->slopes, row, model->draw) +=
            games * odds.chance[HY_POINTS_DRAWN] * (0.5 - odds.points);
}

/* Observed less expected points: the variance of the games less what the fit takes up. */
static hy_status find_covariance(comparison *all, hy_error *error)
{
    const hy_rating_model *model = all->model;
    size_t num = all->num_tested, width = model->num_parameters;
    all->slopes = gsl_matrix_calloc(num, width);
    all->covariance = gsl_matrix_calloc(num, num);
    gsl_matrix *half = gsl_matrix_calloc(num, width);
    if (!all->slopes || !all->covariance || !half) {
        gsl_matrix_free(half);
        return hy_fail_memory(error);
    }
    for (size_t row = 0; row < num; row++) {
        const hy_rated_pairing *pairing = &all->table->pairings[all->tested[row]];
        add_slopes(all, row, hy_model_cell(model, pairing->first, pairing->second), 1);
        add_slopes(all, row, hy_model_cell(model, pairing->second, pairing->first), -1);
        gsl_matrix_set(all->covariance, row, row, all->variance[all->tested[row]]);
    }
    gsl_matrix_const_view inverse = gsl_matrix_const_submatrix(model->inverse, 0, 0, width, width);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, all->slopes, &inverse.matrix, 0, half);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, -1, half, all->slopes, 1, all->covariance);
    gsl_matrix_scale(all->covariance, all->table->dispersion);
    gsl_matrix_free(half);
    return HY_OK;
}

static double residual_of(const comparison *all, size_t row)
{
    const hy_rated_pairing *pairing = &all->table->pairings[all->tested[row]];
    return pairing->points - pairing->expected;
}

static void set_residuals(comparison *all)
{
    for (size_t row = 0; row < all->num_tested; row++) {
        double variance = gsl_matrix_get(all->covariance, row, row);
        double whole = all->table->dispersion * all->variance[all->tested[row]];
        if (variance > LEAST_SHARE * whole)
            all->table->pairings[all->tested[row]].residual =
                residual_of(all, row) / sqrt(variance);
    }
}

/* The quadratic form of the residuals in the generalised inverse of their covariance, whose rank
 * is its degrees of freedom. */
static hy_status add_up(comparison *all, hy_error *error)
{
    size_t num = all->num_tested;
    double whole = 0, sum = 0;
    gsl_vector *values = gsl_vector_alloc(num);
    gsl_matrix *vectors = gsl_matrix_alloc(num, num);
    gsl_eigen_symmv_workspace *room = gsl_eigen_symmv_alloc(num);
    bool made = values && vectors && room;
    for (size_t i = 0; i < num; i++)
        whole = fmax(whole, all->table->dispersion * all->variance[all->tested[i]]);
    if (made && gsl_eigen_symmv(all->covariance, values, vectors, room) == GSL_SUCCESS) {
        for (size_t k = 0; k < num; k++) {
            double along = 0, value = gsl_vector_get(values, k);
            if (value <= LEAST_SHARE * whole)
                continue;
            for (size_t i = 0; i < num; i++)
                along += gsl_matrix_get(vectors, i, k) * residual_of(all, i);
            sum += along * along / value;
            all->table->degrees++;
        }
    }
    gsl_vector_free(values);
    gsl_matrix_free(vectors);
    if (room)
        gsl_eigen_symmv_free(room);
    if (all->table->degrees > 0) {
        all->table->chi_square = sum;
        all->table->p = gsl_cdf_chisq_Q(sum, all->table->degrees);
    }
    return made ? HY_OK : hy_fail_memory(error);
}

hy_status hy_rating_scale(const hy_rating_model *model, const hy_rated_game *games,
                          size_t num_games, hy_rating_table *table, hy_error *error)
{
    comparison all = {.model = model, .table = table};
    table->chi_square = table->p = NAN;
    hy_status status = collect_pairings(&all, error);
    if (status == HY_OK)
        status = find_dispersion(&all, games, num_games, error);
    if (status == HY_OK)
        choose_tested(&all);
    if (status == HY_OK && all.num_tested > 0 && model->num_parameters > 0 &&
        table->dispersion > 0) {
        status = find_covariance(&all, error);
        if (status == HY_OK) {
            set_residuals(&all);
            status = add_up(&all, error);
        }
    }
    free(all.variance);
    free(all.tested);
    gsl_matrix_free(all.slopes);
    gsl_matrix_free(all.covariance);
    return status;
}
