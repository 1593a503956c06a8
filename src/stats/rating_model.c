#include "stats/rating_model.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MAX_STEPS 100
#define PRIOR_ELO 1000.0
#define LEAST_INFORMATION 1e-9 /* of a number: below it the number is on its way to infinity */
#define LEAST_PIVOT 1e-11 /* of the information scaled to a diagonal of ones: singular below it */

hy_game_odds hy_odds(double difference, double nu)
{
    double most = fabs(difference) / 2; /* keeps the exponentials within range */
    double won = exp(difference / 2 - most), lost = exp(-difference / 2 - most);
    double drawn = nu * exp(-most), sum = won + drawn + lost;
    hy_game_odds odds = {.chance = {lost / sum, drawn / sum, won / sum}};
    odds.points = odds.chance[HY_POINTS_WON] + odds.chance[HY_POINTS_DRAWN] / 2;
    double against = odds.chance[HY_POINTS_LOST] + odds.chance[HY_POINTS_DRAWN] / 2;
    odds.variance = odds.points * against - odds.chance[HY_POINTS_DRAWN] / 4;
    return odds;
}

/* --- cells and groups --- */

static int compare_cells(const void *a, const void *b)
{
    const hy_cell *x = a, *y = b;
    if (x->south != y->south)
        return x->south > y->south ? 1 : -1;
    return (x->north > y->north) - (x->north < y->north);
}

const hy_cell *hy_model_cell(const hy_rating_model *model, size_t south, size_t north)
{
    hy_cell wanted = {.south = (uint32_t)south, .north = (uint32_t)north};
    return bsearch(&wanted, model->cells, model->num_cells, sizeof wanted, compare_cells);
}

static hy_status collect_cells(hy_rating_model *model, const hy_rated_game *games, size_t num_games,
                               hy_error *error)
{
    size_t n = model->num_policies, num = 0;
    hy_cell *square = hy_new_array(n * n, sizeof *square);
    if (!square)
        return hy_fail_memory(error);
    model->cells = square;
    for (size_t i = 0; i < num_games; i++)
        square[games[i].south * n + games[i].north].results[games[i].points]++;
    for (size_t i = 0; i < n * n; i++) {
        hy_cell cell = square[i];
        if (cell.results[0] + cell.results[1] + cell.results[2] == 0)
            continue;
        cell.south = (uint32_t)(i / n);
        cell.north = (uint32_t)(i % n);
        square[num++] = cell;
    }
    model->num_cells = num;
    return HY_OK;
}

/* reach[i·n + j]: i took points off j, or off one who did, and so on (Warshall's closure). */
static void close_reach(bool *reach, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; reach[i * n + k] && j < n; j++)
                reach[i * n + j] |= reach[k * n + j];
        }
    }
}

static hy_status find_groups(hy_rating_model *model, hy_error *error)
{
    size_t n = model->num_policies;
    bool *reach = hy_new_array(n * n, sizeof *reach);
    if (!reach)
        return hy_fail_memory(error);
    for (size_t i = 0; i < model->num_cells; i++) {
        const hy_cell *cell = &model->cells[i];
        uint64_t lost = cell->results[HY_POINTS_LOST], drawn = cell->results[HY_POINTS_DRAWN];
        reach[cell->south * n + cell->north] |= drawn + cell->results[HY_POINTS_WON] > 0;
        reach[cell->north * n + cell->south] |= drawn + lost > 0;
    }
    close_reach(reach, n);
    for (size_t i = 0; i < n; i++) {
        size_t first = 0;
        while (first < i && !(reach[i * n + first] && reach[first * n + i]))
            first++;
        model->group[i] = first;
    }
    free(reach);
    return HY_OK;
}

/* --- parameters --- */

