#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/prover.h"
#include "rules/sowing_laps.h"
#include "support/dice.h"
#include "support/variants.h"

/* Rules that the prover handles, on boards full enough for long sowings. */
static hy_rules provable_rules(dice *d)
{
    for (;;) {
        hy_rules rules = variant_random(d, HY_PROVER_BOARD / 2, 15);
        rules.skip_origin = false;
        rules.relay = true;
        rules.en_passant = HY_EN_PASSANT_NONE;
        rules.final_capture = true;
        rules.capture_side = HY_SIDE_ANY;
        if (hy_rules_check(&rules, NULL, NULL) == HY_OK && hy_prover_handles(&rules))
            return rules;
    }
}

/* A sowing to be proven, with what hy_sow says of it. */
typedef struct sowing {
    uint16_t board[HY_MAX_BOARD];
    unsigned hole;
    uint64_t before; /* laps sown already */
    hy_sowing whole;
} sowing;

/* A position whose sowing lasts for at least `before` laps. */
static sowing long_sowing(dice *d, const hy_rules *rules, uint64_t max_laps)
{
    for (;;) {
        hy_position position = {.left = 0};
        unsigned size = 2u * rules->holes, left = 1 + dice_below(d, UINT8_MAX);
        for (unsigned i = 0; i < left; i++)
            position.board[dice_below(d, size)]++;
        sowing s = {.hole = dice_below(d, size)};
        if (position.board[s.hole] == 0)
            continue;
        uint16_t after[HY_MAX_BOARD];
        hy_sow(rules, position.board, s.hole, HY_SOUTH, max_laps, after, &s.whole);
        memcpy(s.board, position.board, sizeof s.board);
        hy_laps laps = {.board = s.board, .hole = s.hole, .hand = s.board[s.hole]};
        uint64_t wanted = dice_below(d, 20);
        while (laps.laps < wanted && hy_lap_by_counters(rules, HY_SOUTH, &laps) == HY_LAP_GOES_ON)
            continue;
        s.hole = laps.hole;
        s.before = laps.laps;
        bool goes_on = s.whole.ending == HY_ENDING_ENDLESS ||
                       s.whole.ending == HY_ENDING_UNRESOLVED || s.whole.laps > s.before;
        if (goes_on && (s.whole.laps == 0 || dice_one_in(d, 1000)))
            return s;
    }
}

static void check_verdict(const sowing *s, hy_verdict verdict, unsigned counts[4])
{
    counts[verdict]++;
    assert_true(verdict != HY_VERDICT_OPEN);
    if (verdict == HY_VERDICT_ENDLESS)
        assert_int_equal(s->whole.ending, HY_ENDING_ENDLESS);
    if (verdict == HY_VERDICT_UNRESOLVED)
        assert_int_equal(s->whole.ending, HY_ENDING_UNRESOLVED);
}

/* Proves eight sowings at a time; `blind`: without looking for the start. */
static void prove(dice *d, bool blind, unsigned counts[4])
{
    hy_rules rules = provable_rules(d);
    static hy_prover prover;
    sowing sowings[HY_PROVER_CHAINS];
    uint64_t max_laps = dice_one_in(d, 2) ? 30 + dice_below(d, 3000) : 100000;
    hy_prover_init(&prover, &rules, max_laps);
    unsigned num = 1 + dice_below(d, HY_PROVER_CHAINS), left = num;
    for (unsigned i = 0; i < num; i++) {
        sowings[i] = long_sowing(d, &rules, max_laps);
        hy_prover_add(&prover, i, sowings[i].board, sowings[i].hole, sowings[i].before);
        if (blind)
            memset(&prover.proofs[i].mark, 0xff, sizeof prover.proofs[i].mark.holes);
    }
    while (left > 0) {
        hy_prover_run(&prover);
        for (unsigned i = 0; i < num; i++) {
            hy_proof *proof = &prover.proofs[i];
            if (!proof->used || proof->verdict == HY_VERDICT_OPEN)
                continue;
            check_verdict(&sowings[i], proof->verdict, counts);
            proof->used = false;
            left--;
        }
    }
}

static void verdicts_are_those_of_sowing(void **state)
{
    (void)state;
    dice d = {20261130};
    unsigned counts[4] = {0};
    for (unsigned i = 0; i < 200; i++)
        prove(&d, false, counts);
    assert_true(counts[HY_VERDICT_ENDLESS] > 100 && counts[HY_VERDICT_UNRESOLVED] > 100);
    assert_true(counts[HY_VERDICT_UNCLEAR] > 100);
}

/* Cycles that the start does not lie on have not been met; the marks that would find them are
 * tested by hiding the start. */
static void cycles_are_found_without_the_start(void **state)
{
    (void)state;
    dice d = {7};
    unsigned counts[4] = {0};
    for (unsigned i = 0; i < 200; i++)
        prove(&d, true, counts);
    assert_true(counts[HY_VERDICT_ENDLESS] > 100 && counts[HY_VERDICT_UNRESOLVED] > 100);
}

/* Clear cases get a verdict: only what ends, or comes back close to max_laps, is unclear. */
static void unclear_ones_end(void **state)
{
    (void)state;
    dice d = {3};
    hy_rules rules = variant_of("holes=4");
    static hy_prover prover;
    hy_prover_init(&prover, &rules, 1000000);
    unsigned clear = 0;
    for (unsigned i = 0; i < 40; i++) {
        sowing s = long_sowing(&d, &rules, 1000000);
        hy_prover_add(&prover, 3, s.board, s.hole, s.before);
        hy_prover_run(&prover);
        bool ends = s.whole.ending == HY_ENDING_CAPTURE || s.whole.ending == HY_ENDING_EMPTY;
        assert_int_equal(prover.proofs[3].verdict == HY_VERDICT_UNCLEAR, ends);
        clear += !ends;
        prover.proofs[3].used = false;
    }
    assert_true(clear > 5);
}

static void what_it_cannot_is_refused(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "skip_origin=true", "en_passant=sower", "relay=false",           "capture_side=own",
        "holes=9",          "holes=8 seeds=16", "capture_side=opponent", "en_passant=owner"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        hy_rules rules = variant_of(variants[i]);
        assert_false(hy_prover_handles(&rules));
    }
}

int main(void)
{
    hy_rules rules = hy_rules_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_cannot_is_refused),
        cmocka_unit_test(verdicts_are_those_of_sowing),
        cmocka_unit_test(cycles_are_found_without_the_start),
        cmocka_unit_test(unclear_ones_end),
    };
    if (!hy_prover_handles(&rules)) /* a machine without the registers */
        return cmocka_run_group_tests_name("prover", ((struct CMUnitTest[1]){tests[0]}), NULL,
                                           NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
