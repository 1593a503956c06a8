#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "solve/prove.h"
#include "support/golden_rows.h"
#include "support/slow_tables.h"
#include "support/variants.h"

static hy_proof proof_of(const slow_tables *tables, const hy_position *position,
                         const hy_prove_options *options)
{
    hy_value_source source = slow_tables_source(tables);
    hy_proof proof;
    hy_error error;
    if (hy_prove(tables->rules, &source, position, options, &proof, &error) != HY_OK)
        fail_msg("%s", error.text);
    return proof;
}

/* A proof over tables of so many counters is right as far as it goes; returns whether it goes all
 * the way. */
static bool assert_bounds_hold(const hy_rules *rules, const hy_position *position,
                               unsigned counters, const hy_prove_options *options, int value)
{
    slow_tables tables;
    slow_tables_init(&tables, rules, counters);
    hy_proof proof = proof_of(&tables, position, options);
    slow_tables_clean_up(&tables);
    if (proof.lower > value || proof.upper < value)
        fail_at("bounds that do not hold the value", rules, position, (unsigned)value);
    assert_int_equal(proof.proved, proof.lower == proof.upper);
    return proof.proved;
}

/* Perfect play of the golden variants, from tables of any size. */
static void golden_values_are_proved(void **state)
{
    (void)state;
    json_t *root = golden_load("exact.json");
    hy_prove_options options = {.memory = 1 << 20, .verify = true, .max_level = 30};
    unsigned proved = 0, asked = 0;
    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *row = json_array_get(root, i), *perfect = golden_get(row, "perfect");
        hy_rules rules = golden_pairs(row);
        hy_position start = hy_position_start(&rules);
        int value = (int)json_integer_value(golden_get(perfect, "value"));
        for (unsigned counters = 0; counters < start.left; counters += 4, asked++)
            proved += assert_bounds_hold(&rules, &start, counters, &options, value);
        bool known = assert_bounds_hold(&rules, &start, start.left, &options, value);
        assert_true(known); /* by the table of the start */
    }
    json_decref(root);
    print_message("%u of %u proved\n", proved, asked);
    assert_true(asked == 37 && proved == asked);
}

/* A small variant, near to the default half of the time, whose values decompose. */
static hy_rules variant_that_decomposes(dice *d)
{
    hy_rules rules;
    do {
        rules = variant_random(d, 3, 3);
        rules.claim_by = HY_CLAIM_CAPTURER;
        rules.repetition = 0;
        rules.unfinished = HY_UNFINISHED_SCORE;
        rules.casa = rules.casa > 6 ? 4 : rules.casa;
    } while (hy_rules_check(&rules, NULL, NULL) != HY_OK || hy_rules_total(&rules) > 12);
    return rules;
}

/* The value of the best hole of each kind of answer. */
static void assert_holes_are_best(const slow_tables *all, const hy_position *position,
                                  const hy_proof *proof, int value)
{
    hy_moves moves;
    hy_legal_moves(all->rules, position, HY_DEFAULT_MAX_LAPS, &moves);
    for (unsigned i = 0; i < moves.num; i++) {
        hy_branch branch;
        uint8_t hole = moves.hole[i];
        hy_branch_make(all->rules, position, hole, HY_DEFAULT_MAX_LAPS, &branch);
        int rest = branch.over ? 0 : slow_tables_value(all, &branch.position);
        int won = branch.gain + (branch.over || branch.same_mover ? rest : -rest);
        bool best = memchr(proof->best, hole, proof->num_best) != NULL;
        bool open = memchr(proof->open, hole, proof->num_open) != NULL;
        if (!open && best != ((position->mover == HY_SOUTH ? won : -won) == value))
            fail_at("best holes", all->rules, position, hole);
    }
}

