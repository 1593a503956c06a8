#include "sequential/plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/plan.h"
#include "stats/quantile.h"

#define LIMIT_Z 1.6448536269514722 /* one-sided 95 % */
#define KURTOSIS 9.0               /* of an exponential distribution */
#define ROUNDS 40

/* How one game's contribution varies in the pilot. */
typedef struct spread {
    double n;        /* games that count */
    double variance; /* with n − 1 */
    double kurtosis; /* of the contribution */
} spread;

/* Of a ratio Σy / Σx the contribution is the linearised (y − r·x) / mean x; of a mean it is y. */
static spread spread_of(hy_stop_metric metric, const hy_stop_metric_sums *sums)
{
    hy_ratio_sums ratio = {
        .n = sums->n,
        .x = (double)sums->x,
        .y = (double)sums->y,
        .xx = (double)sums->xx,
        .yy = (double)sums->yy,
        .xy = (double)sums->xy,
    };
    double scale = hy_stop_metric_scale(metric);
    double error = hy_ratio(&ratio, 0.95).standard_error / scale;
    return (spread){(double)sums->n, error * error * (double)sums->n, KURTOSIS};
}

/* The score takes 0, 1/2 and 1, so its fourth moment is known. */
static double score_kurtosis(const hy_stop_metric_sums *sums)
{
    double n = (double)sums->n, wins = (double)(sums->yy - sums->y) / 2;
    double draws = (double)sums->y - 2 * wins, losses = n - wins - draws;
    double mean = (wins + draws / 2) / n, second = 0, fourth = 0;
    const double points[3] = {1, 0.5, 0}, counts[3] = {wins, draws, losses};
    for (int i = 0; i < 3; i++) {
        double square = (points[i] - mean) * (points[i] - mean);
        second += counts[i] / n * square;
        fourth += counts[i] / n * square * square;
    }
    return fourth / (second * second);
}

/* A pilot that happens to lack the long games has too small a variance and too small a fourth
 * moment, so no less than KURTOSIS is taken. */
static hy_status length_kurtosis(const hy_summary *summary, double *kurtosis, hy_error *error)
{
    hy_length_count *lengths;
    double n = (double)summary->games, second = 0, fourth = 0;
    double mean = (double)summary->sums[HY_QUANTITY_PLIES] / n;
    hy_status status = hy_summary_lengths(summary, &lengths, error);
    if (status != HY_OK)
        return status;
    for (size_t i = 0; i < summary->num_lengths; i++) {
        double square = (lengths[i].plies - mean) * (lengths[i].plies - mean);
        second += (double)lengths[i].games / n * square;
        fourth += (double)lengths[i].games / n * square * square;
    }
    free(lengths);
    *kurtosis = second > 0 ? fmax(KURTOSIS, fourth / (second * second)) : KURTOSIS;
    return HY_OK;
}

/* What the deviation in a run of `games` games will at most be: the variances of pilot and run both
 * vary, their logarithms by about (kurtosis − 1)/n. */
static double deviation_limit(const spread *pilot, double games)
{
    double both = 1 / pilot->n + 1 / games;
    return sqrt(pilot->variance * exp(LIMIT_Z * sqrt((pilot->kurtosis - 1) * both)));
}

static double games_for(const hy_plan_target *target, double deviation)
{
    if (target->half_width > 0)
        return hy_plan_mean_width(deviation, target->half_width, target->confidence);
    return hy_plan_two_means(target->difference, deviation, deviation, 1 - target->confidence,
                             target->power);
}

/* Student's interval is wider than the normal one where there are few games. */
static double with_few(const hy_plan_target *target, double games)
{
    double n = fmax(2, games);
    double ratio = hy_two_sided_t(target->confidence, n - 1) / hy_two_sided_z(target->confidence);
    return games * ratio * ratio;
}

/* The limit depends on the games asked for, which depend on it. */
static double games_of_mean(const hy_plan_target *target, const spread *pilot, double *limit)
{
    double games = pilot->n;
    bool bounded = target->metric == HY_STOP_METRIC_FIRST_PLAYER_SCORE;
    for (int i = 0; i < ROUNDS; i++) {
        *limit = deviation_limit(pilot, games);
        *limit = bounded ? fmin(*limit, 0.5) : *limit;
        double needed = fmax(2, with_few(target, games_for(target, *limit)));
        games = needed < games ? fmax(needed, games / 4) : needed;
    }
    return games;
}

/* The end of Wilson's interval for a share seen in `n` games that is nearest to 1/2. */
static double share_limit(double share, double n)
{
    double zz = LIMIT_Z * LIMIT_Z, middle = (share + zz / (2 * n)) / (1 + zz / n);
    double half = LIMIT_Z / (1 + zz / n) * sqrt(share * (1 - share) / n + zz / (4 * n * n));
    if (fabs(middle - 0.5) <= half)
        return 0.5;
    return middle < 0.5 ? middle + half : middle - half;
}

static double wilson_half_width(double share, double n, double z)
{
    return z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
}

static double games_of_share(const hy_plan_target *target, double share, double pilot,
                             double *limit)
{
    double games = pilot, z = hy_two_sided_z(target->confidence);
    for (int i = 0; i < ROUNDS; i++) {
        double nearest = share_limit(share, 1 / (1 / pilot + 1 / games));
        *limit = sqrt(nearest * (1 - nearest));
        double needed = fmax(2, games_for(target, *limit));
        while (target->half_width > 0 && wilson_half_width(nearest, needed, z) > target->half_width)
            needed *= 1.01;
        games = needed < games ? fmax(needed, games / 4) : needed;
    }
    return games;
}

