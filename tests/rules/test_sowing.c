#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/naive.h"
#include "support/variants.h"

/* A sowing as text, worked out by hand; the mover is that of `before`. */
typedef struct example {
    const char *rules, *before;
    unsigned hole;
    hy_ending ending;
    const char *after;
    unsigned laps, counters, casas, en_passant[2];
} example;

#define CAPTURER " holes=3 chain_capture=false final_capture=false "

static const example examples[] = {
    /* empty, relay, no relay */
    {"holes=3", "2 0 0 1 1 1/0 0 south", 0, HY_ENDING_EMPTY, "0 1 1 1 1 1", 1, 2, 0, {0, 0}},
    {"holes=3", "1 1 0 0 1 1/0 0 south", 0, HY_ENDING_EMPTY, "0 0 1 1 1 1", 2, 3, 0, {0, 0}},
    {"holes=3 relay=false",
     "1 1 0 0 1 1/0 0 south",
     0,
     HY_ENDING_OCCUPIED,
     "0 2 0 0 1 1",
     1,
     1,
     0,
     {0, 0}},
    /* captures: the chain goes backward over hole 0, as far as the side allows */
    {"holes=3", "3 9 2 4 4 1/0 0 north", 5, HY_ENDING_CAPTURE, "0 9 2 4 4 0", 1, 1, 1, {0, 0}},
    {"holes=3", "3 3 9 4 3 3/0 0 north", 4, HY_ENDING_CAPTURE, "0 0 9 4 0 0", 1, 3, 3, {0, 0}},
    {"holes=3 capture_side=opponent",
     "3 3 9 4 3 3/0 0 north",
     4,
     HY_ENDING_CAPTURE,
     "0 0 9 4 0 4",
     1,
     3,
     2,
     {0, 0}},
    {"holes=3 capture_side=own",
     "3 3 9 4 3 3/0 0 north",
     4,
     HY_ENDING_EMPTY,
     "1 2 12 7 1 2",
     5,
     20,
     0,
     {0, 0}},
    {"holes=3 chain_capture=false",
     "3 3 9 4 3 3/0 0 north",
     4,
     HY_ENDING_CAPTURE,
     "4 0 9 4 0 4",
     1,
     3,
     1,
     {0, 0}},
    {"holes=3 casa=2",
     "1 1 0 0 1 1/0 0 south",
     0,
     HY_ENDING_CAPTURE,
     "0 0 0 0 1 1",
     1,
     1,
     1,
     {0, 0}},
    /* en passant */
    {CAPTURER "en_passant=sower",
     "3 1 9 0 2 3/0 0 north",
     4,
     HY_ENDING_EMPTY,
     "0 2 10 1 1 0",
     2,
     6,
     0,
     {0, 1}},
    {"holes=3 chain_capture=false en_passant=owner",
     "3 1 9 0 2 3/0 0 north",
     4,
     HY_ENDING_CAPTURE,
     "0 1 9 0 0 0",
     1,
     2,
     1,
     {0, 1}},
    {"holes=3 en_passant=owner",
     "0 0 2 3 5 0/0 0 south",
     2,
     HY_ENDING_EMPTY,
     "1 1 1 1 1 1",
     2,
     8,
     0,
     {0, 1}},
    {"holes=3 en_passant=owner capture_side=own",
     "0 0 2 3 5 0/0 0 south",
     2,
     HY_ENDING_EMPTY,
     "1 1 1 1 1 1",
     2,
     8,
     0,
     {0, 1}},
    {"holes=3", "0 0 2 3 5 0/0 0 south", 2, HY_ENDING_EMPTY, "1 1 1 5 1 1", 2, 8, 0, {0, 0}},
    /* rounds: the hole picked up is sown into, or not */
    {"holes=3", "6 0 0 0 0 0/0 0 south", 0, HY_ENDING_EMPTY, "1 1 1 1 1 1", 1, 6, 0, {0, 0}},
    {"holes=3 skip_origin=true",
     "6 0 0 0 0 0/0 0 south",
     0,
     HY_ENDING_EMPTY,
     "1 1 2 0 2 0",
     4,
     12,
     0,
     {0, 0}},
    {"holes=3", "0 0 0 0 0 13/0 0 north", 5, HY_ENDING_EMPTY, "1 3 3 0 3 3", 3, 19, 0, {0, 0}},
    /* round for ever: nothing has happened */
    {"holes=1", "3 1/0 0 south", 0, HY_ENDING_ENDLESS, "3 1", 0, 0, 0, {0, 0}},
};

