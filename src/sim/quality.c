#include "sim/quality.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Forced plies that are followed behind a game that was cut; then what was captured counts. */
#define MAX_FORCED 64u

/* What one game adds. */
typedef struct hy_part {
    hy_portion portions[HY_NUM_QUALITY_MEASURES];
    hy_capture_count captures[HY_NUM_MOVERS];
    uint64_t nodes;
} hy_part;

hy_status hy_quality_check(const hy_policy_spec *evaluator, hy_error *error)
{
    hy_status status = hy_policy_spec_check_analyst(evaluator, error);
    if (status == HY_OK && !hy_policy_spec_is_reproducible(evaluator))
        status = hy_fail(error, HY_INVALID,
                         "policy '%s' is limited by time, so its values depend on the machine; "
                         "limit its depth, nodes or iterations instead",
                         evaluator->type->name);
    return status;
}

hy_status hy_quality_init(hy_quality *quality, const hy_condition *condition,
                          const hy_policy_spec *evaluator, atomic_int *stop, hy_error *error)
{
    *quality = (hy_quality){.condition = condition, .stop = stop};
    return hy_policy_new(evaluator, &condition->rules, &quality->evaluator, error);
}

void hy_quality_clean_up(hy_quality *quality)
{
    hy_policy_destroy(quality->evaluator);
    hy_history_clean_up(&quality->history);
    hy_history_clean_up(&quality->positions);
    hy_history_clean_up(&quality->boards);
    free(quality->value);
    free(quality->lead);
    *quality = (hy_quality){0};
}

/* --- values --- */

static int south_lead(const hy_position *position)
{
    return (int)position->score[HY_SOUTH] - (int)position->score[HY_NORTH];
}

static double best_of(const hy_analysis *analysis, unsigned num)
{
    double best = analysis->values[0];
    for (unsigned i = 1; i < num; i++)
        best = fmax(best, analysis->values[i]);
    return best;
}

/* The stream of a position depends on the game so far, so that a policy that draws values it the
 * same whenever it is asked. */
static hy_status analyse(hy_quality *quality, const hy_game *game, hy_analysis *analysis,
                         hy_error *error)
{
    hy_stream stream = hy_stream_make(game->record.move_hash, game->record.plies, HY_PURPOSE_SOUTH);
    hy_choice choice = hy_game_choice(game, &stream);
    *analysis = (hy_analysis){0};
    hy_status status =
        quality->evaluator->type->analyse(quality->evaluator, &choice, analysis, error);
    for (unsigned i = 0; status == HY_OK && i < game->moves.num; i++) {
        if (!isfinite(analysis->values[i]))
            status = hy_fail(error, HY_FAILED, "the evaluator has no value for hole %u",
                             game->moves.hole[i]);
    }
    return status;
}

/* e_south where the best hole brings the mover `best` counters more than the opponent. */
static double value_of(const hy_game *game, double best)
{
    const hy_position *position = hy_game_position(game);
    double to_south = position->mover == HY_SOUTH ? best : -best;
    return (south_lead(position) + to_south) / hy_rules_total(game->rules);
}

/* e_south of a game that is over: the final difference; 0 where the rules give no result. */
static double value_of_end(const hy_game *game)
{
    bool is_void =
        game->record.result == HY_RESULT_NONE && game->record.termination != HY_UNRESOLVED;
    return is_void ? 0 : value_of(game, 0);
}

/* --- decisions --- */

static void add_to(hy_portion *portion, double y, double x)
{
    portion->y += y;
    portion->x += x;
}

/* With n values of sum S and maximum M, v > mean + 3/4 (M − mean) is n (4 v − 3 M) > S: exact for
 * the values that searches give. */
static void add_holes(hy_part *part, const double *values, unsigned num, double total)
{
    double sum = 0, best = -INFINITY, worst = INFINITY, squares = 0;
    unsigned above = 0;
    for (unsigned i = 0; i < num; i++) {
        sum += values[i];
        best = fmax(best, values[i]);
        worst = fmin(worst, values[i]);
    }
    for (unsigned i = 0; i < num; i++) {
        double distance = values[i] - sum / num;
        above += num * (4 * values[i] - 3 * best) > sum;
        squares += distance * distance;
    }
    bool flat = best == worst;
    add_to(&part->portions[HY_QUALITY_NARROWNESS], flat ? 0 : (double)above / num, 1);
    add_to(&part->portions[HY_QUALITY_HOLE_VARIANCE], flat ? 0 : squares / num / (total * total),
           1);
    add_to(&part->portions[HY_QUALITY_FLAT], flat, 1);
}

