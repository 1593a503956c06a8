#include "store/views.h"

/* Points are 1, 1/2 and 0; a game without a result has none (NULL). */
#define POINTS(player)                                                                             \
    "CASE result WHEN '" player "' THEN 1.0 WHEN 'draw' THEN 0.5 WHEN 'none' THEN NULL "           \
    "ELSE 0.0 END"
#define SOUTH_POINTS POINTS("south")
#define NORTH_POINTS POINTS("north")

static const char views_sql[] =
    "CREATE VIEW v_game AS SELECT g.*,"
    " CASE swapped WHEN 0 THEN first_policy ELSE second_policy END AS south_policy,"
    " CASE swapped WHEN 0 THEN second_policy ELSE first_policy END AS north_policy,"
    " " SOUTH_POINTS " AS south_points,"
    " CASE swapped WHEN 0 THEN " SOUTH_POINTS " ELSE " NORTH_POINTS " END AS first_policy_points,"
    " termination NOT IN ('truncated', 'unresolved') AS finished,"
    " holes, seeds, first_policy, second_policy"
    " FROM game AS g JOIN condition AS c ON c.id = g.condition_id;\n"

    "CREATE VIEW v_survival AS"
    " SELECT condition_id, swapped, plies AS time,"
    " termination NOT IN ('truncated', 'unresolved') AS finished, termination, 1 AS games"
    " FROM game"
    " UNION ALL"
    " SELECT condition_id, swapped, json_extract(pair.value, '$[0]'),"
    " ended.key NOT IN ('truncated', 'unresolved'), ended.key, json_extract(pair.value, '$[1]')"
    " FROM block, json_each(block.lengths) AS ended, json_each(ended.value) AS pair;\n"

    "CREATE VIEW v_chain AS"
    " SELECT condition_id, swapped, length, sum(count) AS count FROM"
    " (SELECT condition_id, swapped, length, count FROM chain"
    "  UNION ALL"
    "  SELECT condition_id, swapped, json_extract(pair.value, '$[0]'),"
    "  json_extract(pair.value, '$[1]') FROM block, json_each(block.chains) AS pair)"
    " GROUP BY condition_id, swapped, length;\n"

    "CREATE VIEW v_pair AS"
    " SELECT a.condition_id, a.number, a.first_policy, a.second_policy,"
    " a.first_policy_points AS first_policy_points_south,"
    " b.first_policy_points AS first_policy_points_north,"
    " a.first_policy_points + b.first_policy_points AS first_policy_points,"
    " a.plies AS plies, b.plies AS swapped_plies"
    " FROM v_game AS a JOIN v_game AS b"
    " ON b.condition_id = a.condition_id AND b.number = a.number AND b.swapped = 1"
    " WHERE a.swapped = 0;\n"

    /* terminations are prefixed: `repetition` and `endless` are rules as well */
    "CREATE VIEW v_condition AS"
    " WITH tally AS ("
    "  SELECT condition_id, swapped, count(*) AS games, sum(result = 'south') AS south,"
    "  sum(result = 'north') AS north, sum(result = 'draw') AS draw, sum(result = 'none') AS none,"
    "  sum(termination = 'claimed') AS ended_claimed,"
    "  sum(termination = 'exhausted') AS ended_exhausted,"
    "  sum(termination = 'swept') AS ended_swept, sum(termination = 'stuck') AS ended_stuck,"
    "  sum(termination = 'repetition') AS ended_repetition,"
    "  sum(termination = 'endless') AS ended_endless,"
    "  sum(termination = 'unresolved') AS ended_unresolved,"
    "  sum(termination = 'truncated') AS ended_truncated,"
    "  sum(captures) AS captures, sum(chains) AS chains"
    "  FROM game GROUP BY condition_id, swapped"
    "  UNION ALL"
    "  SELECT condition_id, swapped, sum(games), sum(results ->> 'south'),"
    "  sum(results ->> 'north'), sum(results ->> 'draw'), sum(results ->> 'none'),"
    "  sum(terminations ->> 'claimed'), sum(terminations ->> 'exhausted'),"
    "  sum(terminations ->> 'swept'), sum(terminations ->> 'stuck'),"
    "  sum(terminations ->> 'repetition'), sum(terminations ->> 'endless'),"
    "  sum(terminations ->> 'unresolved'), sum(terminations ->> 'truncated'),"
    "  sum(sums ->> 'captures'), sum(sums ->> 'chains')"
    "  FROM block GROUP BY condition_id, swapped)"
    " SELECT c.*, tally.* FROM condition AS c JOIN tally ON tally.condition_id = c.id;\n";

