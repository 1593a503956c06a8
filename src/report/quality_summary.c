/* Measures from sums over all games. */
#include <math.h>
#include <stdlib.h>

#include "report/json_values.h"
#include "report/quality.h"
#include "report/report.h"

#define CUT_REASON "games were cut (truncated or unresolved), so this would be a lower bound"
#define NO_RESULT_REASON "no games with a result"
#define NO_GAMES_REASON "no games"

/* --- ratios of two quantities --- */

/* y of x, with the three products of their names. */
typedef struct hy_ratio_row {
    hy_cheap_measure measure;
    hy_measure_kind kind;
    const char *name, *unit, *denominator;
    hy_quantity y, x;
    hy_product yy, xx, xy;
    double least;
} hy_ratio_row;

#define PRODUCTS(y, x)                                                                             \
    HY_QUANTITY_##y, HY_QUANTITY_##x, HY_PRODUCT_##y##_##y, HY_PRODUCT_##x##_##x,                  \
        HY_PRODUCT_##y##_##x

static const hy_ratio_row ratios[] = {
    {HY_CHEAP_DECISION_PLY_SHARE, HY_MEASURE_SHARE, "decision_ply_share", "share", "plies",
     PRODUCTS(DECISION_PLIES, PLIES), 0},
    {HY_CHEAP_BRANCHING_FACTOR, HY_MEASURE_RATIO, "branching_factor", "legal holes", "plies",
     PRODUCTS(LEGAL_HOLES, PLIES), 1},
    {HY_CHEAP_LAPS_PER_PLY, HY_MEASURE_RATIO, "laps_per_ply", "laps", "plies",
     PRODUCTS(LAPS, PLIES), 0},
    {HY_CHEAP_PASSES_PER_PLY, HY_MEASURE_RATIO, "passes_per_ply", "passes", "plies",
     PRODUCTS(PASSES, PLIES), 0},
    {HY_CHEAP_LEAD_CHANGES_PER_PLY, HY_MEASURE_SHARE, "lead_changes_per_ply", "changes", "plies",
     PRODUCTS(LEAD_CHANGES, PLIES), 0},
    {HY_CHEAP_CAPTURES_PER_TURN, HY_MEASURE_RATIO, "captures_per_turn", "captures", "turns",
     PRODUCTS(CAPTURES, TURNS), 0},
    {HY_CHEAP_CASAS_PER_CAPTURE, HY_MEASURE_RATIO, "casas_per_capture", "casas", "captures",
     PRODUCTS(CASAS, CAPTURES), 1},
    {HY_CHEAP_CHAIN_SHARE, HY_MEASURE_SHARE, "chain_share", "share", "captures",
     PRODUCTS(CHAINS, CAPTURES), 0},
    {HY_CHEAP_SOUTH_CAPTURE_SHARE, HY_MEASURE_SHARE, "south_capture_share", "share", "captures",
     PRODUCTS(SOUTH_CAPTURES, CAPTURES), 0},
    {HY_CHEAP_SOUTH_CHAIN_SHARE, HY_MEASURE_SHARE, "south_chain_share", "share", "chains",
     PRODUCTS(SOUTH_CHAINS, CHAINS), 0},
};

static double sum_of(const hy_summary *summary, hy_quantity quantity)
{
    return (double)summary->sums[quantity];
}

static double product_of(const hy_summary *summary, hy_product product)
{
    return (double)hy_summary_product(summary, product);
}

static void add_ratios(const hy_summary *summary, hy_measure *measures)
{
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        const hy_ratio_row *row = &ratios[i];
        hy_sums sums = {.n = summary->games,
                        .x = sum_of(summary, row->x),
                        .y = sum_of(summary, row->y),
                        .xx = product_of(summary, row->xx),
                        .yy = product_of(summary, row->yy),
                        .xy = product_of(summary, row->xy)};
        hy_measure *measure = &measures[row->measure];
        *measure = (hy_measure){.name = row->name,
                                .unit = row->unit,
                                .denominator = row->denominator,
                                .least = row->least};
        hy_measure_fill(measure, row->kind, &sums);
    }
}

