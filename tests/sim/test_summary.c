#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/summary.h"
#include "support/dice.h"
#include "support/experiments.h"

#define GAMES 3000u

/* Real games of two conditions, in one list. */
static hy_game_record records[GAMES];

static int play_records(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(GAMES, HY_RECORD_SUMMARY);
    for (size_t i = 0; i < 2; i++) {
        hy_table table;
        assert_int_equal(hy_table_init(&table, &experiment.conditions[i], false, NULL), HY_OK);
        for (uint64_t number = i; number < GAMES; number += 2)
            assert_int_equal(
                hy_table_play(&table, experiment.seed, number, NULL, &records[number], NULL),
                HY_OK);
        hy_table_clean_up(&table);
    }
    hy_experiment_clean_up(&experiment);
    return 0;
}

static void add(hy_summary *summary, const hy_game_record *record)
{
    assert_int_equal(hy_summary_add(summary, record, NULL), HY_OK);
}

static void merge(hy_summary *summary, const hy_summary *other)
{
    assert_int_equal(hy_summary_merge(summary, other, NULL), HY_OK);
}

static hy_length_count *lengths_of(const hy_summary *summary)
{
    hy_length_count *lengths;
    assert_int_equal(hy_summary_lengths(summary, &lengths, NULL), HY_OK);
    return lengths;
}

/* Field by field; the order in the table of lengths does not matter. */
static void assert_same(const hy_summary *a, const hy_summary *b)
{
    assert_int_equal(a->games, b->games);
    assert_memory_equal(a->results, b->results, sizeof a->results);
    assert_memory_equal(a->terminations, b->terminations, sizeof a->terminations);
    assert_memory_equal(a->sums, b->sums, sizeof a->sums);
    assert_memory_equal(a->products, b->products, sizeof a->products);
    assert_int_equal(a->max_plies, b->max_plies);
    assert_int_equal(a->longest_turn, b->longest_turn);
    assert_int_equal(a->longest_chain, b->longest_chain);
    assert_memory_equal(a->chain_count, b->chain_count, sizeof a->chain_count);
    assert_int_equal(a->sketch.num, b->sketch.num);
    assert_int_equal(a->sketch.overflowed, b->sketch.overflowed);
    assert_memory_equal(a->sketch.hashes, b->sketch.hashes, a->sketch.num * sizeof(uint64_t));
    assert_int_equal(a->num_lengths, b->num_lengths);
    hy_length_count *x = lengths_of(a), *y = lengths_of(b);
    for (size_t i = 0; i < a->num_lengths; i++) {
        assert_int_equal(x[i].termination, y[i].termination);
        assert_int_equal(x[i].plies, y[i].plies);
        assert_int_equal(x[i].games, y[i].games);
    }
    free(x);
    free(y);
}