static void number_parameters(hy_rating_model *model, bool advantage)
{
    uint64_t draws = 0;
    model->num_parameters = 0;
    for (size_t i = 0; i < model->num_policies; i++)
        model->parameter[i] = model->group[i] == i ? HY_NO_PARAMETER : model->num_parameters++;
    for (size_t i = 0; i < model->num_cells; i++) {
        const hy_cell *cell = &model->cells[i];
        if (hy_model_uses(model, cell->south, cell->north))
            draws += cell->results[HY_POINTS_DRAWN];
    }
    model->advantage = advantage ? model->num_parameters++ : HY_NO_PARAMETER;
    model->draw = draws > 0 ? model->num_parameters++ : HY_NO_PARAMETER;
}

static void free_room(hy_rating_model *model)
{
    gsl_vector_free(model->values);
    gsl_vector_free(model->gradient);
    gsl_vector_free(model->step);
    gsl_vector_free(model->trial);
    gsl_matrix_free(model->information);
    gsl_matrix_free(model->inverse);
}

static hy_status make_room(hy_rating_model *model, hy_error *error)
{
    size_t size = model->num_policies + 2;
    model->values = gsl_vector_calloc(size);
    model->gradient = gsl_vector_calloc(size);
    model->step = gsl_vector_calloc(size);
    model->trial = gsl_vector_calloc(size);
    model->information = gsl_matrix_calloc(size, size);
    model->inverse = gsl_matrix_calloc(size, size);
    bool made = model->values && model->gradient && model->step && model->trial &&
                model->information && model->inverse;
    return made ? HY_OK : hy_fail_memory(error);
}

hy_status hy_rating_model_init(hy_rating_model *model, const hy_rated_game *games, size_t num_games,
                               size_t num_policies, hy_error *error)
{
    *model = (hy_rating_model){.num_policies = num_policies};
    model->group = hy_new_array(num_policies, sizeof *model->group);
    model->parameter = hy_new_array(num_policies, sizeof *model->parameter);
    hy_status status =
        model->group && model->parameter ? make_room(model, error) : hy_fail_memory(error);
    if (status == HY_OK)
        status = collect_cells(model, games, num_games, error);
    if (status == HY_OK)
        status = find_groups(model, error);
    if (status != HY_OK)
        hy_rating_model_clean_up(model);
    return status;
}

void hy_rating_model_clean_up(hy_rating_model *model)
{
    free_room(model);
    free(model->cells);
    free(model->group);
    free(model->parameter);
    *model = (hy_rating_model){0};
}

static double value_of(const hy_rating_model *model, size_t parameter, double otherwise)
{
    return parameter == HY_NO_PARAMETER ? otherwise : gsl_vector_get(model->values, parameter);
}

double hy_model_rating(const hy_rating_model *model, size_t policy)
{
    return value_of(model, model->parameter[policy], 0);
}

double hy_model_advantage(const hy_rating_model *model)
{
    return value_of(model, model->advantage, 0);
}

double hy_model_nu(const hy_rating_model *model)
{
    return exp(value_of(model, model->draw, -INFINITY));
}

bool hy_model_uses(const hy_rating_model *model, size_t south, size_t north)
{
    return model->group[south] == model->group[north];
}

hy_game_odds hy_model_odds(const hy_rating_model *model, size_t south, size_t north)
{
    double difference = hy_model_rating(model, south) - hy_model_rating(model, north);
    return hy_odds(difference + hy_model_advantage(model), hy_model_nu(model));
}

unsigned hy_model_row(const hy_rating_model *model, size_t south, size_t north, size_t index[3],
                      double sign[3])
{
    const size_t parameters[3] = {model->parameter[south], model->parameter[north],
                                  model->advantage};
    const double signs[3] = {1, -1, 1};
    unsigned num = 0;
    for (unsigned i = south == north ? 2 : 0; i < 3; i++) {
        if (parameters[i] == HY_NO_PARAMETER)
            continue;
        index[num] = parameters[i];
        sign[num++] = signs[i];
    }
    return num;
}

/* --- likelihood --- */

