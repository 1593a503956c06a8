#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solve/effort.h"
#include "solve/proof_table.h"
#include "support/variants.h"

static hy_facts facts_random(dice *d)
{
    return (hy_facts){
        .low = (int16_t)(dice_below(d, 200) - 100),
        .high = (int16_t)(dice_below(d, 4000) - 2000),
        .low_hole = (uint8_t)dice_u64(d),
        .work = (uint8_t)dice_u64(d),
        .failed = {{(int16_t)dice_u64(d), (uint16_t)dice_u64(d)},
                   {(int16_t)dice_u64(d), (uint16_t)dice_u64(d)}},
    };
}

static void assert_same(const hy_facts *a, const hy_facts *b)
{
    assert_int_equal(a->low, b->low);
    assert_int_equal(a->high, b->high);
    assert_int_equal(a->low_hole, b->low_hole);
    assert_int_equal(a->work, b->work);
    assert_memory_equal(a->failed, b->failed, sizeof a->failed);
}

/* Whatever is found is what was put last for that key, in a table that is far too small. */
static void what_is_found_was_put(void **state)
{
    (void)state;
    enum { KEYS = 64 };
    hy_proof_table table;
    hy_facts last[KEYS];
    bool put[KEYS] = {false};
    unsigned found = 0;
    dice d = {1};
    assert_int_equal(hy_proof_table_init(&table, 16 * 32, NULL), HY_OK);
    for (unsigned i = 0; i < 20000; i++) {
        unsigned k = dice_below(&d, KEYS);
        hy_proof_key key = {k, k / 8}; /* near to each other, and one is zero */
        hy_facts facts;
        if (hy_proof_table_find(&table, key, &facts)) {
            assert_true(put[k]);
            assert_same(&facts, &last[k]);
            found++;
        }
        last[k] = facts_random(&d);
        put[k] = true;
        hy_proof_table_put(&table, key, &last[k]);
        assert_true(hy_proof_table_find(&table, key, &facts));
        assert_same(&facts, &last[k]);
    }
    assert_true(found > 1000);
    hy_proof_table_clean_up(&table);
}

/* Where boards fit into the key, no two positions share one, but a board and its turn by half. */
static void keys_tell_positions_apart(void **state)
{
    (void)state;
    dice d = {2};
    for (unsigned i = 0; i < 20000; i++) {
        hy_rules rules = hy_rules_default();
        rules.holes = (uint8_t)(1 + dice_below(&d, 12));
        hy_position a = position_random(&d, &rules), b = a, turned;
        unsigned size = 2u * rules.holes, from = dice_below(&d, size), to = dice_below(&d, size);
        turned = hy_position_turned(&rules, &a);
        hy_proof_key key = hy_proof_key_of(&rules, &a), same = hy_proof_key_of(&rules, &turned);
        assert_memory_equal(&key, &same, sizeof key);
        if (b.board[from] == 0 || from == to)
            continue;
        b.board[from]--;
        b.board[to]++;
        hy_proof_key other = hy_proof_key_of(&rules, &b);
        assert_memory_not_equal(&key, &other, sizeof key);
    }
}

static void efforts_are_kept_nearly(void **state)
{
    (void)state;
    assert_int_equal(hy_effort_to(0), 0);
    assert_int_equal(hy_effort_to(1), 0);
    assert_float_equal(hy_effort_from(0), 1, 0);
    for (float effort = 1; effort < HY_MAX_EFFORT; effort *= 1.37f) {
        float kept = hy_effort_from(hy_effort_to(effort));
        assert_true(kept <= effort && kept > 0.999f * effort);
    }
    assert_int_equal(hy_effort_to(1e30f), UINT16_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_was_put),
        cmocka_unit_test(keys_tell_positions_apart),
        cmocka_unit_test(efforts_are_kept_nearly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