static bool is_share(hy_stop_metric metric)
{
    return metric == HY_STOP_METRIC_DRAWS || metric == HY_STOP_METRIC_ENDLESS;
}

static hy_status plan_games(const hy_plan_target *target, const hy_summary *summary,
                            const hy_stop_metric_sums *sums, hy_plan_row *row, hy_error *error)
{
    spread pilot = spread_of(target->metric, sums);
    double games;
    hy_status status = HY_OK;
    row->deviation = sqrt(pilot.variance);
    if (is_share(target->metric)) {
        games = games_of_share(target, (double)sums->y / pilot.n, pilot.n, &row->deviation_limit);
    } else if (!(pilot.variance > 0)) {
        row->fault = HY_PLAN_ALIKE;
        return HY_OK;
    } else {
        if (target->metric == HY_STOP_METRIC_FIRST_PLAYER_SCORE)
            pilot.kurtosis = score_kurtosis(sums);
        else if (target->metric == HY_STOP_METRIC_PLIES)
            status = length_kurtosis(summary, &pilot.kurtosis, error);
        games = games_of_mean(target, &pilot, &row->deviation_limit);
    }
    games = ceil(games * (double)summary->games / pilot.n);
    if (games <= HY_LIMIT_GAMES)
        row->games = (uint64_t)games;
    else
        row->fault = HY_PLAN_HUGE;
    return status;
}

static hy_status plan_row(const hy_plan_target *target, const hy_summary *summary, hy_plan_row *row,
                          hy_error *error)
{
    hy_stop_metric_sums sums = hy_stop_metric_sum(target->metric, summary);
    row->pilot_games = summary->games;
    row->pilot_counting = sums.n;
    row->estimate = hy_stop_metric_estimate(target->metric, &sums, target->confidence);
    row->deviation = NAN;
    row->deviation_limit = NAN;
    row->plies = (double)summary->sums[HY_QUANTITY_PLIES] / (double)summary->games;
    if (hy_stop_metric_needs_ends(target->metric) && sums.cut > 0)
        row->fault = HY_PLAN_CUT;
    else if (sums.n < 2)
        row->fault = HY_PLAN_FEW;
    else if (sums.x == 0)
        row->fault = HY_PLAN_ALIKE;
    return row->fault == HY_PLAN_GOOD ? plan_games(target, summary, &sums, row, error) : HY_OK;
}

static hy_status plan_rows(hy_store *store, hy_plan *plan, hy_error *error)
{
    const hy_experiment *experiment = plan->experiment;
    hy_summary summary = {0};
    hy_status status = HY_OK;
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++) {
            hy_plan_row *row = &plan->rows[plan->num_rows++];
            *row = (hy_plan_row){.condition = i, .swapped = s > 0};
            status = hy_store_summary(store, i, s > 0, &summary, error);
            if (status == HY_OK)
                status = plan_row(&plan->target, &summary, row, error);
        }
    }
    hy_summary_clean_up(&summary);
    return status;
}

/* Up to three digits. */
static uint64_t round_up(uint64_t games)
{
    uint64_t unit = 1;
    while (games / unit >= 1000)
        unit *= 10;
    return (games + unit - 1) / unit * unit;
}

/* Time goes by plies, disk by rows. */
static hy_status plan_costs(hy_store *store, hy_plan *plan, hy_error *error)
{
    hy_costs costs;
    double pilot_plies = 0, plies = 0;
    hy_status status = hy_store_costs(store, &costs, error);
    if (status != HY_OK)
        return status;
    for (size_t i = 0; i < plan->num_rows; i++) {
        const hy_plan_row *row = &plan->rows[i];
        if (row->pilot_games == 0)
            continue;
        pilot_plies += (double)row->pilot_games * row->plies;
        plies += (double)plan->games * row->plies;
    }
    bool summary = plan->experiment->record == HY_RECORD_SUMMARY;
    uint64_t blocks = (plan->games + HY_BLOCK_GAMES - 1) / HY_BLOCK_GAMES;
    plan->threads = costs.threads;
    plan->seconds = costs.thread_seconds / costs.threads * plies / pilot_plies;
    plan->seconds_low = costs.num_cut > 0;
    plan->bytes = costs.fixed_bytes +
                  costs.row_bytes * (double)(summary ? blocks * plan->num_rows : plan->all_games);
    return HY_OK;
}

hy_status hy_plan_build(hy_store *store, const hy_plan_target *target, hy_plan *plan,
                        hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    *plan = (hy_plan){.experiment = experiment, .target = *target, .seconds = NAN, .bytes = NAN};
    plan->rows = hy_new_array(2 * experiment->num_conditions, sizeof plan->rows[0]);
    hy_status status = plan->rows ? HY_OK : hy_fail_memory(error);
    if (status == HY_OK)
        status = plan_rows(store, plan, error);
    for (size_t i = 0; status == HY_OK && i < plan->num_rows; i++) {
        plan->num_faults += plan->rows[i].fault != HY_PLAN_GOOD;
        if (plan->rows[i].games > plan->games)
            plan->games = plan->rows[i].games;
    }
    plan->games = round_up(plan->games);
    plan->all_games = plan->games * plan->num_rows;
    if (status == HY_OK && plan->games > 0)
        status = plan_costs(store, plan, error);
    if (status != HY_OK)
        hy_plan_clean_up(plan);
    return status;
}

void hy_plan_clean_up(hy_plan *plan)
{
    free(plan->rows);
    *plan = (hy_plan){0};
}