static void shuffle(dice *d, unsigned *order, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        order[i] = i;
    for (unsigned i = num - 1; i > 0; i--) {
        unsigned j = dice_below(d, i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* Any order of games, split into any groups, merged in any order and grouping. */
static void order_and_grouping_do_not_matter(void **state)
{
    (void)state;
    dice d = {12};
    unsigned order[GAMES];
    hy_summary plain = {0};
    for (unsigned i = 0; i < GAMES; i++)
        add(&plain, &records[i]);
    for (unsigned round = 0; round < 10; round++) {
        enum { GROUPS = 6 };
        hy_summary groups[GROUPS] = {{0}};
        shuffle(&d, order, GAMES);
        for (unsigned i = 0; i < GAMES; i++)
            add(&groups[round == 0 ? 0 : dice_below(&d, GROUPS)], &records[order[i]]);
        for (unsigned left = GROUPS; left > 1; left--) {
            unsigned into = dice_below(&d, left - 1);
            merge(&groups[into], &groups[left - 1]);
        }
        assert_same(&groups[0], &plain);
        for (unsigned i = 0; i < GROUPS; i++)
            hy_summary_clean_up(&groups[i]);
    }
    hy_summary_clean_up(&plain);
}

static void merging_nothing_changes_nothing(void **state)
{
    (void)state;
    hy_summary some = {0}, none = {0}, copy = {0};
    for (unsigned i = 0; i < 100; i++)
        add(&some, &records[i]);
    merge(&copy, &some);
    merge(&copy, &none);
    assert_same(&copy, &some);
    hy_summary_clear(&copy);
    assert_same(&copy, &none);
    merge(&copy, &some);
    assert_same(&copy, &some);
    hy_summary_clean_up(&some);
    hy_summary_clean_up(&copy);
}

/* One quantity of a game by its word: a second meaning of the sums. */
static uint64_t quantity_of(const hy_game_record *record, const char *word, size_t length)
{
    const struct {
        const char *word;
        uint64_t value;
    } rows[] = {
        {"plies", record->plies},
        {"turns", record->turns},
        {"passes", record->passes},
        {"laps", record->laps},
        {"counters", record->counters},
        {"captures", record->captures},
        {"casas", record->casas},
        {"chains", record->chains},
        {"south_score", record->score[0]},
        {"north_score", record->score[1]},
        {"lead_changes", record->lead_changes},
        {"legal_holes", record->legal_holes},
        {"decision_plies", record->decision_plies},
        {"south_captures", record->south_captures},
        {"south_chains", record->south_chains},
        {"claimed", record->claimed},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        if (strlen(rows[i].word) == length && strncmp(rows[i].word, word, length) == 0)
            return rows[i].value;
    }
    fail_msg("unknown quantity '%s'", word);
    return 0;
}

static void sums_are_those_of_a_recount(void **state)
{
    (void)state;
    hy_summary summary = {0};
    for (unsigned i = 0; i < GAMES; i++)
        add(&summary, &records[i]);
    for (size_t q = 0; q < HY_NUM_QUANTITIES; q++) {
        uint64_t sum = 0;
        const char *word = hy_quantity_words[q];
        for (unsigned i = 0; i < GAMES; i++)
            sum += quantity_of(&records[i], word, strlen(word));
        assert_int_equal(summary.sums[q], sum);
        assert_true(sum > 0);
    }
    for (size_t p = 0; p < HY_NUM_PRODUCTS; p++) {
        uint64_t sum = 0;
        const char *word = hy_product_words[p], *second = strchr(word, '*') + 1;
        size_t length = (size_t)(second - 1 - word);
        for (unsigned i = 0; i < GAMES; i++)
            sum += quantity_of(&records[i], word, length) *
                   quantity_of(&records[i], second, strlen(second));
        assert_int_equal(summary.products[p], sum);
    }
    hy_summary_clean_up(&summary);
}

static void counts_are_those_of_a_recount(void **state)
{
    (void)state;
    hy_summary summary = {0}, counted = {0};
    for (unsigned i = 0; i < GAMES; i++) {
        const hy_game_record *record = &records[i];
        add(&summary, record);
        counted.results[record->result]++;
        counted.terminations[record->termination]++;
        for (unsigned length = 1; length <= HY_MAX_CHAIN; length++)
            counted.chain_count[length] += record->chain_count[length];
#define RAISE(most, value) most = (value) > most ? (value) : most
        RAISE(counted.max_plies, record->plies);
        RAISE(counted.longest_turn, record->longest_turn);
        RAISE(counted.longest_chain, record->longest_chain);
    }
    assert_int_equal(summary.games, GAMES);
    assert_memory_equal(summary.results, counted.results, sizeof counted.results);
    assert_memory_equal(summary.terminations, counted.terminations, sizeof counted.terminations);
    assert_memory_equal(summary.chain_count, counted.chain_count, sizeof counted.chain_count);
    assert_int_equal(summary.max_plies, counted.max_plies);
    assert_int_equal(summary.longest_turn, counted.longest_turn);
    assert_int_equal(summary.longest_chain, counted.longest_chain);
    assert_true(counted.longest_chain > 1);
    assert_int_equal(summary.results[HY_RESULT_SOUTH] + summary.results[HY_RESULT_NORTH] +
                         summary.results[HY_RESULT_DRAW] + summary.results[HY_RESULT_NONE],
                     GAMES);
    hy_summary_clean_up(&summary);
}

static void the_histogram_is_complete_and_sorted(void **state)
{
    (void)state;
    hy_summary summary = {0};
    uint64_t games = 0;
    for (unsigned i = 0; i < GAMES; i++)
        add(&summary, &records[i]);
    hy_length_count *lengths = lengths_of(&summary);
    assert_true(summary.num_lengths > 50);
    for (size_t i = 0; i < summary.num_lengths; i++) {
        uint64_t same = 0;
        for (unsigned j = 0; j < GAMES; j++)
            same += records[j].plies == lengths[i].plies &&
                    records[j].termination == lengths[i].termination;
        assert_int_equal(lengths[i].games, same);
        games += lengths[i].games;
        if (i > 0)
            assert_true(lengths[i - 1].termination < lengths[i].termination ||
                        (lengths[i - 1].termination == lengths[i].termination &&
                         lengths[i - 1].plies < lengths[i].plies));
    }
    assert_int_equal(games, GAMES);
    free(lengths);
    hy_summary_clean_up(&summary);
}

/* More lengths than any first table holds, at the ends of their range. */
static void many_lengths(void **state)
{
    (void)state;
    enum { NUM_LENGTHS = 20000 };
    hy_summary summary = {0};
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < NUM_LENGTHS; i++)
            assert_int_equal(hy_summary_add_length(&summary, (hy_termination)(1 + i % 8),
                                                   i * (HY_LIMIT_MAX_PLIES / NUM_LENGTHS), i, NULL),
                             HY_OK);
    }
    assert_int_equal(summary.num_lengths, NUM_LENGTHS);
    hy_length_count *lengths = lengths_of(&summary);
    for (size_t i = 0; i < NUM_LENGTHS; i++)
        assert_int_equal(lengths[i].games,
                         3 * (lengths[i].plies / (HY_LIMIT_MAX_PLIES / NUM_LENGTHS)));
    free(lengths);
    hy_summary_clean_up(&summary);
}

/* A merge that would pass 64 bits fails; the last one that does not is exact. */
static void an_overflow_is_refused(void **state)
{
    (void)state;
    static const size_t offsets[] = {
        offsetof(hy_summary, results) + 2 * sizeof(uint64_t),
        offsetof(hy_summary, terminations) + 3 * sizeof(uint64_t),
        offsetof(hy_summary, sums),
        offsetof(hy_summary, sums) + (HY_NUM_QUANTITIES - 1) * sizeof(uint64_t),
        offsetof(hy_summary, chain_count) + HY_MAX_CHAIN * sizeof(uint64_t),
    };
    for (size_t i = 0; i < NUM(offsets); i++) {
        hy_summary a = {0}, b = {0};
        hy_error error = {0};
        uint64_t *x = (uint64_t *)((char *)&a + offsets[i]);
        uint64_t *y = (uint64_t *)((char *)&b + offsets[i]);
        *x = UINT64_MAX - 5;
        *y = 5;
        assert_int_equal(hy_summary_merge(&a, &b, &error), HY_OK);
        assert_true(*x == UINT64_MAX);
        *y = 1;
        assert_int_equal(hy_summary_merge(&a, &b, &error), HY_FAILED);
        assert_non_null(strstr(error.text, "64 bits"));
    }
}

/* One game of many plies and laps, as an extreme run could have millions of. */
static hy_game_record long_record(uint32_t plies, uint64_t laps)
{
    return (hy_game_record){.termination = HY_CLAIMED, .plies = plies, .laps = laps};
}

/* Sums of products pass 64 bits and stay exact, added one by one or merged in any grouping. */
static void products_may_be_wide(void **state)
{
    (void)state;
    static const uint64_t laps[] = {INT32_MAX, (uint64_t)3 << 40,
                                    UINT32_MAX}; /* both ways to add */
    for (size_t i = 0; i < NUM(laps); i++) {
        hy_summary one = {0}, doubled = {0}, other = {0};
        hy_game_record record = long_record(INT32_MAX, laps[i]);
        hy_wide square = (hy_wide)laps[i] * laps[i], product = (hy_wide)laps[i] * INT32_MAX;
        for (unsigned n = 1; n <= 100; n++) {
            assert_int_equal(hy_summary_add(&one, &record, NULL), HY_OK);
            assert_true(hy_summary_product(&one, HY_PRODUCT_LAPS_LAPS) == n * square);
            assert_true(hy_summary_product(&one, HY_PRODUCT_LAPS_PLIES) == n * product);
            assert_true(hy_summary_product(&one, HY_PRODUCT_TURNS_TURNS) == 0);
        }
        assert_int_equal(hy_summary_add(&doubled, &record, NULL), HY_OK);
        for (unsigned k = 1; k <= 20; k++) { /* a million such games */
            hy_summary_clear(&other);
            assert_int_equal(hy_summary_merge(&other, &doubled, NULL), HY_OK);
            assert_int_equal(hy_summary_merge(&doubled, &other, NULL), HY_OK);
            assert_true(hy_summary_product(&doubled, HY_PRODUCT_LAPS_LAPS) == square << k);
            assert_true(hy_summary_product(&doubled, HY_PRODUCT_PLIES_PLIES) ==
                        (hy_wide)INT32_MAX * INT32_MAX << k);
        }
        hy_summary_clean_up(&one);
        hy_summary_clean_up(&doubled);
        hy_summary_clean_up(&other);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_may_be_wide),
        cmocka_unit_test(order_and_grouping_do_not_matter),
        cmocka_unit_test(merging_nothing_changes_nothing),
        cmocka_unit_test(sums_are_those_of_a_recount),
        cmocka_unit_test(counts_are_those_of_a_recount),
        cmocka_unit_test(the_histogram_is_complete_and_sorted),
        cmocka_unit_test(many_lengths),
        cmocka_unit_test(an_overflow_is_refused),
    };
    return cmocka_run_group_tests_name("sim/summary", tests, play_records, NULL);
}