typedef void sow_function(const hy_rules *, const uint16_t *, unsigned, hy_player, uint64_t,
                          uint16_t *, hy_sowing *);

static void assert_example(sow_function *sow, const example *row)
{
    hy_rules rules = variant_of(row->rules);
    hy_position before = position_of(&rules, row->before);
    char text[HY_POSITION_TEXT_SIZE];
    hy_position after = {0};
    hy_sowing sowing;
    sow(&rules, before.board, row->hole, (hy_player)before.mover, 1000, after.board, &sowing);
    hy_position_print(&rules, &after, text);
    *strchr(text, '/') = '\0';
    if (strcmp(text, row->after) != 0)
        fail_at(text, &rules, &before, row->hole);
    assert_int_equal(sowing.ending, row->ending);
    assert_int_equal(sowing.laps, row->laps);
    assert_int_equal(sowing.counters, row->counters);
    assert_int_equal(sowing.casas, row->casas);
    assert_int_equal(sowing.en_passant[HY_SOUTH], row->en_passant[HY_SOUTH]);
    assert_int_equal(sowing.en_passant[HY_NORTH], row->en_passant[HY_NORTH]);
}

static void examples_worked_out_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        hy_rules rules = variant_of(examples[i].rules);
        assert_example(hy_sow, &examples[i]);
        assert_example(hy_sow_reference, &examples[i]);
        if (hy_sow_fast_handles(&rules))
            assert_example(hy_sow_fast, &examples[i]);
    }
}

static void every_ending_has_its_word(void **state)
{
    (void)state;
    static const char *const words[] = {"empty", "capture", "occupied", "endless", "unresolved"};
    for (int i = HY_ENDING_EMPTY; i <= HY_ENDING_UNRESOLVED; i++)
        assert_string_equal(hy_ending_words[i], words[i]);
}

/* Random sowings: rules, position and hole of the mover's row. */
static bool next_sowing(dice *d, unsigned max_holes, hy_rules *rules, hy_position *position,
                        unsigned *hole)
{
    *rules = variant_random(d, max_holes, HY_MAX_SEEDS);
    *position = position_random(d, rules);
    return hole_random_of(d, rules, position, (hy_player)position->mover, hole);
}

#define MAX_LAPS 400

static void the_reference_is_the_text_of_the_rules(void **state)
{
    (void)state;
    dice d = {7};
    unsigned endings[HY_ENDING_UNRESOLVED + 1] = {0}, taken = 0;
    for (int i = 0; i < 30000; i++) {
        hy_rules rules;
        hy_position position;
        unsigned hole;
        uint16_t after[HY_MAX_BOARD];
        hy_sowing sowing;
        naive_sowing naive;
        if (!next_sowing(&d, i % 2 ? 6 : HY_MAX_HOLES, &rules, &position, &hole))
            continue;
        hy_player mover = (hy_player)position.mover;
        hy_sow_reference(&rules, position.board, hole, mover, MAX_LAPS, after, &sowing);
        naive_sow(&rules, position.board, hole, mover, MAX_LAPS, &naive);
        if (!naive_agrees(&naive, &sowing, after))
            fail_at("reference and text differ", &rules, &position, hole);
        endings[sowing.ending]++;
        taken += sowing.en_passant[HY_SOUTH] + sowing.en_passant[HY_NORTH] > 0;
    }
    for (int i = HY_ENDING_EMPTY; i <= HY_ENDING_ENDLESS; i++)
        assert_true(endings[i] > 100);
    assert_true(taken > 1000);
}

static void the_choice_of_engine_does_not_show(void **state)
{
    (void)state;
    dice d = {8};
    for (int i = 0; i < 30000; i++) {
        hy_rules rules;
        hy_position position;
        unsigned hole;
        uint16_t after[HY_MAX_BOARD], other[HY_MAX_BOARD];
        hy_sowing sowing, same;
        if (!next_sowing(&d, HY_MAX_HOLES, &rules, &position, &hole))
            continue;
        hy_player mover = (hy_player)position.mover;
        hy_sow(&rules, position.board, hole, mover, MAX_LAPS, after, &sowing);
        hy_sow_reference(&rules, position.board, hole, mover, MAX_LAPS, other, &same);
        if (memcmp(after, other, sizeof after) != 0 || sowing.ending != same.ending ||
            sowing.laps != same.laps || sowing.counters != same.counters ||
            sowing.casas != same.casas ||
            memcmp(sowing.en_passant, same.en_passant, sizeof same.en_passant) != 0)
            fail_at("hy_sow and the reference differ", &rules, &position, hole);
    }
}

