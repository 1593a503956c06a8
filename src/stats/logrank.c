#include "stats/logrank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/lifetime_order.h"
#include "stats/symmetric.h"

/* Counts by group while time passes within a stratum. */
typedef struct counts {
    uint64_t *risk, *event, *gone; /* [group]; event and gone of one time */
    uint64_t all, all_event;
} counts;

static hy_status make(size_t groups, hy_logrank *logrank, counts *now, hy_error *error)
{
    *logrank = (hy_logrank){
        .num_groups = groups,
        .num_games = hy_new_array(groups, sizeof(uint64_t)),
        .observed = hy_new_array(groups, sizeof(double)),
        .expected = hy_new_array(groups, sizeof(double)),
        .variance = hy_new_array(groups * groups, sizeof(double)),
    };
    now->risk = hy_new_array(groups, sizeof(uint64_t));
    now->event = hy_new_array(groups, sizeof(uint64_t));
    now->gone = hy_new_array(groups, sizeof(uint64_t));
    bool made = logrank->num_games && logrank->observed && logrank->expected && logrank->variance &&
                now->risk && now->event && now->gone;
    return made ? HY_OK : hy_fail_memory(error);
}

/* Observed, expected and the hypergeometric covariance at one time, weighted. */
static void add_time(hy_logrank *logrank, const counts *now, double weight)
{
    size_t groups = logrank->num_groups;
    double n = (double)now->all, d = (double)now->all_event;
    double spread = now->all > 1 ? weight * weight * d * (n - d) / (n - 1) : 0;
    for (size_t i = 0; i < groups; i++) {
        double share = (double)now->risk[i] / n;
        logrank->observed[i] += weight * (double)now->event[i];
        logrank->expected[i] += weight * d * share;
        logrank->variance[i * groups + i] += spread * share;
        for (size_t k = 0; k < groups && now->risk[i] > 0; k++)
            logrank->variance[i * groups + k] -= spread * share * (double)now->risk[k] / n;
    }
}

static void count_time(const hy_lifetime *rows, size_t num, size_t groups, counts *now)
{
    memset(now->event, 0, groups * sizeof now->event[0]);
    memset(now->gone, 0, groups * sizeof now->gone[0]);
    now->all_event = 0;
    for (size_t i = 0; i < num; i++) {
        now->gone[rows[i].group] += rows[i].weight;
        if (!rows[i].event)
            continue;
        now->event[rows[i].group] += rows[i].weight;
        now->all_event += rows[i].weight;
    }
}

static void add_stratum(hy_logrank *logrank, const hy_lifetime *rows, size_t num, double rho,
                        counts *now)
{
    double survival = 1; /* before the time */
    memset(now->risk, 0, logrank->num_groups * sizeof now->risk[0]);
    now->all = 0;
    for (size_t i = 0; i < num; i++) {
        now->risk[rows[i].group] += rows[i].weight;
        now->all += rows[i].weight;
    }
    for (size_t i = 0; i < logrank->num_groups; i++)
        logrank->num_games[i] += now->risk[i];
    for (size_t first = 0, end; first < num; first = end) {
        end = hy_time_end(rows, num, first);
        count_time(rows + first, end - first, logrank->num_groups, now);
        if (now->all_event > 0) {
            add_time(logrank, now, rho > 0 ? pow(survival, rho) : 1);
            survival *= (double)(now->all - now->all_event) / (double)now->all;
        }
        for (size_t i = 0; i < logrank->num_groups; i++) {
            now->risk[i] -= now->gone[i];
            now->all -= now->gone[i];
        }
    }
}

/* The quadratic form has the rank of what can be compared: one less for each set of groups that
 * were at risk together. */
static hy_status test(hy_logrank *logrank, hy_error *error)
{
    hy_symmetric room;
    double *difference = hy_new_array(logrank->num_groups, sizeof *difference);
    if (!difference)
        return hy_fail_memory(error);
    hy_status status = hy_symmetric_init(&room, logrank->num_groups, error);
    if (status == HY_OK) {
        for (size_t i = 0; i < logrank->num_groups; i++)
            difference[i] = logrank->observed[i] - logrank->expected[i];
        double value = hy_symmetric_form(&room, logrank->variance, difference);
        logrank->test = hy_chi_square_test(value, (unsigned)room.rank);
        hy_symmetric_clean_up(&room);
    }
    free(difference);
    return status;
}

static hy_status check(const hy_lifetime *lifetimes, size_t num, size_t groups, double rho,
                       hy_error *error)
{
    if (!(rho >= 0) || !isfinite(rho))
        return hy_fail(error, HY_INVALID, "rho %g is not a finite number of at least 0", rho);
    for (size_t i = 0; i < num; i++) {
        if (lifetimes[i].group >= groups)
            return hy_fail(error, HY_INVALID, "row %zu: group %u, but there are %zu", i + 1,
                           lifetimes[i].group, groups);
    }
    return HY_OK;
}

hy_status hy_logrank_fit(const hy_lifetime *lifetimes, size_t num, size_t num_groups, double rho,
                         hy_logrank *logrank, hy_error *error)
{
    hy_lifetime *rows = NULL;
    size_t num_rows = 0;
    counts now = {0};
    *logrank = (hy_logrank){0};
    hy_status status = check(lifetimes, num, num_groups, rho, error);
    if (status == HY_OK)
        status = hy_lifetimes_order(lifetimes, num, true, &rows, &num_rows, NULL, error);
    if (status == HY_OK)
        status = make(num_groups, logrank, &now, error);
    for (size_t first = 0, end; status == HY_OK && first < num_rows; first = end) {
        end = hy_stratum_end(rows, num_rows, first);
        add_stratum(logrank, rows + first, end - first, rho, &now);
    }
    if (status == HY_OK)
        status = test(logrank, error);
    free(now.risk);
    free(now.event);
    free(now.gone);
    free(rows);
    if (status != HY_OK)
        hy_logrank_clean_up(logrank);
    return status;
}

void hy_logrank_clean_up(hy_logrank *logrank)
{
    free(logrank->num_games);
    free(logrank->observed);
    free(logrank->expected);
    free(logrank->variance);
    *logrank = (hy_logrank){0};
}