/* The model is an exponential family: the statistic of d is south's points, that of ln ν whether
 * the game was drawn. */
static void add_result(const hy_rating_model *model, size_t south, size_t north, double points,
                       double drawn, gsl_vector *score)
{
    size_t index[3];
    double sign[3];
    unsigned num = hy_model_row(model, south, north, index, sign);
    for (unsigned i = 0; i < num; i++)
        *gsl_vector_ptr(score, index[i]) += sign[i] * points;
    if (model->draw != HY_NO_PARAMETER)
        *gsl_vector_ptr(score, model->draw) += drawn;
}

void hy_model_add_score(const hy_rating_model *model, const hy_rated_game *game, gsl_vector *score)
{
    if (!hy_model_uses(model, game->south, game->north))
        return;
    hy_game_odds odds = hy_model_odds(model, game->south, game->north);
    double drawn = game->points == HY_POINTS_DRAWN ? 1 : 0;
    add_result(model, game->south, game->north, game->points / 2.0 - odds.points,
               drawn - odds.chance[HY_POINTS_DRAWN], score);
}

static void add_information(hy_rating_model *model, const hy_cell *cell, double games,
                            const hy_game_odds *odds)
{
    size_t index[3];
    double sign[3];
    unsigned num = hy_model_row(model, cell->south, cell->north, index, sign);
    double drawn = odds->chance[HY_POINTS_DRAWN];
    double both = games * drawn * (0.5 - odds->points); /* covariance of points and drawn */
    for (unsigned i = 0; i < num; i++) {
        for (unsigned k = 0; k < num; k++)
            *gsl_matrix_ptr(model->information, index[i], index[k]) +=
                sign[i] * sign[k] * games * odds->variance;
        if (model->draw != HY_NO_PARAMETER) {
            *gsl_matrix_ptr(model->information, index[i], model->draw) += sign[i] * both;
            *gsl_matrix_ptr(model->information, model->draw, index[i]) += sign[i] * both;
        }
    }
    if (model->draw != HY_NO_PARAMETER)
        *gsl_matrix_ptr(model->information, model->draw, model->draw) +=
            games * drawn * (1 - drawn);
}

static void add_prior(hy_rating_model *model, double *likelihood)
{
    for (size_t i = 0; i < model->num_parameters; i++) {
        double value = gsl_vector_get(model->values, i);
        *gsl_vector_ptr(model->gradient, i) -= model->prior * value;
        *gsl_matrix_ptr(model->information, i, i) += model->prior;
        *likelihood -= model->prior * value * value / 2;
    }
}

/* The log likelihood at the values, and with it gradient and information. */
static double evaluate(hy_rating_model *model)
{
    double likelihood = 0;
    gsl_vector_set_zero(model->gradient);
    gsl_matrix_set_zero(model->information);
    for (size_t c = 0; c < model->num_cells; c++) {
        const hy_cell *cell = &model->cells[c];
        if (!hy_model_uses(model, cell->south, cell->north))
            continue;
        hy_game_odds odds = hy_model_odds(model, cell->south, cell->north);
        double games = 0, points = 0;
        for (unsigned i = 0; i < HY_NUM_POINTS; i++) {
            double num = (double)cell->results[i];
            games += num;
            points += num * i / 2;
            likelihood += num > 0 ? num * log(odds.chance[i]) : 0;
        }
        double drawn = (double)cell->results[HY_POINTS_DRAWN];
        add_result(model, cell->south, cell->north, points - games * odds.points,
                   drawn - games * odds.chance[HY_POINTS_DRAWN], model->gradient);
        add_information(model, cell, games, &odds);
    }
    add_prior(model, &likelihood);
    return likelihood;
}

/* --- Newton's method --- */

