#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/hash.h"
#include "sim/history.h"
#include "support/variants.h"

static unsigned add(hy_history *history, const hy_position *position)
{
    unsigned times = 0;
    assert_int_equal(hy_history_add(history, position, &times, NULL), HY_OK);
    return times;
}

/* The i-th of many different positions. */
static hy_position position_number(uint32_t i)
{
    hy_position position = {.mover = (uint8_t)(i & 1)};
    for (unsigned h = 0; h < 8; h++)
        position.board[h] = (uint16_t)(i >> (1 + 4 * h) & 15);
    return position;
}

static void occurrences_are_counted(void **state)
{
    (void)state;
    hy_history history = {0};
    for (unsigned times = 1; times <= 20; times++) {
        for (uint32_t i = 0; i < 50; i++) {
            hy_position position = position_number(i);
            assert_int_equal(add(&history, &position), times);
        }
    }
    assert_int_equal(history.num, 50);
    hy_history_clean_up(&history);
}

static void the_count_stays_at_its_limit(void **state)
{
    (void)state;
    hy_history history = {0};
    hy_position position = position_number(5);
    for (unsigned times = 1; times <= 600; times++)
        assert_int_equal(add(&history, &position), times < 255 ? times : 255);
    hy_history_clean_up(&history);
}

static void board_and_mover_make_a_position(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    hy_history history = {0};
    hy_position position = hy_position_start(&rules), other = position;
    assert_int_equal(add(&history, &position), 1);
    other.mover = HY_NORTH;
    assert_int_equal(add(&history, &other), 1);
    other = position;
    other.score[HY_SOUTH] = 4;
    assert_int_equal(add(&history, &other), 2);
    for (unsigned h = 0; h < HY_MAX_BOARD; h++) {
        other = position;
        other.board[h] ^= 1;
        assert_int_equal(add(&history, &other), 1);
        other.board[h] ^= 1 ^ 0x100;
        assert_int_equal(add(&history, &other), 1);
    }
    hy_history_clean_up(&history);
}

static void clearing_forgets_and_keeps_the_memory(void **state)
{
    (void)state;
    hy_history history = {0};
    hy_history_clear(&history);
    for (uint32_t i = 0; i < 1000; i++) {
        hy_position position = position_number(i);
        assert_int_equal(add(&history, &position), 1);
    }
    size_t capacity = history.capacity;
    hy_history_clear(&history);
    assert_int_equal(history.num, 0);
    assert_true(history.capacity == capacity);
    for (uint32_t i = 0; i < 1000; i++) {
        hy_position position = position_number(i);
        assert_int_equal(add(&history, &position), 1);
    }
    assert_true(history.capacity == capacity);
    hy_history_clean_up(&history);
    assert_null(history.entries);
    assert_int_equal(history.num, 0);
    hy_history_clean_up(&history);
}

static void growth_forgets_nothing(void **state)
{
    (void)state;
    hy_history history = {0};
    for (unsigned times = 1; times <= 3; times++) {
        for (uint32_t i = 0; i < 20000; i++) {
            hy_position position = position_number(i * 7919);
            assert_int_equal(add(&history, &position), times);
        }
    }
    assert_int_equal(history.num, 20000);
    hy_history_clean_up(&history);
}

/* Positions whose hashes agree in their low bits: all want the same place. */
static void collisions_are_told_apart(void **state)
{
    (void)state;
    enum { WANTED = 24 };
    hy_history finder = {0}, history = {0};
    uint64_t low = 0;
    uint32_t same[WANTED], num = 0;
    for (uint32_t i = 0; num < WANTED; i++) {
        hy_position position = position_number(i);
        hy_history_clear(&finder);
        add(&finder, &position);
        for (size_t e = 0; e < finder.capacity; e++) {
            const hy_history_entry *entry = &finder.entries[e];
            if (entry->times == 0)
                continue;
            low = num == 0 ? entry->hash & 0x3ff : low;
            if ((entry->hash & 0x3ff) == low)
                same[num++] = i;
        }
    }
    for (unsigned times = 1; times <= 5; times++) {
        for (uint32_t i = 0; i < WANTED; i++) {
            hy_position position = position_number(same[i]);
            assert_int_equal(add(&history, &position), times);
        }
    }
    assert_int_equal(history.num, WANTED);
    hy_history_clean_up(&finder);
    hy_history_clean_up(&history);
}

/* Two boards made to have the same hash of 64 bits: the second pair of four holes makes up for the
 * difference of the first. */
static void equal_hashes_are_told_apart(void **state)
{
    (void)state;
    hy_history history = {0};
    hy_position one = {.mover = HY_SOUTH, .board = {1, 2, 3, 4, 5, 6, 7, 8}}, other = one;
    uint64_t first[2], second;
    other.board[0] = 9;
    memcpy(&first[0], one.board, sizeof first[0]);
    memcpy(&first[1], other.board, sizeof first[1]);
    memcpy(&second, one.board + 4, sizeof second);
    second ^= hy_mix64(HY_FNV1A_START ^ first[0]) ^ hy_mix64(HY_FNV1A_START ^ first[1]);
    memcpy(other.board + 4, &second, sizeof second);
    assert_int_equal(add(&history, &one), 1);
    assert_int_equal(add(&history, &other), 1);
    assert_int_equal(add(&history, &one), 2);
    uint64_t hashes[2] = {0};
    size_t num = 0;
    for (size_t e = 0; e < history.capacity; e++) {
        if (history.entries[e].times > 0)
            hashes[num++] = history.entries[e].hash;
    }
    assert_int_equal(num, 2);
    assert_true(hashes[0] == hashes[1]);
    hy_history_clean_up(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occurrences_are_counted),
        cmocka_unit_test(the_count_stays_at_its_limit),
        cmocka_unit_test(board_and_mover_make_a_position),
        cmocka_unit_test(clearing_forgets_and_keeps_the_memory),
        cmocka_unit_test(growth_forgets_nothing),
        cmocka_unit_test(collisions_are_told_apart),
        cmocka_unit_test(equal_hashes_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