static void counters_are_conserved(void **state)
{
    (void)state;
    dice d = {9};
    for (int i = 0; i < 30000; i++) {
        hy_rules rules;
        hy_position position, before;
        unsigned hole;
        hy_sowing sowing;
        hy_position after = {0};
        if (!next_sowing(&d, HY_MAX_HOLES, &rules, &position, &hole))
            continue;
        before = position;
        hy_sow(&rules, position.board, hole, (hy_player)position.mover, MAX_LAPS, after.board,
               &sowing);
        unsigned casas = (unsigned)sowing.casas + sowing.en_passant[0] + sowing.en_passant[1];
        if (position_sum(&after) + casas * rules.casa != position_sum(&position))
            fail_at("counters lost or made", &rules, &position, hole);
        assert_memory_equal(before.board, position.board, sizeof before.board);
        for (unsigned h = 2u * rules.holes; h < HY_MAX_BOARD; h++)
            assert_int_equal(after.board[h], 0);
    }
}

/* North's holes checked as south's, or hole 0 taken for none, would break this. */
static void the_turned_board_is_sown_alike(void **state)
{
    (void)state;
    dice d = {10};
    for (int i = 0; i < 30000; i++) {
        hy_rules rules;
        hy_position position;
        unsigned hole;
        hy_position after = {0}, mirrored = {0};
        hy_sowing sowing, other;
        if (!next_sowing(&d, i % 2 ? 8 : HY_MAX_HOLES, &rules, &position, &hole))
            continue;
        hy_position turned = hy_position_turned(&rules, &position);
        hy_sow(&rules, position.board, hole, (hy_player)position.mover, MAX_LAPS, after.board,
               &sowing);
        hy_sow(&rules, turned.board, (hole + rules.holes) % (2u * rules.holes),
               (hy_player)turned.mover, MAX_LAPS, mirrored.board, &other);
        hy_position back = hy_position_turned(&rules, &mirrored);
        if (memcmp(back.board, after.board, sizeof back.board) != 0 ||
            sowing.ending != other.ending || sowing.laps != other.laps ||
            sowing.counters != other.counters || sowing.casas != other.casas ||
            sowing.en_passant[HY_SOUTH] != other.en_passant[HY_NORTH] ||
            sowing.en_passant[HY_NORTH] != other.en_passant[HY_SOUTH])
            fail_at("the turned board is sown otherwise", &rules, &position, hole);
    }
}

static void a_sowing_without_end_did_nothing(void **state)
{
    (void)state;
    dice d = {11};
    unsigned seen[2] = {0};
    for (int i = 0; i < 30000; i++) {
        hy_rules rules;
        hy_position position;
        unsigned hole;
        uint16_t after[HY_MAX_BOARD];
        hy_sowing sowing;
        if (!next_sowing(&d, 6, &rules, &position, &hole))
            continue;
        hy_sow(&rules, position.board, hole, (hy_player)position.mover, 100, after, &sowing);
        if (sowing.ending < HY_ENDING_ENDLESS)
            continue;
        seen[sowing.ending == HY_ENDING_ENDLESS]++;
        assert_memory_equal(after, position.board, sizeof after);
        assert_int_equal(sowing.laps + sowing.counters + sowing.casas, 0);
        assert_int_equal(sowing.en_passant[HY_SOUTH] + sowing.en_passant[HY_NORTH], 0);
    }
    assert_true(seen[0] > 100 && seen[1] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_worked_out_by_hand),
        cmocka_unit_test(every_ending_has_its_word),
        cmocka_unit_test(the_reference_is_the_text_of_the_rules),
        cmocka_unit_test(the_choice_of_engine_does_not_show),
        cmocka_unit_test(counters_are_conserved),
        cmocka_unit_test(the_turned_board_is_sown_alike),
        cmocka_unit_test(a_sowing_without_end_did_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