/* Where there is one legal hole only, it is one: what is left over stands at decisions. With L
 * legal holes, P plies and D decisions, y = L − P + D. */
static void add_decision_factor(const hy_summary *summary, hy_measure *measure)
{
    double L = sum_of(summary, HY_QUANTITY_LEGAL_HOLES), P = sum_of(summary, HY_QUANTITY_PLIES),
           D = sum_of(summary, HY_QUANTITY_DECISION_PLIES);
    double LL = product_of(summary, HY_PRODUCT_LEGAL_HOLES_LEGAL_HOLES),
           PP = product_of(summary, HY_PRODUCT_PLIES_PLIES),
           DD = product_of(summary, HY_PRODUCT_DECISION_PLIES_DECISION_PLIES),
           LP = product_of(summary, HY_PRODUCT_LEGAL_HOLES_PLIES),
           LD = product_of(summary, HY_PRODUCT_LEGAL_HOLES_DECISION_PLIES),
           DP = product_of(summary, HY_PRODUCT_DECISION_PLIES_PLIES);
    hy_sums sums = {.n = summary->games,
                    .x = D,
                    .y = L - P + D,
                    .xx = DD,
                    .yy = LL + PP + DD - 2 * LP + 2 * LD - 2 * DP,
                    .xy = LD - DP + DD};
    *measure = (hy_measure){.name = "decision_factor",
                            .unit = "legal holes",
                            .denominator = "plies with more than one legal hole",
                            .least = 2};
    hy_measure_fill(measure, HY_MEASURE_RATIO, &sums);
}

/* --- shares of games --- */

static void set(hy_measure *measure, hy_estimate estimate, const char *method, double of,
                const char *reason)
{
    measure->estimate = estimate;
    measure->method = method;
    measure->of = of;
    measure->games = (uint64_t)of;
    measure->reason = estimate.known ? NULL : reason;
}

static void add_game_share(hy_measure *measure, const char *name, uint64_t count, uint64_t games)
{
    *measure = (hy_measure){.name = name, .unit = "share", .denominator = "games"};
    set(measure, hy_share(count, games, HY_CONFIDENCE), "wilson", (double)games, NO_GAMES_REASON);
}

static void add_game_shares(const hy_summary *summary, hy_measure *measures)
{
    const uint64_t *ended = summary->terminations, *results = summary->results;
    uint64_t games = summary->games;
    add_game_share(&measures[HY_CHEAP_SOUTH_WIN_SHARE], "south_win_share", results[HY_RESULT_SOUTH],
                   games);
    add_game_share(&measures[HY_CHEAP_COMPLETION], "completion", games - results[HY_RESULT_NONE],
                   games);
    add_game_share(&measures[HY_CHEAP_DRAWISHNESS], "drawishness", results[HY_RESULT_DRAW], games);
    add_game_share(&measures[HY_CHEAP_TIMEOUTS], "timeouts", ended[HY_TRUNCATED], games);
    add_game_share(&measures[HY_CHEAP_UNRESOLVED_SHARE], "unresolved_share", ended[HY_UNRESOLVED],
                   games);
    add_game_share(&measures[HY_CHEAP_ENDLESS_PER_GAME], "endless_per_game", ended[HY_ENDLESS],
                   games);
}

