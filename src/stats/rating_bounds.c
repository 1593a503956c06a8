/* Bounds for policies that won or lost every game against the anchor's group. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stats/rating_model.h"

#define FARTHEST 100.0 /* natural units: 17,000 Elo */

/* A group on its way to a bound, seen from those below (or, mirrored, from those above). */
typedef struct side {
    const hy_rating_model *model;
    const hy_rating_table *table;
    size_t group;
    double direction; /* 1: above the others; −1: below */
} side;

/* The rating of a policy that can bear a bound in this direction; false where it cannot. */
static bool bears(const side *one, size_t policy, double *rating)
{
    const hy_rating *other = &one->table->ratings[policy];
    hy_rating_kind bound = one->direction > 0 ? HY_RATING_ABOVE : HY_RATING_BELOW;
    if (other->kind != HY_RATING_KNOWN && other->kind != bound)
        return false;
    if (other->kind == HY_RATING_KNOWN)
        *rating = other->elo.value / HY_ELO_UNIT;
    else
        *rating = (one->direction > 0 ? other->elo.low : other->elo.high) / HY_ELO_UNIT;
    return true;
}

/* The log chance that `member` wins against `other` all games of a seating (loses, if direction is
 * −1), were its group shifted by `shift`. */
static double chance(const side *one, const hy_cell *cell, size_t member, double other,
                     double shift)
{
    if (!cell)
        return 0;
    double games = (double)(cell->results[0] + cell->results[1] + cell->results[2]);
    double seat = cell->south == member ? 1 : -1;
    double difference =
        hy_model_rating(one->model, member) + shift - other + seat * hy_model_advantage(one->model);
    hy_game_odds odds = hy_odds(one->direction * difference, hy_model_nu(one->model));
    return games * log(odds.chance[HY_POINTS_WON]);
}

/* The log chance of what the group scored against those that bear a bound; *games counts them. */
static double likelihood(const side *one, double shift, uint64_t *games)
{
    double sum = 0, rating;
    *games = 0;
    for (size_t i = 0; i < one->table->num_pairings; i++) {
        const hy_rated_pairing *pairing = &one->table->pairings[i];
        bool first = one->model->group[pairing->first] == one->group;
        size_t member = first ? pairing->first : pairing->second;
        size_t other = first ? pairing->second : pairing->first;
        bool inside =
            one->model->group[member] == one->group && one->model->group[other] == one->group;
        if (inside || one->model->group[member] != one->group || !bears(one, other, &rating))
            continue;
        double points = first ? pairing->points : (double)pairing->games - pairing->points;
        if ((points > 0) != (one->direction > 0))
            continue;
        const hy_cell *south = hy_model_cell(one->model, member, other);
        const hy_cell *north = hy_model_cell(one->model, other, member);
        sum += ((chance(one, south, member, rating, shift) +
                 chance(one, north, member, rating, shift)) *
                (double)pairing->units) /
               (double)pairing->games;
        *games += pairing->games;
    }
    return sum;
}

/* The shift at which the likelihood is as low as the confidence allows; false without games. */
static bool find_shift(const side *one, double confidence, double *shift)
{
    double near = -FARTHEST, far = FARTHEST; /* `far` in the direction */
    double least = -gsl_cdf_chisq_Pinv(confidence, 1) / 2;
    uint64_t games;
    likelihood(one, 0, &games);
    if (games == 0)
        return false;
    for (unsigned i = 0; i < 100; i++) {
        double middle = (near + far) / 2;
        if (likelihood(one, one->direction * middle, &games) < least)
            near = middle;
        else
            far = middle;
    }
    *shift = one->direction * near;
    return true;
}

/* Returns whether that changed anything. */
static bool set_bounds(const side *one, double shift, hy_rating_table *table)
{
    bool above = one->direction > 0, changed = false;
    for (size_t i = 0; i < table->num_policies; i++) {
        hy_rating *rating = &table->ratings[i];
        if (one->model->group[i] != one->group)
            continue;
        double elo = HY_ELO_UNIT * (hy_model_rating(one->model, i) + shift);
        double *bound = above ? &rating->elo.low : &rating->elo.high;
        changed |= rating->kind == HY_RATING_UNKNOWN || fabs(*bound - elo) > 1e-6;
        rating->kind = above ? HY_RATING_ABOVE : HY_RATING_BELOW;
        *bound = elo;
    }
    return changed;
}

static bool place(const hy_rating_model *model, size_t group, double confidence,
                  hy_rating_table *table)
{
    for (int direction = 1; direction >= -1; direction -= 2) {
        side one = {model, table, group, direction};
        double shift;
        if (find_shift(&one, confidence, &shift))
            return set_bounds(&one, shift, table);
    }
    return false;
}

/* A bound may rest on another one that is set later, so there are passes until nothing changes; who
 * won every game against whom has no cycles, so that it ends. */
void hy_rating_bounds(const hy_rating_model *model, double confidence, hy_rating_table *table)
{
    bool changed = true;
    for (size_t pass = 0; changed && pass <= model->num_policies; pass++) {
        changed = false;
        for (size_t i = 0; i < model->num_policies; i++) {
            if (model->group[i] == i && table->ratings[i].kind != HY_RATING_KNOWN)
                changed |= place(model, i, confidence, table);
        }
    }
}