static bool is_settled(const hy_rules *rules, const hy_position *position)
{
    hy_position copy = *position;
    hy_moves moves;
    uint32_t passes = 0;
    return position->left >= rules->casa &&
           hy_settle(rules, HY_DEFAULT_MAX_LAPS, &copy, &moves, &passes) == HY_GOES_ON &&
           copy.mover == position->mover;
}

/* Positions of any variant, against values that were found without search. */
static void random_positions_are_as_in_tables(void **state)
{
    (void)state;
    dice d = {20261129};
    unsigned asked = 0, proved = 0;
    for (unsigned i = 0; i < 30; i++) {
        hy_rules rules = variant_that_decomposes(&d);
        unsigned total = hy_rules_total(&rules);
        slow_tables all, some;
        slow_tables_init(&all, &rules, total);
        slow_tables_init(&some, &rules, total >= 2 * rules.casa ? total - 2 * rules.casa : 0);
        for (unsigned j = 0; j < 20; j++) {
            unsigned size = (unsigned)slow_layer_size(&rules, total);
            hy_position position = slow_layer_position(&rules, total, dice_below(&d, size));
            if (dice_one_in(&d, 2))
                position = hy_position_turned(&rules, &position);
            if (!is_settled(&rules, &position))
                continue;
            hy_prove_options options = {.memory = dice_one_in(&d, 3) ? 1 << 14 : 1 << 18,
                                        .max_level = 10,
                                        .seconds = 0.1,
                                        .no_loops = dice_one_in(&d, 4)};
            int value = slow_tables_value(&all, &position);
            int south = position.mover == HY_SOUTH ? value : -value;
            hy_proof proof = proof_of(&some, &position, &options);
            if (proof.lower > south || proof.upper < south)
                fail_at("bounds that do not hold the value", &rules, &position, 0);
            if (proof.proved)
                assert_holes_are_best(&all, &position, &proof, south);
            asked++;
            proved += proof.proved;
        }
        slow_tables_clean_up(&all);
        slow_tables_clean_up(&some);
    }
    print_message("%u of %u proved\n", proved, asked);
    assert_true(asked > 200 && 10 * proved > 8 * asked);
}

/* Positions of 2x3 from which much play goes round, over small tables. A search for which going
 * round proves any claim, and keeps that, fails here and in three other tests (tried). */
static void going_round_proves_nothing_wrong(void **state)
{
    (void)state;
    static const char *const variants[] = {"holes=3 seeds=2", "holes=3 seeds=2 extra_turn=false",
                                           "holes=3 seeds=2 capture_side=opponent"};
    dice d = {7};
    for (unsigned i = 0; i < 3; i++) {
        hy_rules rules = variant_of(variants[i]);
        slow_tables all, some;
        slow_tables_init(&all, &rules, 12);
        slow_tables_init(&some, &rules, 0);
        for (unsigned j = 0; j < 300; j++) {
            hy_position position = slow_layer_position(&rules, 12, dice_below(&d, 6188));
            if (!is_settled(&rules, &position))
                continue;
            hy_prove_options options = {.memory = 1 << 20, .max_level = 12};
            hy_proof proof = proof_of(&some, &position, &options);
            int value = slow_tables_value(&all, &position);
            if (proof.lower > value || proof.upper < value)
                fail_at("bounds that do not hold the value", &rules, &position, 0);
        }
        slow_tables_clean_up(&all);
        slow_tables_clean_up(&some);
    }
}

/* 2x4 with four: neither tables, nor threads, nor memory change the value; the bounds are verified;
 * the line is played to the end of the search and wins what the value says. */
static void value_does_not_depend_on_means(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=4");
    hy_position start = hy_position_start(&rules);
    for (unsigned counters = 8; counters <= 12; counters += 4) {
        slow_tables tables;
        slow_tables_init(&tables, &rules, counters);
        for (unsigned way = 0; way < 4; way++) {
            hy_prove_options options = {.num_threads = way == 1   ? 2
                                                       : way == 2 ? 5
                                                                  : 1,
                                        .memory = way == 3 ? 1 << 19 : 1 << 22,
                                        .verify = way == 0};
            hy_proof proof = proof_of(&tables, &start, &options);
            if (!proof.proved)
                print_message("%u counters, way %u: %d to %d\n", counters, way, proof.lower,
                              proof.upper);
            assert_true(proof.proved && proof.sign_proved);
            assert_int_equal(proof.lower, 8);
            assert_int_equal(proof.verified, way == 0);
            assert_true(way != 0 || proof.verified_positions > 10);
        }
        slow_tables_clean_up(&tables);
    }
}

