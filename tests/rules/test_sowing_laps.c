#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/naive.h"
#include "support/variants.h"

typedef struct answer {
    hy_sowing sowing;
    uint16_t after[HY_MAX_BOARD];
} answer;

/* What the naive sowing without a narrow limit says about a narrower one. */
static hy_ending expected_ending(const naive_sowing *naive, uint64_t max_laps)
{
    switch (naive->ending) {
    case HY_ENDING_ENDLESS:
        return naive->recurrence <= max_laps ? HY_ENDING_ENDLESS : HY_ENDING_UNRESOLVED;
    case HY_ENDING_EMPTY:
    case HY_ENDING_CAPTURE:
    case HY_ENDING_OCCUPIED:
        return naive->laps <= max_laps ? naive->ending : HY_ENDING_UNRESOLVED;
    case HY_ENDING_UNRESOLVED:
        break;
    }
    return HY_ENDING_UNRESOLVED;
}

static void assert_limit(const hy_rules *rules, const hy_position *position, unsigned hole,
                         const naive_sowing *naive, uint64_t max_laps)
{
    answer answers[2];
    hy_player mover = (hy_player)position->mover;
    hy_ending ending = expected_ending(naive, max_laps);
    bool done = ending < HY_ENDING_ENDLESS;
    hy_sow_reference(rules, position->board, hole, mover, max_laps, answers[0].after,
                     &answers[0].sowing);
    if (hy_sow_fast_handles(rules))
        hy_sow_fast(rules, position->board, hole, mover, max_laps, answers[1].after,
                    &answers[1].sowing);
    else
        hy_sow(rules, position->board, hole, mover, max_laps, answers[1].after, &answers[1].sowing);
    for (int i = 0; i < 2; i++) {
        const hy_sowing *sowing = &answers[i].sowing;
        if (sowing->ending != ending || sowing->laps != (done ? naive->laps : 0) ||
            sowing->counters != (done ? naive->counters : 0) ||
            memcmp(answers[i].after, done ? naive->after : position->board,
                   sizeof answers[i].after) != 0)
            fail_at(i == 0 ? "reference, at some limit" : "fast engine, at some limit", rules,
                    position, hole);
    }
}

static void assert_every_limit(const hy_rules *rules, const hy_position *position, unsigned hole,
                               const naive_sowing *naive)
{
    uint64_t seam = naive->ending == HY_ENDING_ENDLESS ? naive->recurrence : naive->laps;
    uint64_t last = seam + 3 < 150 ? seam + 3 : 150;
    for (uint64_t max_laps = 1; max_laps <= last; max_laps++)
        assert_limit(rules, position, hole, naive, max_laps);
    for (uint64_t max_laps = seam - 1; max_laps <= seam + 2; max_laps++) {
        if (max_laps > 150)
            assert_limit(rules, position, hole, naive, max_laps);
    }
    assert_limit(rules, position, hole, naive, 2 * seam);
    assert_limit(rules, position, hole, naive, HY_DEFAULT_MAX_LAPS);
}

/* Crowded small boards with large casas, on which sowings last long. */
static bool lasting_sowing(dice *d, hy_rules *rules, hy_position *position, unsigned *hole)
{
    unsigned most = 4 + dice_below(d, 12);
    *rules = variant_random(d, 4, HY_MAX_SEEDS);
    rules->relay = true;
    rules->casa = (uint8_t)(4 + dice_below(d, 13));
    *position = (hy_position){.mover = (uint8_t)dice_below(d, 2)};
    for (unsigned h = 0; h < 2u * rules->holes; h++) {
        position->board[h] = (uint16_t)dice_below(d, most);
        position->left = (uint16_t)(position->left + position->board[h]);
    }
    return hole_random_of(d, rules, position, (hy_player)position->mover, hole);
}

/* Endless is when the first recurrence comes within the limit: for every limit from 1 on, whatever
 * way of finding it an engine uses. */
static void endless_is_recurrence_within_the_limit(void **state)
{
    (void)state;
    dice d = {16};
    unsigned endless = 0, late = 0, with_lead_in = 0, finite = 0, unresolved = 0;
    for (int i = 0; i < 300000; i++) {
        hy_rules rules;
        hy_position position;
        unsigned hole;
        naive_sowing naive;
        if (!lasting_sowing(&d, &rules, &position, &hole))
            continue;
        naive_sow(&rules, position.board, hole, (hy_player)position.mover, 2000, &naive);
        bool recurs = naive.ending == HY_ENDING_ENDLESS;
        if (naive.ending == HY_ENDING_UNRESOLVED)
            unresolved++;
        if (naive.ending == HY_ENDING_UNRESOLVED || (recurs && naive.recurrence < 20) ||
            (!recurs && naive.laps < 40))
            continue;
        endless += recurs;
        finite += !recurs;
        late += naive.recurrence > 64;
        with_lead_in += naive.recurrence > naive.period;
        assert_every_limit(&rules, &position, hole, &naive);
    }
    assert_true(endless > 500 && finite > 100 && late > 100 && with_lead_in > 100);
    assert_true(unresolved > 20);
}