static void add_decision(hy_part *part, const hy_game *game, const hy_analysis *analysis,
                         unsigned hole)
{
    double total = hy_rules_total(game->rules), played = 0;
    unsigned num = game->moves.num;
    for (unsigned i = 0; i < num; i++) {
        if (game->moves.hole[i] == hole)
            played = analysis->values[i];
    }
    double lost = (best_of(analysis, num) - played) / total;
    add_holes(part, analysis->values, num, total);
    add_to(&part->portions[HY_QUALITY_REGRET], lost, 1);
    add_to(&part->portions[HY_QUALITY_EXACT_REGRET], analysis->exact ? lost : 0, analysis->exact);
    add_to(&part->portions[HY_QUALITY_EXACT_SHARE], analysis->exact, 1);
}

/* --- positions --- */

static hy_status add_position(hy_quality *quality, hy_part *part, const hy_position *position,
                              hy_error *error)
{
    hy_position board = *position;
    unsigned times;
    hy_status status = hy_history_add(&quality->positions, position, &times, error);
    if (status != HY_OK)
        return status;
    add_to(&part->portions[HY_QUALITY_REPETITION], times > 1, 1);
    board.mover = HY_SOUTH;
    status = hy_history_add(&quality->boards, &board, &times, error);
    if (status == HY_OK)
        add_to(&part->portions[HY_QUALITY_BOARD_REPETITION], times > 1, 1);
    return status;
}

/* No position from before a capture can come again. */
static void forget_positions(hy_quality *quality)
{
    hy_history_clear(&quality->positions);
    hy_history_clear(&quality->boards);
}

/* Notes value and lead of the position; where there is a choice, `hole` is what was played. */
static hy_status note(hy_quality *quality, hy_part *part, const hy_game *game, const uint8_t *hole,
                      hy_error *error)
{
    uint32_t t = game->record.plies;
    hy_analysis analysis;
    quality->lead[t] = south_lead(hy_game_position(game));
    quality->value[t] = hy_game_is_over(game) ? value_of_end(game) : NAN;
    if (game->moves.num < 2)
        return HY_OK;
    hy_status status = analyse(quality, game, &analysis, error);
    if (status != HY_OK)
        return status;
    part->nodes += analysis.nodes;
    quality->value[t] = value_of(game, best_of(&analysis, game->moves.num));
    if (hole)
        add_decision(part, game, &analysis, *hole);
    return HY_OK;
}

/* --- a game --- */

static hy_status play(hy_quality *quality, hy_part *part, hy_game *game, unsigned hole,
                      hy_error *error)
{
    const hy_position before = *hy_game_position(game);
    hy_status status = add_position(quality, part, &before, error);
    if (status == HY_OK)
        status = hy_game_ply(game, hole, error);
    if (status != HY_OK || !game->ply.captured)
        return status;
    hy_capture_count_add(part->captures, game->rules, &before, hole, game->max_laps,
                         &game->ply.sowing);
    forget_positions(quality);
    return HY_OK;
}

static hy_status step(hy_quality *quality, hy_part *part, hy_game *game, uint8_t hole,
                      hy_error *error)
{
    if (quality->stop && atomic_load(quality->stop))
        return hy_fail(error, HY_INTERRUPTED, "interrupted");
    if (!hy_game_allows(game, hole))
        return hy_fail(error, HY_MISMATCH, "hole %u cannot be played at ply %u of a stored game",
                       hole, (unsigned)game->record.plies + 1);
    hy_status status = note(quality, part, game, &hole, error);
    return status == HY_OK ? play(quality, part, game, hole, error) : status;
}

/* The value of the last position of a game that was cut: followed to a choice where the next plies
 * are forced. The game is of no use afterwards. */
static hy_status value_cut(hy_quality *quality, hy_part *part, hy_game *game, hy_error *error)
{
    uint32_t last = game->record.plies;
    hy_analysis analysis;
    hy_status status = HY_OK;
    for (unsigned i = 0; status == HY_OK && i < MAX_FORCED && game->moves.num == 1; i++)
        status = hy_game_ply(game, game->moves.hole[0], error);
    if (status != HY_OK)
        return status;
    quality->value[last] = hy_game_is_over(game) ? value_of_end(game) : value_of(game, 0);
    if (game->moves.num < 2)
        return HY_OK;
    status = analyse(quality, game, &analysis, error);
    part->nodes += analysis.nodes;
    if (status == HY_OK)
        quality->value[last] = value_of(game, best_of(&analysis, game->moves.num));
    return status;
}

