#include "report/metric.h"

#include <math.h>
#include <string.h>

#include "base/words.h"

#define Q(word) HY_QUANTITY_##word
#define GAMES "games"
#define CAPTURES "captures (plies that take a casa)"

const hy_metric hy_metrics[] = {
    {"first_player_score", HY_METRIC_SCORE, 0, 0, "points", "games with a result",
     "south's points: a win 1, a draw 1/2", NULL},
    {"south_win_share", HY_METRIC_RESULT, HY_RESULT_SOUTH, 0, "share", GAMES,
     "games won by south (Ludii's AdvantageP1)", NULL},
    {"north_win_share", HY_METRIC_RESULT, HY_RESULT_NORTH, 0, "share", GAMES, "games won by north",
     NULL},
    {"draw_share", HY_METRIC_RESULT, HY_RESULT_DRAW, 0, "share", GAMES, "drawn games", NULL},
    {"no_result_share", HY_METRIC_RESULT, HY_RESULT_NONE, 0, "share", GAMES,
     "games without a result", NULL},
    {"endless_share", HY_METRIC_TERMINATION, HY_ENDLESS, 0, "share", GAMES,
     "games ended by an endless sowing", NULL},
    {"repetition_share", HY_METRIC_TERMINATION, HY_REPETITION, 0, "share", GAMES,
     "games ended by repetition", NULL},
    {"truncated_share", HY_METRIC_TERMINATION, HY_TRUNCATED, 0, "share", GAMES,
     "games cut at max_plies", NULL},
    {"plies", HY_METRIC_MEAN, Q(PLIES), 0, "plies", GAMES, "mean length",
     "restricted_plies, median_plies or hazard"},
    {"restricted_plies", HY_METRIC_RESTRICTED, Q(PLIES), 0, "plies", GAMES,
     "mean length up to the horizon: the shorter of length and horizon", NULL},
    {"median_plies", HY_METRIC_MEDIAN, Q(PLIES), 0, "plies", GAMES,
     "median length, by Kaplan and Meier", NULL},
    {"hazard", HY_METRIC_HAZARD, Q(PLIES), 0, "ratio", "games still going on",
     "rate of ending per ply: above 1, games end sooner", NULL},
    {"turns", HY_METRIC_MEAN, Q(TURNS), 0, "turns", GAMES, "turns a game", "plies_per_turn"},
    {"passes", HY_METRIC_MEAN, Q(PASSES), 0, "passes", GAMES, "passes a game", "passes_per_ply"},
    {"laps", HY_METRIC_MEAN, Q(LAPS), 0, "laps", GAMES, "laps a game", "laps_per_ply"},
    {"captures", HY_METRIC_MEAN, Q(CAPTURES), 0, "captures", GAMES, "captures a game",
     "captures_per_ply"},
    {"casas", HY_METRIC_MEAN, Q(CASAS), 0, "casas", GAMES, "casas a game", "casas_per_capture"},
    {"chains", HY_METRIC_MEAN, Q(CHAINS), 0, "chains", GAMES, "captures a game that take a chain",
     "chains_per_capture or chains_per_ply"},
    {"claimed", HY_METRIC_MEAN, Q(CLAIMED), 0, "counters", GAMES,
     "counters a game taken by a claim", NULL},
    {"lead_changes", HY_METRIC_MEAN, Q(LEAD_CHANGES), 0, "changes", GAMES,
     "changes of the leading player a game", "lead_changes_per_ply"},
    {"chains_per_capture", HY_METRIC_RATIO, Q(CHAINS), Q(CAPTURES), "share", CAPTURES,
     "captures that take a chain", NULL},
    {"chains_per_ply", HY_METRIC_RATIO, Q(CHAINS), Q(PLIES), "share", "plies",
     "plies that take a chain", NULL},
    {"casas_per_capture", HY_METRIC_RATIO, Q(CASAS), Q(CAPTURES), "casas", CAPTURES,
     "casas a capture", NULL},
    {"captures_per_ply", HY_METRIC_RATIO, Q(CAPTURES), Q(PLIES), "share", "plies",
     "plies that capture", NULL},
    {"captures_per_turn", HY_METRIC_RATIO, Q(CAPTURES), Q(TURNS), "captures", "turns",
     "captures a turn", NULL},
    {"plies_per_turn", HY_METRIC_RATIO, Q(PLIES), Q(TURNS), "plies", "turns", "plies a turn", NULL},
    {"laps_per_ply", HY_METRIC_RATIO, Q(LAPS), Q(PLIES), "laps", "plies", "laps a ply", NULL},
    {"passes_per_ply", HY_METRIC_RATIO, Q(PASSES), Q(PLIES), "passes", "plies", "passes a ply",
     NULL},
    {"lead_changes_per_ply", HY_METRIC_RATIO, Q(LEAD_CHANGES), Q(PLIES), "changes", "plies",
     "changes of the leading player a ply", NULL},
    {"branching_factor", HY_METRIC_RATIO, Q(LEGAL_HOLES), Q(PLIES), "holes", "plies",
     "legal holes a ply", NULL},
    {"decision_share", HY_METRIC_RATIO, Q(DECISION_PLIES), Q(PLIES), "share", "plies",
     "plies with more than one legal hole", NULL},
    {"south_capture_share", HY_METRIC_RATIO, Q(SOUTH_CAPTURES), Q(CAPTURES), "share", CAPTURES,
     "captures made in south's plies", NULL},
    {"south_chain_share", HY_METRIC_RATIO, Q(SOUTH_CHAINS), Q(CHAINS), "share", "chains",
     "chains taken in south's plies", NULL},
};