const char *const hy_views_sql = views_sql;

const hy_view_doc hy_view_docs[] = {
    {"v_game", "", "", "every game with its policies and points; the columns of `game`, and:"},
    {"v_game", "south_policy", "", "the policy that sat south in this game"},
    {"v_game", "north_policy", "", "the policy that sat north in this game"},
    {"v_game", "south_points", "points", "1: south won, 0.5: draw, 0: north won; NULL: no result"},
    {"v_game", "first_policy_points", "points", "the same for the first policy, wherever it sat"},
    {"v_game", "finished", "", "1: the rules ended the game; 0: plies is a lower bound"},
    {"v_game", "holes", "holes", "per row"},
    {"v_game", "seeds", "counters", "per hole at the start"},
    {"v_game", "first_policy", "", "condition.first_policy"},
    {"v_game", "second_policy", "", "condition.second_policy"},
    {"v_survival", "", "", "lengths for survival analysis, from games or from blocks"},
    {"v_survival", "condition_id", "", "the condition (condition.id)"},
    {"v_survival", "swapped", "", "1: seats swapped"},
    {"v_survival", "time", "plies", "length"},
    {"v_survival", "finished", "", "1: the rules ended the game; 0: censored at `time`"},
    {"v_survival", "termination", "", "how it ended"},
    {"v_survival", "games", "games", "how many games this row stands for (a weight)"},
    {"v_chain", "", "", "chains by length, from games or from blocks"},
    {"v_chain", "condition_id", "", "the condition (condition.id)"},
    {"v_chain", "swapped", "", "1: seats swapped"},
    {"v_chain", "length", "casas", "of the chain, the final counter's own not counted"},
    {"v_chain", "count", "plies", "captures with a chain of that length"},
    {"v_pair", "", "", "the two games of a number with seats swapped, as one row"},
    {"v_pair", "condition_id", "", "the condition (condition.id)"},
    {"v_pair", "number", "", "the number of both games"},
    {"v_pair", "first_policy", "", "condition.first_policy"},
    {"v_pair", "second_policy", "", "condition.second_policy"},
    {"v_pair", "first_policy_points_south", "points", "of the first policy in the game it began"},
    {"v_pair", "first_policy_points_north", "points", "of the first policy in the other game"},
    {"v_pair", "first_policy_points", "points", "their sum, 0 … 2; NULL: a game has no result"},
    {"v_pair", "plies", "plies", "of the game with swapped = 0"},
    {"v_pair", "swapped_plies", "plies", "of the game with swapped = 1"},
    {"v_condition", "", "",
     "every condition and seating with its tallies; the columns of `condition`, and:"},
    {"v_condition", "condition_id", "", "the condition (condition.id)"},
    {"v_condition", "swapped", "", "1: seats swapped"},
    {"v_condition", "games", "games", "played"},
    {"v_condition", "south", "games", "won by south"},
    {"v_condition", "north", "games", "won by north"},
    {"v_condition", "draw", "games", "drawn"},
    {"v_condition", "none", "games", "without a result"},
    {"v_condition", "ended_claimed", "games", "ended by a claim"},
    {"v_condition", "ended_exhausted", "games", "ended for want of counters"},
    {"v_condition", "ended_swept", "games", "ended by a sweep"},
    {"v_condition", "ended_stuck", "games", "ended because nobody could move"},
    {"v_condition", "ended_repetition", "games", "ended by repetition"},
    {"v_condition", "ended_endless", "games", "ended by an endless sowing"},
    {"v_condition", "ended_unresolved", "games", "given up in a sowing longer than max_laps"},
    {"v_condition", "ended_truncated", "games", "cut at max_plies"},
    {"v_condition", "captures", "plies", "in which at least one casa was taken"},
    {"v_condition", "chains", "plies", "captures that took a chain"},
};

const size_t hy_num_view_docs = sizeof hy_view_docs / sizeof hy_view_docs[0];