/* Every sowing of small boards, with every limit. */
static void all_small_boards(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=2");
    unsigned endless = 0;
    for (unsigned code = 0; code < 8 * 8 * 8 * 8; code++) {
        hy_position position = {.mover = HY_SOUTH};
        for (unsigned h = 0, rest = code; h < 4; h++, rest /= 8)
            position.board[h] = (uint16_t)(rest % 8);
        for (unsigned hole = 0; hole < 2; hole++) {
            naive_sowing naive;
            if (position.board[hole] == 0)
                continue;
            naive_sow(&rules, position.board, hole, HY_SOUTH, 10000, &naive);
            assert_int_not_equal(naive.ending, HY_ENDING_UNRESOLVED);
            endless += naive.ending == HY_ENDING_ENDLESS;
            assert_every_limit(&rules, &position, hole, &naive);
        }
    }
    assert_true(endless > 100);
}

/* The example on the page of rules. */
static void the_documented_period_is_83070(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    hy_position position = position_of(&rules, "13 0 4 1 2 1 0 10 1 0 7 1/0 0 south");
    naive_sowing naive;
    naive_sow(&rules, position.board, 0, HY_SOUTH, 1000000, &naive);
    assert_int_equal(naive.ending, HY_ENDING_ENDLESS);
    assert_int_equal(naive.period, 83070);
    static const uint64_t limits[] = {1, 64, 1000, 41535, 83069, 83070, HY_DEFAULT_MAX_LAPS};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        assert_limit(&rules, &position, 0, &naive, limits[i]);
    for (uint64_t max_laps = naive.recurrence - 1; max_laps <= naive.recurrence + 1; max_laps++)
        assert_limit(&rules, &position, 0, &naive, max_laps);
}

/* Laps are no measure of endlessness: sowings of more laps than most cycles have can end. */
static void long_sowings_can_end(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=4 casa=8");
    dice d = {17};
    unsigned num_long = 0;
    for (int i = 0; i < 20000; i++) {
        hy_position position = {.mover = HY_SOUTH};
        naive_sowing naive;
        unsigned hole;
        for (unsigned h = 0; h < 8; h++)
            position.board[h] = (uint16_t)dice_below(&d, 13);
        if (!hole_random_of(&d, &rules, &position, HY_SOUTH, &hole))
            continue;
        naive_sow(&rules, position.board, hole, HY_SOUTH, 1000, &naive);
        if (naive.laps <= 75)
            continue;
        num_long++;
        assert_every_limit(&rules, &position, hole, &naive);
    }
    assert_true(num_long > 20);
}

/* What neither ends nor recurs within the limit is unresolved, at every smaller limit too. */
static void what_lasts_beyond_the_limit_is_unresolved(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=3 casa=8");
    dice d = {18};
    unsigned unresolved = 0;
    for (int i = 0; i < 10000; i++) {
        hy_position position = {.mover = HY_SOUTH};
        naive_sowing naive;
        unsigned hole;
        for (unsigned h = 0; h < 6; h++)
            position.board[h] = (uint16_t)dice_below(&d, 13);
        if (!hole_random_of(&d, &rules, &position, HY_SOUTH, &hole))
            continue;
        naive_sow(&rules, position.board, hole, HY_SOUTH, 3000, &naive);
        if (naive.ending != HY_ENDING_UNRESOLVED)
            continue;
        unresolved++;
        for (uint64_t max_laps = 1; max_laps <= 3000; max_laps = 2 * max_laps + 1)
            assert_limit(&rules, &position, hole, &naive, max_laps);
        assert_limit(&rules, &position, hole, &naive, 3000);
    }
    assert_true(unresolved > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endless_is_recurrence_within_the_limit),
        cmocka_unit_test(all_small_boards),
        cmocka_unit_test(the_documented_period_is_83070),
        cmocka_unit_test(long_sowings_can_end),
        cmocka_unit_test(what_lasts_beyond_the_limit_is_unresolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