static hy_status add_endless_per_ply(const hy_summary *summary, hy_measure *measure,
                                     hy_error *error)
{
    hy_length_count *lengths;
    hy_status status = hy_summary_lengths(summary, &lengths, error);
    if (status != HY_OK)
        return status;
    double endless = (double)summary->terminations[HY_ENDLESS];
    hy_sums sums = {.n = summary->games,
                    .x = sum_of(summary, HY_QUANTITY_PLIES),
                    .y = endless,
                    .xx = product_of(summary, HY_PRODUCT_PLIES_PLIES),
                    .yy = endless};
    for (size_t i = 0; i < summary->num_lengths; i++) {
        if (lengths[i].termination == HY_ENDLESS)
            sums.xy += (double)lengths[i].plies * (double)lengths[i].games;
    }
    free(lengths);
    *measure = (hy_measure){.name = "endless_per_ply", .unit = "share", .denominator = "plies"};
    hy_measure_fill(measure, HY_MEASURE_SHARE, &sums);
    return HY_OK;
}

/* --- results --- */

static hy_estimate score_at(const hy_summary *summary, double confidence)
{
    return hy_score(summary->results[HY_RESULT_SOUTH], summary->results[HY_RESULT_DRAW],
                    summary->results[HY_RESULT_NORTH], confidence);
}

/* The lowest and highest |2 s − 1| over the interval of a score s. */
static void distance_bounds(const hy_estimate *score, double *low, double *high)
{
    double a = fabs(2 * score->low - 1), b = fabs(2 * score->high - 1);
    *low = score->low <= 0.5 && score->high >= 0.5 ? 0 : fmin(a, b);
    *high = fmax(a, b);
}

static hy_estimate balance_of(const hy_summary *summary)
{
    hy_estimate balance = score_at(summary, HY_CONFIDENCE);
    double low, high;
    if (!balance.known)
        return balance;
    distance_bounds(&balance, &low, &high);
    balance.value = 1 - fabs(2 * balance.value - 1);
    balance.standard_error *= 2;
    balance.low = 1 - high;
    balance.high = 1 - low;
    return balance;
}

/* Bonferroni: both intervals hold at once with at least the confidence asked for. */
static hy_estimate uniformity_of(const hy_summary *summary, uint64_t scored)
{
    double half = 1 - (1 - HY_CONFIDENCE) / 2, low, high;
    hy_estimate score = score_at(summary, half);
    hy_estimate draws = hy_share(summary->results[HY_RESULT_DRAW], scored, half);
    if (!score.known)
        return score;
    distance_bounds(&score, &low, &high);
    double distance = 2 * score.value - 1;
    return (hy_estimate){
        .known = true,
        .value = draws.value + distance * distance,
        .standard_error = NAN,
        .low = fmin(1, draws.low + low * low),
        .high = fmin(1, draws.high + high * high),
    };
}

static void add_results(const hy_summary *summary, hy_measure *measures)
{
    uint64_t scored = summary->games - summary->results[HY_RESULT_NONE];
    static const char with_result[] = "games with a result";
    hy_measure *score = &measures[HY_CHEAP_FIRST_PLAYER_SCORE];
    hy_measure *balance = &measures[HY_CHEAP_BALANCE];
    hy_measure *uniformity = &measures[HY_CHEAP_OUTCOME_UNIFORMITY];
    *score =
        (hy_measure){.name = "first_player_score", .unit = "points", .denominator = with_result};
    *balance = (hy_measure){.name = "balance", .unit = "share", .denominator = with_result};
    *uniformity = (hy_measure){
        .name = "outcome_uniformity", .unit = "1 - variance", .denominator = with_result};
    set(score, score_at(summary, HY_CONFIDENCE), HY_SCORE_METHOD, (double)scored, NO_RESULT_REASON);
    set(balance, balance_of(summary), "that of the score, folded", (double)scored,
        NO_RESULT_REASON);
    set(uniformity, uniformity_of(summary, scored),
        "from those of draws and score at half the error", (double)scored, NO_RESULT_REASON);
    score->error_reason = HY_ERROR_ALIKE;
    balance->error_reason = HY_ERROR_ALIKE;
    uniformity->error_reason = HY_ERROR_OF_METHOD;
}

/* --- means over games --- */

