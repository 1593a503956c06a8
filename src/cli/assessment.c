#include "cli/assessment.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static int lead_of(const hy_game *game, hy_player player)
{
    const uint16_t *score = hy_game_position(game)->score;
    return (int)score[player] - (int)score[hy_opponent(player)];
}

/* Fills the values from the analysis of `game`, which forced plies may have led to. */
static hy_status ask(hy_policy *policy, const hy_game *game, const hy_stream *stream, double ahead,
                     hy_assessment *assessment, hy_error *error)
{
    hy_analysis analysis = {0};
    hy_stream copy = *stream;
    hy_choice choice = hy_game_choice(game, &copy);
    bool same = hy_game_position(game)->mover == assessment->player;
    hy_status status = policy->type->analyse(policy, &choice, &analysis, error);
    if (status != HY_OK)
        return status;
    unsigned best = 0;
    for (unsigned i = 1; i < game->moves.num; i++)
        best = analysis.values[i] > analysis.values[best] ? i : best;
    for (unsigned i = 0; assessment->moves.num > 1 && i < game->moves.num; i++)
        assessment->values[i] = analysis.values[i];
    if (assessment->moves.num == 1)
        assessment->values[0] = ahead + (same ? 1 : -1) * analysis.values[best];
    assessment->exact = analysis.exact;
    assessment->depth = analysis.depth;
    assessment->nodes += analysis.nodes;
    for (unsigned i = 0; i < analysis.num_line && assessment->num_line < HY_MAX_LINE; i++)
        assessment->line[assessment->num_line++] = analysis.line[i];
    if (analysis.num_line == 0 && assessment->num_line < HY_MAX_LINE)
        assessment->line[assessment->num_line++] = game->moves.hole[best];
    return HY_OK;
}

/* Plays what is forced, on a copy of the game with a history of its own. */
static hy_status assess_forced(hy_policy *policy, const hy_game *game, const hy_stream *stream,
                               hy_assessment *assessment, hy_error *error)
{
    hy_game ahead = *game;
    hy_history history = {0};
    hy_status status = HY_OK;
    int before = lead_of(game, assessment->player);
    if (game->history->capacity > 0) {
        history = *game->history;
        history.entries = hy_new_array(history.capacity, sizeof history.entries[0]);
        if (!history.entries)
            return hy_fail_memory(error);
        memcpy(history.entries, game->history->entries,
               history.capacity * sizeof history.entries[0]);
    }
    ahead.history = &history;
    while (status == HY_OK && ahead.moves.num == 1 && assessment->num_line < HY_MAX_LINE) {
        assessment->line[assessment->num_line++] = ahead.moves.hole[0];
        assessment->nodes++;
        status = hy_game_ply(&ahead, ahead.moves.hole[0], error);
    }
    double gained = lead_of(&ahead, assessment->player) - before;
    assessment->values[0] = gained;
    assessment->exact = hy_game_is_over(&ahead);
    if (status == HY_OK && ahead.moves.num > 1)
        status = ask(policy, &ahead, stream, gained, assessment, error);
    hy_history_clean_up(&history);
    return status;
}

hy_status hy_assess(hy_policy *policy, const hy_game *game, const hy_stream *stream,
                    hy_assessment *assessment, hy_error *error)
{
    *assessment = (hy_assessment){.player = hy_game_position(game)->mover, .moves = game->moves};
    hy_status status = game->moves.num == 1 ? assess_forced(policy, game, stream, assessment, error)
                                            : ask(policy, game, stream, 0, assessment, error);
    if (status != HY_OK)
        return status;
    assessment->best = assessment->line[0];
    for (unsigned i = 0; i < game->moves.num; i++) {
        if (game->moves.hole[i] == assessment->best)
            assessment->value = assessment->values[i];
    }
    return HY_OK;
}

static void print_value(const hy_assessment *assessment, double value)
{
    double rounded = round(100 * value) / 100;
    printf("%+*.*f", assessment->exact ? 5 : 8, assessment->exact ? 0 : 2,
           rounded == 0 ? 0 : rounded);
}

void hy_print_assessment(const hy_policy_spec *spec, const hy_assessment *assessment)
{
    char policy[HY_POLICY_TEXT_SIZE];
    hy_policy_spec_print(spec, policy);
    printf("counters still to be won, less those of the opponent, to %s by %s:\n",
           hy_player_words[assessment->player], policy);
    for (unsigned i = 0; i < assessment->moves.num; i++) {
        unsigned hole = assessment->moves.hole[i];
        printf("  hole %-3u", hole);
        print_value(assessment, assessment->values[i]);
        puts(hole == assessment->best ? "  best" : "");
    }
    printf("  best line:");
    for (unsigned i = 0; i < assessment->num_line; i++)
        printf(" %u", assessment->line[i]);
    printf("\n  %s", assessment->exact ? "exact: searched to the end of the game"
                                       : "an estimate: not searched to the end of the game");
    if (assessment->depth > 0)
        printf("; depth %u", assessment->depth);
    printf("; %" PRIu64 " nodes\n", assessment->nodes);
}

static json_t *value_json(double value)
{
    if (!isfinite(value))
        return json_null();
    return value == round(value) ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *values_json(const hy_rules *rules, const hy_assessment *assessment)
{
    json_t *array = json_array();
    unsigned next = 0;
    for (unsigned hole = 0; hole < 2u * rules->holes; hole++) {
        bool legal =
            assessment && next < assessment->moves.num && assessment->moves.hole[next] == hole;
        json_array_append_new(array, legal ? value_json(assessment->values[next]) : json_null());
        next += legal;
    }
    return array;
}

void hy_add_assessment_to_row(json_t *row, const hy_rules *rules, const hy_assessment *assessment)
{
    json_t *line = json_array();
    for (unsigned i = 0; assessment && i < assessment->num_line; i++)
        json_array_append_new(line, json_integer(assessment->line[i]));
    json_object_set_new(row, "value", assessment ? value_json(assessment->value) : json_integer(0));
    json_object_set_new(row, "values", values_json(rules, assessment));
    json_object_set_new(row, "best", assessment ? json_integer(assessment->best) : json_null());
    json_object_set_new(row, "line", line);
    json_object_set_new(row, "depth", json_integer(assessment ? assessment->depth : 0));
    json_object_set_new(row, "nodes", json_integer(assessment ? (json_int_t)assessment->nodes : 0));
    json_object_set_new(row, "exact", json_boolean(!assessment || assessment->exact));
}
