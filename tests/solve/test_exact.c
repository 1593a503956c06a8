#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solve/exact.h"
#include "support/golden_rows.h"
#include "support/variants.h"

static const hy_exact_terms terms = {.memory = 64u << 20,
                                     .max_laps = HY_DEFAULT_MAX_LAPS,
                                     .mass = HY_EXACT_DEFAULT_MASS,
                                     .max_plies = 1000};

static double result_share(const hy_exact *exact, hy_result result)
{
    double sum = 0;
    for (unsigned t = 0; t < HY_NUM_TERMINATIONS; t++)
        sum += exact->random.share[t][result];
    return sum;
}

static double termination_share(const hy_exact *exact, hy_termination termination)
{
    double sum = 0;
    for (unsigned r = 0; r < HY_NUM_RESULTS; r++)
        sum += exact->random.share[termination][r];
    return sum;
}

/* Right to one part in 10^10; nothing is as small as that and not 0. */
static void assert_real(const json_t *row, const char *key, double value)
{
    double exact = golden_real(row, key);
    if (fabs(value - exact) > 1e-10 * fmax(fabs(exact), 1e-4))
        fail_msg("%s is %.17g, but exactly %.17g", key, value, exact);
}

static void golden_values(void **state)
{
    (void)state;
    json_t *root = golden_load("exact.json");
    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *row = json_array_get(root, i), *random = golden_get(row, "random");
        const json_t *perfect = golden_get(row, "perfect");
        hy_rules rules = golden_pairs(row);
        hy_exact exact;
        assert_int_equal(hy_exact_solve(&exact, &rules, &terms, NULL), HY_OK);
        assert_int_equal(golden_integer(random, "states"), exact.random.states);
        assert_real(random, "mean_plies", exact.random.mean[HY_REWARD_PLIES]);
        assert_real(random, "sd_plies", exact.random.sd[HY_REWARD_PLIES]);
        assert_real(random, "p_south", result_share(&exact, HY_RESULT_SOUTH));
        assert_real(random, "p_north", result_share(&exact, HY_RESULT_NORTH));
        assert_real(random, "p_draw", result_share(&exact, HY_RESULT_DRAW));
        assert_real(random, "p_none", result_share(&exact, HY_RESULT_NONE));
        assert_real(random, "p_endless", termination_share(&exact, HY_ENDLESS));
        assert_int_equal(golden_integer(perfect, "states"), exact.positions);
        assert_int_equal(json_integer_value(golden_get(perfect, "value")), exact.value);
        hy_exact_clean_up(&exact);
    }
    json_decref(root);
}

/* The distribution of the length, from another computation, has the mean and the deviation. */
static void assert_lengths(const hy_exact *exact)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < exact->lengths.num; i++) {
        mean += (double)i * exact->lengths.probability[i];
        square += (double)i * (double)i * exact->lengths.probability[i];
    }
    double exact_mean = exact->random.mean[HY_REWARD_PLIES];
    double deviation = exact->random.sd[HY_REWARD_PLIES];
    assert_true(fabs(mean - exact_mean) <= 1e-7 * exact_mean);
    assert_true(fabs(sqrt(fmax(0, square - mean * mean)) - deviation) <= 1e-4 * exact_mean);
}

static void probabilities_and_moments_belong_together(void **state)
{
    (void)state;
    dice d = {20261129};
    unsigned num_lengths = 0, num_never = 0;
    hy_exact_terms all = terms;
    all.memory = 1u << 20;
    all.max_plies = 3000;
    all.mass = 1 - 1e-12;
    for (unsigned i = 0; i < 200; i++) {
        hy_rules rules = variant_random(&d, 3, 3);
        hy_exact exact;
        rules.repetition = rules.repetition > 3 ? 2 : rules.repetition;
        hy_status status = hy_exact_solve(&exact, &rules, &all, NULL);
        if (status == HY_OK) {
            double sum = exact.random.never;
            for (unsigned r = 0; r < HY_NUM_RESULTS; r++)
                sum += result_share(&exact, (hy_result)r);
            assert_true(fabs(sum - 1) < 1e-12);
            assert_true(exact.random.probability_error < 1e-9);
            assert_true(exact.random.states >= exact.positions || rules.repetition > 0);
            bool followed = exact.lengths.ended > 1 - exact.random.never - 2e-12;
            num_never += exact.random.never > 0;
            if (exact.random.never == 0 && followed) {
                assert_lengths(&exact);
                num_lengths++;
            }
        } else {
            assert_int_equal(status, HY_FAILED);
        }
        hy_exact_clean_up(&exact);
    }
    assert_true(num_lengths > 80);
    assert_true(num_never > 10);
}

/* One hole each, one ply: south drops its only counter, then north. */
static void play_for_ever_is_found(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=1 seeds=4 claim=0 casa=3");
    hy_exact exact;
    assert_int_equal(hy_exact_solve(&exact, &rules, &terms, NULL), HY_OK);
    double sum = exact.random.never;
    for (unsigned r = 0; r < HY_NUM_RESULTS; r++)
        sum += result_share(&exact, (hy_result)r);
    assert_true(fabs(sum - 1) < 1e-15);
    hy_exact_clean_up(&exact);

    /* Two counters that run after each other and can never make a casa together. */
    rules = variant_of("holes=2 seeds=4 claim=0");
    assert_int_equal(hy_exact_solve(&exact, &rules, &terms, NULL), HY_OK);
    assert_true(exact.random.never > 0.8 && exact.random.never < 0.9);
    assert_true(exact.lengths.ended <= 1 - exact.random.never + 1e-15);
    assert_int_equal(hy_lengths_quantile(&exact.lengths, 0.5), -1);
    hy_exact_clean_up(&exact);
}

static void what_does_not_fit_is_refused_with_figures(void **state)
{
    (void)state;
    static const char *const variants[] = {"holes=6", "holes=3 seeds=2 repetition=3"};
    for (size_t i = 0; i < 2; i++) {
        hy_rules rules = variant_of(variants[i]);
        hy_exact_terms few = terms;
        hy_exact exact;
        hy_error error;
        few.memory = 8u << 20;
        assert_int_equal(hy_exact_solve(&exact, &rules, &few, &error), HY_FAILED);
        assert_non_null(strstr(error.text, "does not fit"));
        assert_non_null(strstr(error.text, "the limit is 8 MiB"));
        assert_true(exact.peak <= few.memory);
        if (i == 1)
            assert_non_null(strstr(error.text, "repetition"));
        hy_exact_clean_up(&exact);
    }
}

static void a_bound_counts_the_boards(void **state)
{
    (void)state;
    /* C(n + 3, 3) for n = 8 and 4, two players. */
    hy_rules rules = variant_of("holes=2 seeds=2");
    assert_true(hy_reach_bound(&rules) == 2 * (165 + 35));
    dice d = {1};
    for (unsigned i = 0; i < 200; i++) {
        hy_budget budget = {.limit = 4u << 20};
        hy_graph graph;
        rules = variant_random(&d, 3, 3);
        if (hy_graph_init(&graph, &rules, HY_DEFAULT_MAX_LAPS, &budget, NULL) == HY_OK)
            assert_true(graph.num_nodes <= hy_reach_bound(&rules));
        hy_graph_clean_up(&graph);
        assert_int_equal(budget.used, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values),
        cmocka_unit_test(probabilities_and_moments_belong_together),
        cmocka_unit_test(play_for_ever_is_found),
        cmocka_unit_test(what_does_not_fit_is_refused_with_figures),
        cmocka_unit_test(a_bound_counts_the_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