static void add_mean(const hy_summary *summary, hy_measure *measure, const char *name,
                     const char *unit, double sum, double squares)
{
    uint64_t cut = summary->terminations[HY_TRUNCATED] + summary->terminations[HY_UNRESOLVED];
    *measure = (hy_measure){.name = name, .unit = unit, .denominator = "games"};
    hy_estimate mean = cut > 0 ? hy_share(0, 0, HY_CONFIDENCE)
                               : hy_mean(summary->games, sum, squares, HY_CONFIDENCE, NULL);
    set(measure, mean, "t", (double)summary->games, cut > 0 ? CUT_REASON : "fewer than two games");
    hy_measure_limit(measure);
}

/* P̄ log10(L̄ / P̄) of mean plies P̄ and mean legal holes L̄: the linear part is a P + b L. */
static void add_complexity(const hy_summary *summary, hy_measure *measure)
{
    double n = (double)summary->games;
    double plies = sum_of(summary, HY_QUANTITY_PLIES),
           holes = sum_of(summary, HY_QUANTITY_LEGAL_HOLES);
    double branching = plies > 0 ? holes / plies : 1;
    double a = log10(branching) - 1 / log(10), b = 1 / (branching * log(10));
    double squares = a * a * product_of(summary, HY_PRODUCT_PLIES_PLIES) +
                     b * b * product_of(summary, HY_PRODUCT_LEGAL_HOLES_LEGAL_HOLES) +
                     2 * a * b * product_of(summary, HY_PRODUCT_LEGAL_HOLES_PLIES);
    add_mean(summary, measure, "game_tree_complexity", "log10 of positions", a * plies + b * holes,
             squares);
    if (measure->estimate.known && plies == 0)
        set(measure, hy_share(0, 0, HY_CONFIDENCE), "", n, "no plies");
    if (!measure->estimate.known)
        return;
    double shift = plies / n * log10(branching) - measure->estimate.value;
    measure->estimate.value += shift;
    measure->estimate.low = fmax(0, measure->estimate.low + shift);
    measure->estimate.high += shift;
    measure->method = "delta method, t";
}

static void add_means(const hy_rules *rules, const hy_summary *summary, hy_measure *measures)
{
    double total = hy_rules_total(rules);
    add_mean(summary, &measures[HY_CHEAP_PLIES_PER_GAME], "plies_per_game", "plies",
             sum_of(summary, HY_QUANTITY_PLIES), product_of(summary, HY_PRODUCT_PLIES_PLIES));
    add_mean(summary, &measures[HY_CHEAP_TURNS_PER_GAME], "turns_per_game", "turns",
             sum_of(summary, HY_QUANTITY_TURNS), product_of(summary, HY_PRODUCT_TURNS_TURNS));
    add_mean(summary, &measures[HY_CHEAP_LAPS_PER_GAME], "laps_per_game", "laps",
             sum_of(summary, HY_QUANTITY_LAPS), product_of(summary, HY_PRODUCT_LAPS_LAPS));
    add_complexity(summary, &measures[HY_CHEAP_GAME_TREE_COMPLEXITY]);
    hy_measure *claimed = &measures[HY_CHEAP_CLAIMED_SHARE];
    add_mean(summary, claimed, "claimed_share", "share",
             sum_of(summary, HY_QUANTITY_CLAIMED) / total,
             product_of(summary, HY_PRODUCT_CLAIMED_CLAIMED) / (total * total));
    claimed->denominator = "counters";
    claimed->most = 1;
    hy_measure_limit(claimed);
    claimed->of = total * (double)summary->games;
}

hy_status hy_quality_from_summary(const hy_rules *rules, const hy_summary *summary,
                                  hy_measure measures[HY_NUM_CHEAP_MEASURES], hy_error *error)
{
    add_ratios(summary, measures);
    add_decision_factor(summary, &measures[HY_CHEAP_DECISION_FACTOR]);
    add_game_shares(summary, measures);
    add_results(summary, measures);
    add_means(rules, summary, measures);
    return add_endless_per_ply(summary, &measures[HY_CHEAP_ENDLESS_PER_PLY], error);
}
