#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/stop.h"
#include "sim/summary.h"
#include "support/dice.h"
#include "support/experiments.h"

/* Looks come later and later: at multiples of `every`, at least that far apart and never by more
 * than a tenth of the games so far beyond that, and the last one is at the end. */
static void looks_are_as_promised(void **state)
{
    (void)state;
    dice d = {1};
    for (unsigned i = 0; i < 300; i++) {
        hy_stop stop = {.every = 1 + dice_below(&d, dice_one_in(&d, 2) ? 10 : 5000)};
        uint64_t max = 1 + (dice_u64(&d) % HY_LIMIT_GAMES >> dice_below(&d, 40)), games = 0;
        unsigned num = 0;
        while (games < max) {
            uint64_t next = hy_stop_next_look(&stop, max, games), step = next - games;
            assert_true(next > games && next <= max);
            assert_true(next == max || next % stop.every == 0);
            assert_true(next == max || step >= stop.every);
            assert_true(step <= stop.every || 10 * step <= games);
            games = next;
            num++;
        }
        assert_int_equal(games, max);
        assert_in_range(num, 1, 320);
    }
}

static void looks_do_not_depend_on_the_end(void **state)
{
    (void)state;
    hy_stop stop = {.every = 1000};
    uint64_t games = 0;
    for (unsigned i = 0; i < 60; i++) {
        uint64_t next = hy_stop_next_look(&stop, HY_LIMIT_GAMES, games);
        assert_int_equal(hy_stop_next_look(&stop, next, games), next);
        assert_int_equal(hy_stop_next_look(&stop, next - 1, games), next - 1);
        games = next;
    }
}

static void a_rule_has_one_text(void **state)
{
    (void)state;
    char text[HY_STOP_TEXT_SIZE];
    hy_stop stop = {.kind = HY_STOP_NEVER};
    hy_stop_print(&stop, text);
    assert_string_equal(text, "{}");
    stop = (hy_stop){.kind = HY_STOP_HALF_WIDTH,
                     .every = 1000,
                     .metric = HY_STOP_METRIC_DRAWS,
                     .half_width = 0.1,
                     .confidence = 0.95};
    hy_stop_print(&stop, text);
    assert_string_equal(
        text, "{\"metric\":\"draw_share\",\"half_width\":0.1,\"confidence\":0.95,\"every\":1000}");
    stop = (hy_stop){.kind = HY_STOP_SPRT,
                     .every = 12,
                     .elo0 = -1.5,
                     .elo1 = 3,
                     .alpha = 0.05,
                     .beta = 0.01,
                     .scale = HY_SCALE_LOGISTIC};
    hy_stop_print(&stop, text);
    assert_string_equal(text, "{\"sprt\":{\"elo0\":-1.5,\"elo1\":3,\"alpha\":0.05,\"beta\":0.01,"
                              "\"model\":\"logistic\"},\"every\":12}");
}

static hy_game_record random_game(dice *d)
{
    hy_game_record record = {
        .termination = (hy_termination)(1 + dice_below(d, HY_NUM_TERMINATIONS - 1)),
        .result = (hy_result)dice_below(d, HY_NUM_RESULTS),
        .plies = dice_below(d, 500),
        .captures = dice_below(d, 30),
    };
    record.chains = dice_below(d, record.captures + 1);
    return record;
}

/* x and y of one game, as metric.h has them; false: it does not count. */
static bool value_of(hy_stop_metric metric, const hy_game_record *record, uint64_t *x, uint64_t *y)
{
    *x = 1;
    switch (metric) {
    case HY_STOP_METRIC_FIRST_PLAYER_SCORE:
        *y = record->result == HY_RESULT_SOUTH ? 2 : record->result == HY_RESULT_DRAW;
        return record->result != HY_RESULT_NONE;
    case HY_STOP_METRIC_DRAWS:
        *y = record->result == HY_RESULT_DRAW;
        return true;
    case HY_STOP_METRIC_ENDLESS:
        *y = record->termination == HY_ENDLESS;
        return true;
    case HY_STOP_METRIC_CHAINS:
        *x = record->captures;
        *y = record->chains;
        return true;
    case HY_STOP_METRIC_CAPTURES:
        *y = record->captures;
        return true;
    case HY_STOP_METRIC_PLIES:
        *y = record->plies;
        return true;
    case HY_NUM_STOP_METRICS:
        break;
    }
    return false;
}

static void add_game(hy_stop_metric metric, const hy_game_record *record, hy_stop_metric_sums *sums)
{
    uint64_t x, y;
    sums->cut += record->termination == HY_TRUNCATED || record->termination == HY_UNRESOLVED;
    if (!value_of(metric, record, &x, &y))
        return;
    sums->n++;
    sums->x += x;
    sums->y += y;
    sums->xx += x * x;
    sums->xy += x * y;
    sums->yy += y * y;
}

/* Of a summary as of its games one by one; and sums of parts add up. */
static void sums_are_those_of_the_games(void **state)
{
    (void)state;
    dice d = {2};
    hy_summary parts[2] = {{0}, {0}}, all = {0};
    hy_stop_metric_sums expected[HY_NUM_STOP_METRICS] = {{0}};
    for (unsigned i = 0; i < 500; i++) {
        hy_game_record record = random_game(&d);
        assert_int_equal(hy_summary_add(&parts[i % 3 == 0], &record, NULL), HY_OK);
        assert_int_equal(hy_summary_add(&all, &record, NULL), HY_OK);
        for (hy_stop_metric m = 0; m < HY_NUM_STOP_METRICS; m++)
            add_game(m, &record, &expected[m]);
    }
    for (hy_stop_metric m = 0; m < HY_NUM_STOP_METRICS; m++) {
        hy_stop_metric_sums sums = hy_stop_metric_sum(m, &all),
                            one = hy_stop_metric_sum(m, &parts[0]);
        hy_stop_metric_sums other = hy_stop_metric_sum(m, &parts[1]);
        assert_true(hy_stop_metric_same(&sums, &expected[m]));
        assert_false(hy_stop_metric_same(&sums, &one));
        hy_stop_metric_add(&one, &other);
        assert_true(hy_stop_metric_same(&sums, &one));
        assert_true(hy_stop_metric_subtract(&one, &other));
        hy_stop_metric_sums again = hy_stop_metric_sum(m, &parts[0]);
        assert_true(hy_stop_metric_same(&one, &again));
        assert_false(hy_stop_metric_subtract(&one, &sums));
    }
    hy_summary_clean_up(&all);
    hy_summary_clean_up(&parts[0]);
    hy_summary_clean_up(&parts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_are_as_promised),
        cmocka_unit_test(looks_do_not_depend_on_the_end),
        cmocka_unit_test(a_rule_has_one_text),
        cmocka_unit_test(sums_are_those_of_the_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