static void line_wins_the_value(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=4");
    hy_position position = hy_position_start(&rules);
    slow_tables tables;
    slow_tables_init(&tables, &rules, 8);
    hy_prove_options options = {.memory = 1 << 22};
    hy_proof proof = proof_of(&tables, &position, &options);
    hy_branch branch = {.over = false};
    assert_true(proof.line_length > 2);
    for (unsigned i = 0; i < proof.line_length; i++) {
        assert_false(branch.over);
        assert_true(hy_is_playable(&rules, &position, proof.line[i]));
        hy_branch_make(&rules, &position, proof.line[i], HY_DEFAULT_MAX_LAPS, &branch);
        position = branch.position;
    }
    int won = position.score[HY_SOUTH] - position.score[HY_NORTH];
    if (!branch.over) {
        int rest = slow_tables_value(&tables, &position);
        won += position.mover == HY_SOUTH ? rest : -rest;
    }
    assert_int_equal(won, proof.lower);
    slow_tables_clean_up(&tables);
}

static void sign_is_proved(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        int sign;
    } cases[] = {{"holes=4", 1}, {"holes=3 seeds=2", -1}, {"holes=4 seeds=2", 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_rules rules = variant_of(cases[i].rules);
        hy_position start = hy_position_start(&rules);
        slow_tables tables;
        slow_tables_init(&tables, &rules, 8);
        hy_prove_options options = {.memory = 1 << 22, .sign = true};
        hy_proof proof = proof_of(&tables, &start, &options);
        assert_true(proof.sign_proved);
        assert_int_equal((proof.lower > 0) - (proof.upper < 0), cases[i].sign);
        slow_tables_clean_up(&tables);
    }
}

/* Tables by which the mover wins everything give another value: they are looked at. */
static int wrong_value(const void *context, const hy_position *position)
{
    (void)context;
    return position->left;
}

static void wrong_tables_give_wrong_values(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=4");
    hy_position start = hy_position_start(&rules);
    slow_tables tables;
    slow_tables_init(&tables, &rules, 12);
    hy_value_source source = slow_tables_source(&tables);
    source.value = wrong_value;
    hy_prove_options options = {.memory = 1 << 22, .seconds = 2, .max_level = 20};
    hy_proof proof;
    assert_int_equal(hy_prove(&rules, &source, &start, &options, &proof, NULL), HY_OK);
    assert_false(proof.proved && proof.lower == 8);
    slow_tables_clean_up(&tables);
}

/* Sowings that are given up after a few laps prove nothing, and refute nothing either. A search
 * that takes a position for lost where all other plies fail is caught here (tried). */
static void long_sowings_prove_nothing(void **state)
{
    (void)state;
    dice d = {20261130};
    unsigned proved = 0, asked = 0, cut = 0;
    for (unsigned i = 0; i < 60; i++) {
        hy_rules rules = variant_that_decomposes(&d);
        hy_position start = hy_position_start(&rules), settled = start;
        hy_moves moves;
        uint32_t passes = 0;
        if (hy_settle(&rules, HY_DEFAULT_MAX_LAPS, &settled, &moves, &passes) != HY_GOES_ON)
            continue;
        slow_tables all, none;
        slow_tables_init(&all, &rules, start.left);
        slow_tables_init(&none, &rules, 0);
        int value = slow_tables_value(&all, &settled);
        value = settled.mover == HY_SOUTH ? value : -value;
        for (unsigned laps = 1; laps <= 4; laps++, asked++) {
            hy_prove_options options = {.memory = 1 << 16, .max_level = 12, .max_laps = laps};
            hy_proof proof = proof_of(&none, &settled, &options);
            if (proof.lower > value || proof.upper < value)
                fail_at("bounds that do not hold the value", &rules, &settled, laps);
            if (proof.proved)
                assert_holes_are_best(&all, &settled, &proof, value);
            proved += proof.proved;
            cut += proof.unresolved > 0;
        }
        slow_tables_clean_up(&all);
        slow_tables_clean_up(&none);
    }
    print_message("%u of %u proved, %u with sowings given up\n", proved, asked, cut);
    assert_true(asked > 150 && cut > asked / 4 && proved > asked / 8 && proved < asked);
}