/* A game given up in a sowing has no value after it, nor has a position that forced the sowing:
 * those plies are left out. */
static hy_course course_of(hy_quality *quality, const hy_game_record *record)
{
    uint32_t plies = record->plies - (record->termination == HY_UNRESOLVED);
    while (plies > 0 && isnan(quality->value[plies]))
        plies--;
    for (uint32_t t = plies; t-- > 0;) {
        if (isnan(quality->value[t]))
            quality->value[t] = quality->value[t + 1];
    }
    return (hy_course){
        .value = quality->value, .lead = quality->lead, .plies = plies, .result = record->result};
}

static void add_course(hy_part *part, const hy_course *course)
{
    hy_portion *portions = part->portions;
    portions[HY_QUALITY_DRAMA] = hy_course_drama(course);
    portions[HY_QUALITY_LEAD_CHANGES] = hy_course_lead_changes(course);
    portions[HY_QUALITY_STABILITY] = hy_course_stability(course);
    portions[HY_QUALITY_DECISIVENESS_THRESHOLD] = hy_course_decisiveness_threshold(course);
    portions[HY_QUALITY_DECISIVENESS_PLIES] = hy_course_decisiveness_plies(course);
    portions[HY_QUALITY_COMEBACK] = hy_course_comeback(course);
    portions[HY_QUALITY_COMEBACK_BY_SCORE] = hy_course_comeback_by_score(course);
}

static void add_part(hy_quality_sums *sums, const hy_part *part, const hy_game_record *record)
{
    sums->games++;
    sums->plies += record->plies;
    sums->nodes += part->nodes;
    sums->results[record->result]++;
    for (unsigned i = 0; i < HY_NUM_QUALITY_MEASURES; i++) {
        const hy_portion *portion = &part->portions[i];
        if (portion->x > 0)
            hy_sums_add(&sums->measures[i], portion->y, portion->x);
    }
    for (unsigned i = 0; i < HY_NUM_MOVERS; i++)
        hy_capture_sums_add(&sums->captures[i], &part->captures[i]);
}

static hy_status start(hy_quality *quality, size_t plies, hy_game *game, hy_error *error)
{
    const hy_condition *condition = quality->condition;
    hy_position position = hy_position_start(&condition->rules);
    hy_status status = hy_reserve(&quality->value, &quality->value_capacity, plies + 1,
                                  sizeof quality->value[0], error);
    if (status == HY_OK)
        status = hy_reserve(&quality->lead, &quality->lead_capacity, plies + 1,
                            sizeof quality->lead[0], error);
    if (status != HY_OK)
        return status;
    hy_policy_new_game(quality->evaluator);
    forget_positions(quality);
    return hy_game_start(game, &condition->rules, condition->max_laps, &quality->history, &position,
                         error);
}

/* Values the last position, after all holes, and ends the record. */
static hy_status finish(hy_quality *quality, hy_part *part, hy_game *game, hy_game_record *record,
                        hy_error *error)
{
    hy_status status = note(quality, part, game, NULL, error);
    *record = game->record;
    if (status != HY_OK || hy_game_is_over(game))
        return status;
    if (record->plies < quality->condition->max_plies)
        return hy_fail(error, HY_MISMATCH, "a stored game is not over after its %u plies",
                       (unsigned)record->plies);
    record->termination = HY_TRUNCATED;
    return game->moves.num < 2 ? value_cut(quality, part, game, error) : HY_OK;
}

hy_status hy_quality_add(hy_quality *quality, const hy_hole_list *holes, hy_error *error)
{
    hy_game game;
    hy_game_record record;
    hy_part part = {0};
    hy_status status = start(quality, holes->num, &game, error);
    for (size_t i = 0; status == HY_OK && i < holes->num; i++)
        status = step(quality, &part, &game, holes->holes[i], error);
    if (status == HY_OK)
        status = finish(quality, &part, &game, &record, error);
    if (status != HY_OK)
        return status;
    hy_course course = course_of(quality, &record);
    add_course(&part, &course);
    add_part(&quality->sums, &part, &record);
    return HY_OK;
}