/* The inverse of the information; false where it is singular. */
static bool invert(hy_rating_model *model)
{
    size_t num = model->num_parameters;
    gsl_matrix_view inverse = gsl_matrix_submatrix(model->inverse, 0, 0, num, num);
    for (size_t i = 0; i < num; i++) {
        if (!(gsl_matrix_get(model->information, i, i) > LEAST_INFORMATION))
            return false;
    }
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < num; k++) {
            double scale = sqrt(gsl_matrix_get(model->information, i, i) *
                                gsl_matrix_get(model->information, k, k));
            gsl_matrix_set(model->inverse, i, k, gsl_matrix_get(model->information, i, k) / scale);
        }
    }
    if (gsl_linalg_cholesky_decomp1(&inverse.matrix) != GSL_SUCCESS)
        return false;
    for (size_t i = 0; i < num; i++) {
        double root = gsl_matrix_get(model->inverse, i, i);
        if (!(root * root > LEAST_PIVOT))
            return false;
    }
    if (gsl_linalg_cholesky_invert(&inverse.matrix) != GSL_SUCCESS)
        return false;
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < num; k++)
            *gsl_matrix_ptr(model->inverse, i, k) /= sqrt(gsl_matrix_get(model->information, i, i) *
                                                          gsl_matrix_get(model->information, k, k));
    }
    return true;
}

/* Goes along model->step, halved until the likelihood does not fall; returns it. */
static double go(hy_rating_model *model, double likelihood)
{
    double share = 1, found = likelihood;
    gsl_vector_memcpy(model->trial, model->values);
    for (unsigned halvings = 0; halvings < 40; halvings++, share /= 2) {
        gsl_vector_memcpy(model->values, model->trial);
        gsl_blas_daxpy(share, model->step, model->values);
        found = evaluate(model);
        if (found >= likelihood - 1e-9 * fabs(likelihood))
            break;
    }
    return found;
}

/* Towards infinity every step is about as long as the one before, so steps that shrink to nothing
 * tell a maximum from a likelihood without one, where the gradient vanishes as well. */
static bool climb(hy_rating_model *model)
{
    size_t num = model->num_parameters;
    gsl_vector_set_zero(model->values);
    gsl_vector_set_zero(model->step);
    double likelihood = evaluate(model);
    for (unsigned steps = 0; steps < MAX_STEPS; steps++) {
        if (!invert(model))
            return false;
        double longest = 0;
        for (size_t i = 0; i < num; i++) {
            double step = 0;
            for (size_t k = 0; k < num; k++)
                step += gsl_matrix_get(model->inverse, i, k) * gsl_vector_get(model->gradient, k);
            gsl_vector_set(model->step, i, step);
            longest = fmax(longest, fabs(step));
        }
        likelihood = go(model, likelihood);
        if (longest < 1e-9)
            return invert(model);
    }
    return false;
}

/* Whether the numbers can be told apart at all: at equal strength every result is possible. */
static bool is_identified(hy_rating_model *model)
{
    gsl_vector_set_zero(model->values);
    evaluate(model);
    return invert(model);
}

hy_status hy_rating_model_fit(hy_rating_model *model, hy_advantage_kind *advantage, bool *held,
                              hy_error *error)
{
    bool used = false;
    *held = false;
    for (size_t i = 0; i < model->num_cells; i++)
        used |= hy_model_uses(model, model->cells[i].south, model->cells[i].north);
    *advantage = used ? HY_ADVANTAGE_KNOWN : HY_ADVANTAGE_NO_GAMES;
    number_parameters(model, used);
    if (used && !is_identified(model)) {
        *advantage = HY_ADVANTAGE_CONFOUNDED;
        number_parameters(model, false);
    }
    if (model->num_parameters == 0 || climb(model))
        return HY_OK;
    *held = true;
    model->prior = (HY_ELO_UNIT / PRIOR_ELO) * (HY_ELO_UNIT / PRIOR_ELO);
    return climb(model) ? HY_OK
                        : hy_fail(error, HY_FAILED, "the likelihood of the ratings has no maximum");
}
