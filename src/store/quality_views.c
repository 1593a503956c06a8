/* The views of the measures of games, and what their columns mean. */
#include "store/views.h"

/* Sums over the games of what `v_quality` divides, from rows and from blocks, in one order. */
#define ROW_SUMS                                                                                   \
    ", sum(plies) AS plies, sum(turns) AS turns, sum(passes) AS passes"                            \
    ", sum(laps) AS laps, sum(captures) AS captures, sum(casas) AS casas"                          \
    ", sum(chains) AS chains, sum(lead_changes) AS lead_changes"                                   \
    ", sum(legal_holes) AS legal_holes, sum(decision_plies) AS decision_plies"                     \
    ", sum(south_captures) AS south_captures, sum(south_chains) AS south_chains"                   \
    ", sum(claimed) AS claimed, sum(counters) AS counters"
#define BLOCK_SUMS                                                                                 \
    ", sum(sums ->> 'plies'), sum(sums ->> 'turns'), sum(sums ->> 'passes')"                       \
    ", sum(sums ->> 'laps'), sum(sums ->> 'captures'), sum(sums ->> 'casas')"                      \
    ", sum(sums ->> 'chains'), sum(sums ->> 'lead_changes')"                                       \
    ", sum(sums ->> 'legal_holes'), sum(sums ->> 'decision_plies')"                                \
    ", sum(sums ->> 'south_captures'), sum(sums ->> 'south_chains')"                               \
    ", sum(sums ->> 'claimed'), sum(sums ->> 'counters')"

static const char quality_views_sql[] =
    /* NULL where a denominator is 0, and for means over games where some were cut */
    "CREATE VIEW v_quality AS"
    " WITH tally AS ("
    "  SELECT condition_id, swapped, count(*) AS games, sum(result = 'south') AS south,"
    "  sum(result = 'north') AS north, sum(result = 'draw') AS draw,"
    "  sum(termination = 'truncated') AS truncated, sum(termination = 'unresolved') AS unresolved,"
    "  sum(termination = 'endless') AS never_ending" ROW_SUMS
    "  FROM game GROUP BY condition_id, swapped"
    "  UNION ALL"
    "  SELECT condition_id, swapped, sum(games), sum(results ->> 'south'),"
    "  sum(results ->> 'north'), sum(results ->> 'draw'), sum(terminations ->> 'truncated'),"
    "  sum(terminations ->> 'unresolved'), sum(terminations ->> 'endless')" BLOCK_SUMS
    "  FROM block GROUP BY condition_id, swapped),"
    " part AS (SELECT *, 1.0 * games AS n, nullif(1.0 * (south + north + draw), 0) AS scored,"
    "  CASE truncated + unresolved WHEN 0 THEN 1.0 * games END AS uncut FROM tally)"
    " SELECT condition_id, swapped, holes, seeds, first_policy, second_policy, games,"
    " south + north + draw AS games_with_result, truncated + unresolved AS games_cut,"
    " (south + 0.5 * draw) / scored AS first_player_score,"
    " south / n AS south_win_share,"
    " 1 - abs(south - north) / scored AS balance,"
    " (south + north + draw) / n AS completion,"
    " draw / n AS drawishness,"
    " truncated / n AS timeouts,"
    " unresolved / n AS unresolved_share,"
    " never_ending / n AS endless_per_game,"
    " 1.0 * never_ending / nullif(plies, 0) AS endless_per_ply,"
    " draw / scored + (south - north) / scored * ((south - north) / scored)"
    "  AS outcome_uniformity,"
    " plies / uncut AS plies_per_game,"
    " turns / uncut AS turns_per_game,"
    " laps / uncut AS laps_per_game,"
    " counters / uncut AS counters_per_game,"
    " 1.0 * decision_plies / nullif(plies, 0) AS decision_ply_share,"
    " 1.0 * legal_holes / nullif(plies, 0) AS branching_factor,"
    " 1.0 * (legal_holes - plies + decision_plies) / nullif(decision_plies, 0)"
    "  AS decision_factor,"
    " 1.0 * laps / nullif(plies, 0) AS laps_per_ply,"
    " 1.0 * passes / nullif(plies, 0) AS passes_per_ply,"
    " 1.0 * lead_changes / nullif(plies, 0) AS lead_changes_per_ply,"
    " 1.0 * captures / nullif(turns, 0) AS captures_per_turn,"
    " 1.0 * casas / nullif(captures, 0) AS casas_per_capture,"
    " 1.0 * chains / nullif(captures, 0) AS chain_share,"
    " 1.0 * south_captures / nullif(captures, 0) AS south_capture_share,"
    " 1.0 * south_chains / nullif(chains, 0) AS south_chain_share,"
    " claimed / (uncut * 2 * holes * seeds) AS claimed_share"
    " FROM part JOIN condition AS c ON c.id = part.condition_id;\n"

    "CREATE VIEW v_complexity AS"
    " SELECT condition_id, swapped, games, games_cut, plies_per_game, branching_factor,"
    " plies_per_game * log10(branching_factor) AS game_tree_complexity,"
    " CASE WHEN games_cut > 0 THEN 'games were cut, so their mean length is a lower bound'"
    "  WHEN branching_factor IS NULL THEN 'no plies' END AS reason"
    " FROM v_quality;\n";

