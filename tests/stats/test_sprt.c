#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "stats/cases.h"
#include "stats/sprt.h"

static hy_sprt_results results_of(const json_t *inputs, hy_elo_model *model)
{
    hy_sprt_results results = {.num = (unsigned)size_of(inputs, "res")};
    for (unsigned i = 0; i < results.num; i++)
        results.counts[i] = (uint64_t)element_of(inputs, "res", i);
    const char *word = json_string_value(json_object_get(inputs, "model"));
    *model = strcmp(word, "normalized") == 0 ? HY_ELO_NORMALIZED : HY_ELO_LOGISTIC;
    return results;
}

static void check_sprt(const json_t *inputs, const json_t *answers)
{
    hy_elo_model model;
    hy_sprt_results results = results_of(inputs, &model);
    double elo0 = number_of(inputs, "elo0"), elo1 = number_of(inputs, "elo1");
    double moments = hy_sprt_llr_moments(&results, model, elo0, elo1);
    assert_close(hy_sprt_llr(&results, model, elo0, elo1),
                 number_of(answers, "LLR_generalised(fishtest LLRcalc)"), 1e-8);
    if (model == HY_ELO_NORMALIZED) {
        assert_near(moments, number_of(answers, "LLR_normalized_alt(closed form)"));
        assert_true(isnan(hy_sprt_llr_gauss(&results, model, elo0, elo1)));
        return;
    }
    assert_near(moments, number_of(answers, "LLR_alt(0.5*log ratio, closed form)"));
    assert_near(hy_sprt_llr_gauss(&results, model, elo0, elo1),
                number_of(answers, "LLR_alt2(Gaussian, closed form)"));
    assert_near(hy_elo_score(elo0), number_of(answers, "s0"));
    assert_near(hy_elo_score(elo1), number_of(answers, "s1"));
}

static void ratios_agree_with_fishtest(void **state)
{
    (void)state;
    each_case("sprt", 9, check_sprt);
}

static void check_bounds(const json_t *inputs, const json_t *answers)
{
    hy_sprt_bounds bounds =
        hy_sprt_bounds_of(number_of(inputs, "alpha"), number_of(inputs, "beta"));
    assert_near(bounds.lower, number_of(answers, "lower"));
    assert_near(bounds.upper, number_of(answers, "upper"));
}

static void bounds_are_walds(void **state)
{
    (void)state;
    each_case("sprt_bounds", 3, check_bounds);
}

/* No distribution with the score asked for is likelier: neighbours of the one found, along the
 * plane of distributions with that score, have less likelihood. The ratio is then larger for them.
 */
static void the_nearest_distribution_is_the_likeliest(void **state)
{
    (void)state;
    const hy_sprt_results seen = {.num = 3, .counts = {50, 30, 20}};
    const double score = hy_elo_score(40), own = 0.35;
    double best = -INFINITY;
    for (double draws = 0.0005; draws < 1; draws += 0.0005) {
        double wins = score - draws / 2, losses = 1 - wins - draws;
        if (wins > 0 && losses > 0)
            best = fmax(best, 50 * log(losses) + 30 * log(draws) + 20 * log(wins));
    }
    double free = 50 * log(0.5) + 30 * log(0.3) + 20 * log(0.2);
    double elo = -400 * log10(1 / own - 1); /* of the score seen: no restriction */
    assert_close(hy_sprt_llr(&seen, HY_ELO_LOGISTIC, elo, 40), best - free, 1e-5);
}

static void sides_are_symmetric(void **state)
{
    (void)state;
    const hy_sprt_results seen = {.num = 5, .counts = {5, 40, 120, 61, 9}};
    const hy_sprt_results mirrored = {.num = 5, .counts = {9, 61, 120, 40, 5}};
    for (unsigned i = 0; i < HY_NUM_ELO_MODELS; i++) {
        hy_elo_model model = (hy_elo_model)i;
        double ratio = hy_sprt_llr(&seen, model, -3, 7);
        assert_near(hy_sprt_llr(&seen, model, 7, -3), -ratio);
        assert_near(hy_sprt_llr(&mirrored, model, 3, -7), ratio);
        assert_near(hy_sprt_llr(&seen, model, -3, 2) + hy_sprt_llr(&seen, model, 2, 7), ratio);
    }
}

