/* Measures from the positions of games played again. */
#include "report/quality.h"

#define OF_ALL "share of all counters"
#define DECISIONS "plies with more than one legal hole"
#define WITH_WINNER "games with a winner"

/* Values to the mover go from −1 to 1. */
typedef struct hy_valued_row {
    hy_measure_kind kind;
    const char *name, *unit, *denominator;
    double least, most;
} hy_valued_row;

static const hy_valued_row rows[HY_NUM_QUALITY_MEASURES] = {
    [HY_QUALITY_DRAMA] = {HY_MEASURE_MEAN, "drama", OF_ALL, WITH_WINNER, 0, 2},
    [HY_QUALITY_LEAD_CHANGES] = {HY_MEASURE_SHARE, "value_lead_changes_per_ply", "changes", "plies",
                                 0, 1},
    [HY_QUALITY_STABILITY] = {HY_MEASURE_MEAN, "stability", "variance of " OF_ALL,
                              "games with a ply", 0, 2},
    [HY_QUALITY_DECISIVENESS_THRESHOLD] = {HY_MEASURE_MEAN, "decisiveness_threshold", OF_ALL,
                                           "games with a result", -1, 1},
    [HY_QUALITY_DECISIVENESS_PLIES] = {HY_MEASURE_MEAN, "decisiveness_plies",
                                       "share of the game's plies", WITH_WINNER, 0, 1},
    [HY_QUALITY_COMEBACK] = {HY_MEASURE_GAME_SHARE, "comeback", "share", WITH_WINNER, 0, 1},
    [HY_QUALITY_COMEBACK_BY_SCORE] = {HY_MEASURE_GAME_SHARE, "comeback_by_score", "share",
                                      WITH_WINNER, 0, 1},
    [HY_QUALITY_NARROWNESS] = {HY_MEASURE_SHARE, "clarity_narrowness", "share of legal holes",
                               DECISIONS, 0, 1},
    [HY_QUALITY_HOLE_VARIANCE] = {HY_MEASURE_SHARE, "clarity_variance", "variance of " OF_ALL,
                                  DECISIONS, 0, 1},
    [HY_QUALITY_FLAT] = {HY_MEASURE_SHARE, "flat_decision_share", "share", DECISIONS, 0, 1},
    [HY_QUALITY_REGRET] = {HY_MEASURE_SHARE, "regret", OF_ALL, DECISIONS, 0, 2},
    [HY_QUALITY_EXACT_REGRET] = {HY_MEASURE_SHARE, "exact_regret", OF_ALL,
                                 DECISIONS ", valued exactly", 0, 2},
    [HY_QUALITY_EXACT_SHARE] = {HY_MEASURE_SHARE, "exact_share", "share", DECISIONS, 0, 1},
    [HY_QUALITY_REPETITION] = {HY_MEASURE_SHARE, "repetition", "share",
                               "positions in which a ply was played", 0, 1},
    [HY_QUALITY_BOARD_REPETITION] = {HY_MEASURE_SHARE, "repetition_without_mover", "share",
                                     "positions in which a ply was played", 0, 1},
};

void hy_quality_from_sums(const hy_quality_sums *sums, hy_measure measures[HY_NUM_QUALITY_MEASURES])
{
    for (unsigned i = 0; i < HY_NUM_QUALITY_MEASURES; i++) {
        measures[i] = (hy_measure){.name = rows[i].name,
                                   .unit = rows[i].unit,
                                   .denominator = rows[i].denominator,
                                   .least = rows[i].least,
                                   .most = rows[i].most};
        hy_measure_fill(&measures[i], rows[i].kind, &sums->measures[i]);
    }
}