const size_t hy_num_metrics = sizeof hy_metrics / sizeof hy_metrics[0];

const hy_metric *hy_metric_find(const char *word)
{
    for (size_t i = 0; i < hy_num_metrics; i++) {
        if (strcmp(hy_metrics[i].word, word) == 0)
            return &hy_metrics[i];
    }
    return NULL;
}

hy_status hy_metric_parse(const char *word, const hy_metric **metric, hy_error *error)
{
    const char *words[sizeof hy_metrics / sizeof hy_metrics[0]];
    *metric = hy_metric_find(word);
    if (*metric)
        return HY_OK;
    for (size_t i = 0; i < hy_num_metrics; i++)
        words[i] = hy_metrics[i].word;
    const char *near = hy_nearest_word(word, words, hy_num_metrics);
    return hy_fail(error, HY_INVALID,
                   "unknown metric '%.40s'%s%s%s; 'hoyito compare --list' has all", word,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

uint64_t hy_num_censored(const hy_summary *summary)
{
    return summary->terminations[HY_TRUNCATED] + summary->terminations[HY_UNRESOLVED];
}

/* Whether some game was cut before it had `horizon` plies. */
static bool is_cut_before(const hy_summary *summary, double horizon)
{
    for (size_t i = 0; i < summary->length_capacity; i++) {
        const hy_length_count *length = &summary->lengths[i];
        if (length->games > 0 && hy_is_cut(length->termination) && length->plies < horizon)
            return true;
    }
    return false;
}

bool hy_metric_is_ratio(const hy_metric *metric, const hy_summary *summary, double horizon)
{
    switch (metric->kind) {
    case HY_METRIC_SCORE:
    case HY_METRIC_RESULT:
    case HY_METRIC_TERMINATION:
    case HY_METRIC_MEAN:
    case HY_METRIC_RATIO:
        return true;
    case HY_METRIC_RESTRICTED:
        return !is_cut_before(summary, horizon);
    case HY_METRIC_MEDIAN:
    case HY_METRIC_HAZARD:
        break;
    }
    return false;
}

/* The sum of a*b over games; every product that a metric needs is there. */
static double product_of(const hy_summary *summary, uint8_t a, uint8_t b)
{
    for (size_t i = 0; i < HY_NUM_PRODUCTS; i++) {
        const uint8_t *factors = hy_product_factors[i];
        if ((factors[0] == a && factors[1] == b) || (factors[0] == b && factors[1] == a))
            return (double)hy_summary_product(summary, (hy_product)i);
    }
    return NAN;
}

/* Sums of a number y a game. */
static hy_ratio_sums sums_of_mean(const hy_summary *summary, double y, double yy)
{
    double n = (double)summary->games;
    return (hy_ratio_sums){.n = summary->games, .x = n, .y = y, .xx = n, .yy = yy, .xy = y};
}

static hy_ratio_sums sums_of_score(const hy_summary *summary)
{
    double won = (double)summary->results[HY_RESULT_SOUTH];
    double drawn = (double)summary->results[HY_RESULT_DRAW];
    double scored = won + drawn + (double)summary->results[HY_RESULT_NORTH];
    double points = won + drawn / 2;
    return (hy_ratio_sums){.n = summary->games,
                           .x = scored,
                           .y = points,
                           .xx = scored,
                           .yy = won + drawn / 4,
                           .xy = points};
}

static hy_ratio_sums sums_up_to(const hy_summary *summary, double horizon)
{
    double y = 0, yy = 0;
    for (size_t i = 0; i < summary->length_capacity; i++) {
        const hy_length_count *length = &summary->lengths[i];
        double plies = length->plies < horizon ? length->plies : horizon;
        y += plies * (double)length->games;
        yy += plies * plies * (double)length->games;
    }
    return sums_of_mean(summary, y, yy);
}

hy_ratio_sums hy_metric_sums(const hy_metric *metric, const hy_summary *summary, double horizon)
{
    uint8_t y = metric->y, x = metric->x;
    double count;
    switch (metric->kind) {
    case HY_METRIC_SCORE:
        return sums_of_score(summary);
    case HY_METRIC_RESULT:
        count = (double)summary->results[y];
        return sums_of_mean(summary, count, count);
    case HY_METRIC_TERMINATION:
        count = (double)summary->terminations[y];
        return sums_of_mean(summary, count, count);
    case HY_METRIC_MEAN:
        return sums_of_mean(summary, (double)summary->sums[y], product_of(summary, y, y));
    case HY_METRIC_RATIO:
        return (hy_ratio_sums){.n = summary->games,
                               .x = (double)summary->sums[x],
                               .y = (double)summary->sums[y],
                               .xx = product_of(summary, x, x),
                               .yy = product_of(summary, y, y),
                               .xy = product_of(summary, x, y)};
    case HY_METRIC_RESTRICTED:
        return sums_up_to(summary, horizon);
    case HY_METRIC_MEDIAN:
    case HY_METRIC_HAZARD:
        break;
    }
    return (hy_ratio_sums){0};
}

void hy_metric_of_game(const hy_metric *metric, const hy_game_record *record, double horizon,
                       double *y, double *x)
{
    static const double points[HY_NUM_RESULTS] = {[HY_RESULT_SOUTH] = 1, [HY_RESULT_DRAW] = 0.5};
    uint64_t values[HY_NUM_QUANTITIES];
    *x = 1;
    *y = 0;
    switch (metric->kind) {
    case HY_METRIC_SCORE:
        *y = points[record->result];
        *x = record->result != HY_RESULT_NONE;
        return;
    case HY_METRIC_RESULT:
        *y = record->result == metric->y;
        return;
    case HY_METRIC_TERMINATION:
        *y = record->termination == metric->y;
        return;
    case HY_METRIC_MEAN:
        hy_quantities_of(record, values);
        *y = (double)values[metric->y];
        return;
    case HY_METRIC_RATIO:
        hy_quantities_of(record, values);
        *y = (double)values[metric->y];
        *x = (double)values[metric->x];
        return;
    case HY_METRIC_RESTRICTED:
        *y = record->plies < horizon ? record->plies : horizon;
        return;
    case HY_METRIC_MEDIAN:
    case HY_METRIC_HAZARD:
        return;
    }
}

hy_estimate hy_metric_value(const hy_metric *metric, const hy_summary *summary, double horizon,
                            double confidence)
{
    const uint64_t *results = summary->results;
    hy_ratio_sums sums = hy_metric_sums(metric, summary, horizon);
    switch (metric->kind) {
    case HY_METRIC_SCORE:
        return hy_score(results[HY_RESULT_SOUTH], results[HY_RESULT_DRAW], results[HY_RESULT_NORTH],
                        confidence);
    case HY_METRIC_RESULT:
    case HY_METRIC_TERMINATION:
        return hy_share((uint64_t)sums.y, summary->games, confidence);
    case HY_METRIC_MEAN:
    case HY_METRIC_RESTRICTED:
        return hy_mean(summary->games, sums.y, sums.yy, confidence, NULL);
    case HY_METRIC_RATIO:
        return strcmp(metric->unit, "share") == 0 ? hy_clustered_share(&sums, confidence)
                                                  : hy_ratio(&sums, confidence);
    case HY_METRIC_MEDIAN:
    case HY_METRIC_HAZARD:
        break;
    }
    return hy_share(0, 0, confidence);
}