static void wins_raise_the_ratio(void **state)
{
    (void)state;
    double last = -INFINITY;
    for (uint64_t wins = 0; wins < 200; wins += 5) {
        const hy_sprt_results seen = {.num = 3, .counts = {100, 80, wins}};
        double ratio = hy_sprt_llr(&seen, HY_ELO_LOGISTIC, 0, 20);
        assert_true(ratio > last);
        last = ratio;
    }
}

static void no_results_say_nothing(void **state)
{
    (void)state;
    const hy_sprt_results none = {.num = 5};
    assert_true(hy_sprt_llr(&none, HY_ELO_LOGISTIC, 0, 5) == 0);
    assert_true(hy_sprt_llr_moments(&none, HY_ELO_NORMALIZED, 0, 5) == 0);
    const hy_sprt_results alike = {.num = 3, .counts = {0, 10, 0}};
    assert_true(isfinite(hy_sprt_llr(&alike, HY_ELO_LOGISTIC, 0, 5)));
    assert_true(isfinite(hy_sprt_llr(&alike, HY_ELO_NORMALIZED, 0, 5)));
}

static void wrong_tests_are_refused(void **state)
{
    (void)state;
    hy_sprt sprt;
    hy_error error = {0};
    assert_int_equal(hy_sprt_init(&sprt, HY_ELO_LOGISTIC, 4, 0, 5, 0.05, 0.05, &error), HY_INVALID);
    assert_int_equal(hy_sprt_init(&sprt, HY_ELO_LOGISTIC, 3, 5, 5, 0.05, 0.05, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "elo0"));
    assert_int_equal(hy_sprt_init(&sprt, HY_ELO_LOGISTIC, 3, 0, 5, 0, 0.05, &error), HY_INVALID);
    assert_int_equal(hy_sprt_init(&sprt, HY_ELO_LOGISTIC, 3, 0, NAN, 0.05, 0.05, &error),
                     HY_INVALID);
}

/* Plays single games of a player with the given score until the test is decided. */
static hy_sprt play(hy_stream *stream, double score)
{
    hy_sprt sprt;
    assert_int_equal(hy_sprt_init(&sprt, HY_ELO_LOGISTIC, 3, 0, 80, 0.05, 0.1, NULL), HY_OK);
    while (sprt.state == HY_SPRT_CONTINUE) {
        uint64_t counts[3] = {0};
        for (int i = 0; i < 10; i++) {
            double u = hy_stream_real(stream);
            counts[u < 0.3 ? 1 : u < 0.3 + score - 0.15 ? 2 : 0]++;
        }
        hy_sprt_add(&sprt, counts);
    }
    return sprt;
}

/* Errors stay near those asked for: 5 % of H1 where H0 is true, 10 % of H0 where H1 is. 1,000 tests
 * each, so the standard error is below 0.01. */
static void errors_are_as_asked_for(void **state)
{
    (void)state;
    hy_stream stream = dice(11);
    int wrong_upper = 0, wrong_lower = 0;
    for (int i = 0; i < 1000; i++) {
        wrong_upper += play(&stream, 0.5).state == HY_SPRT_UPPER;
        wrong_lower += play(&stream, hy_elo_score(80)).state == HY_SPRT_LOWER;
    }
    assert_in_range(wrong_upper, 15, 75);
    assert_in_range(wrong_lower, 40, 130);
}

static void a_decision_stays(void **state)
{
    (void)state;
    hy_stream stream = dice(5);
    hy_sprt sprt = play(&stream, 0.7);
    assert_int_equal(sprt.state, HY_SPRT_UPPER);
    uint64_t games = sprt.decided_at, all = 0;
    const uint64_t lost[3] = {5000, 0, 0};
    double before = sprt.llr;
    assert_int_equal(hy_sprt_add(&sprt, lost), HY_SPRT_UPPER);
    for (int i = 0; i < 3; i++)
        all += sprt.results.counts[i];
    assert_int_equal(sprt.decided_at, games);
    assert_int_equal(all, games + 5000);
    assert_true(sprt.llr < before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_agree_with_fishtest),
        cmocka_unit_test(bounds_are_walds),
        cmocka_unit_test(the_nearest_distribution_is_the_likeliest),
        cmocka_unit_test(sides_are_symmetric),
        cmocka_unit_test(wins_raise_the_ratio),
        cmocka_unit_test(no_results_say_nothing),
        cmocka_unit_test(wrong_tests_are_refused),
        cmocka_unit_test(errors_are_as_asked_for),
        cmocka_unit_test(a_decision_stays),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