/* The start is full enough for a sowing that ten million laps do not settle. */
static void full_board_is_proved(void **state)
{
    (void)state;
    hy_rules rules = variant_of("seeds=8");
    hy_position start = hy_position_start(&rules);
    slow_tables tables;
    slow_tables_init(&tables, &rules, 8);
    hy_prove_options options = {.memory = 1 << 24, .max_laps = 10000, .verify = true};
    hy_proof proof = proof_of(&tables, &start, &options);
    assert_true(proof.proved && proof.verified && proof.lower == -96);
    slow_tables_clean_up(&tables);
}

static void limits_give_bounds(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=6");
    hy_position start = hy_position_start(&rules);
    slow_tables tables;
    slow_tables_init(&tables, &rules, 4);
    hy_value_source source = slow_tables_source(&tables);
    hy_proof proof;
    hy_error error;
    hy_prove_options few = {.memory = 1 << 20, .max_level = 4};
    assert_int_equal(hy_prove(&rules, &source, &start, &few, &proof, &error), HY_OK);
    assert_true(!proof.proved && proof.lower <= -28 && proof.upper >= -28);
    hy_prove_options quick = {.memory = 1 << 20, .seconds = 0.05};
    assert_int_equal(hy_prove(&rules, &source, &start, &quick, &proof, &error), HY_OK);
    assert_true(!proof.proved && proof.lower <= -28 && proof.upper >= -28);
    atomic_int stop = 15;
    hy_prove_options stopped = {.memory = 1 << 20, .stop = &stop};
    assert_int_equal(hy_prove(&rules, &source, &start, &stopped, &proof, &error), HY_INTERRUPTED);
    assert_int_equal(proof.lower, -48);
    slow_tables_clean_up(&tables);
}

static void what_does_not_decompose_is_refused(void **state)
{
    (void)state;
    static const char *const words[] = {"claim_by=starter", "unfinished=void", "repetition=3"};
    hy_value_source none = {0};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        hy_rules rules = variant_of(words[i]);
        hy_position start = hy_position_start(&rules);
        hy_prove_options options = {0};
        hy_proof proof;
        hy_error error;
        assert_int_equal(hy_prove(&rules, &none, &start, &options, &proof, &error), HY_INVALID);
        assert_memory_equal(strchr(error.text, '\'') + 1, words[i], 8);
    }
    hy_rules rules = variant_of("claim_by=starter claim=0"); /* nobody claims anything */
    hy_error error;
    assert_int_equal(hy_branch_check(&rules, &error), HY_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values_are_proved),
        cmocka_unit_test(random_positions_are_as_in_tables),
        cmocka_unit_test(going_round_proves_nothing_wrong),
        cmocka_unit_test(value_does_not_depend_on_means),
        cmocka_unit_test(line_wins_the_value),
        cmocka_unit_test(sign_is_proved),
        cmocka_unit_test(wrong_tables_give_wrong_values),
        cmocka_unit_test(long_sowings_prove_nothing),
        cmocka_unit_test(full_board_is_proved),
        cmocka_unit_test(limits_give_bounds),
        cmocka_unit_test(what_does_not_decompose_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
