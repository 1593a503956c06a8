#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "rules/ply.h"
#include "solve/layers.h"
#include "solve/unsow.h"

/* Edges of a layer, by (position, hole, position that follows, seen by the player who moved). */
typedef struct edge {
    uint64_t from, to;
    unsigned hole;
} edge;

typedef struct edges {
    const hy_index *index;
    edge *list;
    size_t num;
    uint64_t to;
} edges;

#define MAX_EDGES 400000u

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(edge));
}

static void add(edges *all, uint64_t from, unsigned hole, uint64_t to)
{
    assert_true(all->num < MAX_EDGES);
    memset(&all->list[all->num], 0, sizeof(edge));
    all->list[all->num].from = from;
    all->list[all->num].hole = hole;
    all->list[all->num++].to = to;
}

static void note(void *context, const uint8_t *before, unsigned hole)
{
    edges *all = context;
    add(all, hy_index_rank(all->index, before), hole, all->to);
}

/* All sowings without capture, played by the rules' reference engine. */
static void find_forward(const hy_rules *rules, unsigned counters, uint64_t num, edges *all)
{
    for (uint64_t place = 0; place < num; place++) {
        uint8_t board[HY_MAX_BOARD];
        hy_index_unrank(all->index, counters, place, board);
        hy_position position = hy_position_of_turned(rules, board);
        for (unsigned hole = 0; hole < rules->holes; hole++) {
            uint16_t after[HY_MAX_BOARD];
            hy_sowing sowing;
            if (board[hole] == 0)
                continue;
            hy_sow_reference(rules, position.board, hole, HY_SOUTH, HY_DEFAULT_MAX_LAPS, after,
                             &sowing);
            if (sowing.ending != HY_ENDING_EMPTY && sowing.ending != HY_ENDING_OCCUPIED)
                continue;
            if (sowing.en_passant[0] + sowing.en_passant[1] > 0)
                continue;
            uint8_t turned[HY_MAX_BOARD];
            hy_turn_to_mover(rules, after, HY_SOUTH, turned);
            add(all, place, hole, hy_index_rank(all->index, turned));
        }
    }
}

static void find_backward(const hy_rules *rules, unsigned counters, uint64_t num, edges *all)
{
    for (all->to = 0; all->to < num; all->to++) {
        uint8_t board[HY_MAX_BOARD];
        hy_index_unrank(all->index, counters, all->to, board);
        hy_unsow(rules, board, note, all);
    }
}

static void compare_edges(const hy_rules *rules, unsigned counters, size_t *num_edges)
{
    hy_index index;
    assert_int_equal(hy_index_init(&index, 2u * rules->holes, counters, NULL), HY_OK);
    uint64_t num = hy_index_count(&index, counters);
    edges forward = {&index, malloc(MAX_EDGES * sizeof(edge)), 0, 0};
    edges backward = {&index, malloc(MAX_EDGES * sizeof(edge)), 0, 0};
    assert_non_null(forward.list);
    assert_non_null(backward.list);
    find_forward(rules, counters, num, &forward);
    find_backward(rules, counters, num, &backward);
    qsort(forward.list, forward.num, sizeof(edge), compare);
    qsort(backward.list, backward.num, sizeof(edge), compare);
    bool same = forward.num == backward.num &&
                memcmp(forward.list, backward.list, forward.num * sizeof(edge)) == 0;
    if (!same) {
        char text[HY_RULES_TEXT_SIZE];
        hy_rules_print(rules, text);
        fail_msg("%zu plies forward, %zu backward, or others; %u counters, rules: %s", forward.num,
                 backward.num, counters, text);
    }
    *num_edges += forward.num;
    free(forward.list);
    free(backward.list);
    hy_index_clean_up(&index);
}

/* Whole layers under random rules, of few counters and of several rounds. */
static void plies_are_undone_as_often_as_played(void **state)
{
    dice d = {1};
    size_t num_edges = 0;
    (void)state;
    for (unsigned i = 0; i < 600; i++) {
        static const unsigned most[] = {0, 60, 30, 12, 8};
        hy_rules rules = variant_random(&d, 4, 4);
        compare_edges(&rules, dice_below(&d, most[rules.holes]), &num_edges);
    }
    assert_true(num_edges > 200000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plies_are_undone_as_often_as_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
