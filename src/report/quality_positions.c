/* Measures from the positions of games played again. */
#include "report/quality.h"

#define OF_ALL "share of all counters"
#define DECISIONS "plies with more than one legal hole"
#define WITH_WINNER "games with a winner"

typedef struct hy_valued_row {
    hy_measure_kind kind;
    const char *name, *unit, *denominator;
} hy_valued_row;

static const hy_valued_row rows[HY_NUM_QUALITY_MEASURES] = {
    [HY_QUALITY_DRAMA] = {HY_MEASURE_MEAN, "drama", OF_ALL, WITH_WINNER},
    [HY_QUALITY_LEAD_CHANGES] = {HY_MEASURE_SHARE, "value_lead_changes_per_ply", "changes",
                                 "plies"},
    [HY_QUALITY_STABILITY] = {HY_MEASURE_MEAN, "stability", "variance of " OF_ALL,
                              "games with a ply"},
    [HY_QUALITY_DECISIVENESS_THRESHOLD] = {HY_MEASURE_MEAN, "decisiveness_threshold", OF_ALL,
                                           "games with a result"},
    [HY_QUALITY_DECISIVENESS_PLIES] = {HY_MEASURE_MEAN, "decisiveness_plies",
                                       "share of the game's plies", WITH_WINNER},
    [HY_QUALITY_COMEBACK] = {HY_MEASURE_GAME_SHARE, "comeback", "share", WITH_WINNER},
    [HY_QUALITY_COMEBACK_BY_SCORE] = {HY_MEASURE_GAME_SHARE, "comeback_by_score", "share",
                                      WITH_WINNER},
    [HY_QUALITY_NARROWNESS] = {HY_MEASURE_RATIO, "clarity_narrowness", "share of legal holes",
                               DECISIONS},
    [HY_QUALITY_HOLE_VARIANCE] = {HY_MEASURE_RATIO, "clarity_variance", "variance of " OF_ALL,
                                  DECISIONS},
    [HY_QUALITY_FLAT] = {HY_MEASURE_SHARE, "flat_decision_share", "share", DECISIONS},
    [HY_QUALITY_REGRET] = {HY_MEASURE_RATIO, "regret", OF_ALL, DECISIONS},
    [HY_QUALITY_EXACT_REGRET] = {HY_MEASURE_RATIO, "exact_regret", OF_ALL,
                                 DECISIONS ", valued exactly"},
    [HY_QUALITY_EXACT_SHARE] = {HY_MEASURE_SHARE, "exact_share", "share", DECISIONS},
    [HY_QUALITY_REPETITION] = {HY_MEASURE_SHARE, "repetition", "share",
                               "positions in which a ply was played"},
    [HY_QUALITY_BOARD_REPETITION] = {HY_MEASURE_SHARE, "repetition_without_mover", "share",
                                     "positions in which a ply was played"},
};

void hy_quality_from_sums(const hy_quality_sums *sums, hy_measure measures[HY_NUM_QUALITY_MEASURES])
{
    for (unsigned i = 0; i < HY_NUM_QUALITY_MEASURES; i++) {
        measures[i] = (hy_measure){
            .name = rows[i].name, .unit = rows[i].unit, .denominator = rows[i].denominator};
        hy_measure_fill(&measures[i], rows[i].kind, &sums->measures[i]);
    }
}