const char *const hy_quality_views_sql = quality_views_sql;

const hy_view_doc hy_quality_view_docs[] = {
    {"v_quality", "", "",
     "the quality of the games by condition and seating, plain estimates; `hoyito quality` gives "
     "the same with intervals. NULL: the denominator is 0, or a mean per game where games were "
     "cut"},
    {"v_quality", "condition_id", "", "the condition (condition.id)"},
    {"v_quality", "swapped", "", "1: seats swapped"},
    {"v_quality", "holes", "holes", "per row"},
    {"v_quality", "seeds", "counters", "per hole at the start"},
    {"v_quality", "first_policy", "", "condition.first_policy"},
    {"v_quality", "second_policy", "", "condition.second_policy"},
    {"v_quality", "games", "games", "played"},
    {"v_quality", "games_with_result", "games", "won, lost or drawn"},
    {"v_quality", "games_cut", "games",
     "truncated or unresolved: no result, and plies is a lower bound"},
    {"v_quality", "first_player_score", "points",
     "mean points of south (1, 0.5, 0), over games with a result"},
    {"v_quality", "south_win_share", "share",
     "games won by south, of all games (AdvantageP1 in Ludii)"},
    {"v_quality", "balance", "share",
     "1 - difference of the seats' win rates, over games with a result"},
    {"v_quality", "completion", "share", "games with a result, of all games"},
    {"v_quality", "drawishness", "share", "draws, of all games"},
    {"v_quality", "timeouts", "share", "games truncated at max_plies, of all games"},
    {"v_quality", "unresolved_share", "share",
     "games given up in a sowing longer than max_laps, of all games"},
    {"v_quality", "endless_per_game", "share", "games ended by an endless sowing, of all games"},
    {"v_quality", "endless_per_ply", "share", "endless sowings, of all plies"},
    {"v_quality", "outcome_uniformity", "",
     "1 - variance of the end result (1, 0, -1), over games with a result"},
    {"v_quality", "plies_per_game", "plies", "mean over all games; NULL where any was cut"},
    {"v_quality", "turns_per_game", "turns", "likewise"},
    {"v_quality", "laps_per_game", "laps", "likewise"},
    {"v_quality", "counters_per_game", "counters", "dropped; likewise"},
    {"v_quality", "decision_ply_share", "share",
     "plies with more than one legal hole, of all plies"},
    {"v_quality", "branching_factor", "holes", "legal holes a ply, over all plies"},
    {"v_quality", "decision_factor", "holes", "legal holes a ply, over plies with more than one"},
    {"v_quality", "laps_per_ply", "laps",
     "over all plies; those of an endless or unresolved sowing do not count"},
    {"v_quality", "passes_per_ply", "passes", "over all plies"},
    {"v_quality", "lead_changes_per_ply", "changes",
     "of the player with more counters captured, over all plies"},
    {"v_quality", "captures_per_turn", "plies", "captures a turn, over all turns"},
    {"v_quality", "casas_per_capture", "casas", "over all captures"},
    {"v_quality", "chain_share", "share", "captures that took a chain, of all captures"},
    {"v_quality", "south_capture_share", "share", "captures in plies of south, of all captures"},
    {"v_quality", "south_chain_share", "share", "chains in plies of south, of all chains"},
    {"v_quality", "claimed_share", "share",
     "counters taken by claims, of all counters of the games; NULL where games were cut"},
    {"v_complexity", "", "",
     "game-tree complexity by condition and seating; needs an SQLite with mathematical functions"},
    {"v_complexity", "condition_id", "", "the condition (condition.id)"},
    {"v_complexity", "swapped", "", "1: seats swapped"},
    {"v_complexity", "games", "games", "played"},
    {"v_complexity", "games_cut", "games", "truncated or unresolved"},
    {"v_complexity", "plies_per_game", "plies", "v_quality.plies_per_game"},
    {"v_complexity", "branching_factor", "holes", "v_quality.branching_factor"},
    {"v_complexity", "game_tree_complexity", "log10 of positions",
     "mean plies times log10 of the branching factor"},
    {"v_complexity", "reason", "", "why it is NULL"},
};

const size_t hy_num_quality_view_docs =
    sizeof hy_quality_view_docs / sizeof hy_quality_view_docs[0];
