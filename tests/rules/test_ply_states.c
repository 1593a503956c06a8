#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "rules/ply.h"
#include "support/golden_rows.h"
#include "support/variants.h"

/* Every state of small boards: each has a ply, a pass or an end, and no ply leads anywhere else. */

#define MAX_LAPS 2000
#define MAX_STATES 20000

/* A state is a board with the player to move before passes are settled. */
typedef struct walk {
    uint64_t *seen; /* open addressing; 0 is free */
    hy_position *open;
    size_t num_seen, num_open, capacity;
    bool by_score; /* states of different scores are different states */
    unsigned endings[HY_NUM_TERMINATIONS];
    unsigned passes;
} walk;

static void walk_init(walk *w, bool by_score)
{
    *w = (walk){.capacity = 4 * MAX_STATES, .by_score = by_score};
    w->seen = calloc(w->capacity, sizeof w->seen[0]);
    w->open = calloc(w->capacity, sizeof w->open[0]);
    assert_non_null(w->seen);
    assert_non_null(w->open);
}

static void walk_clean_up(walk *w)
{
    free(w->seen);
    free(w->open);
}

/* Never 0; for boards of at most 8 holes and 31 counters. */
static uint64_t code_of(const walk *w, const hy_rules *rules, const hy_position *position)
{
    uint64_t code = 32u + (w->by_score ? position->score[HY_SOUTH] : 0u);
    code = code << 1 | position->mover;
    for (unsigned h = 0; h < 2u * rules->holes; h++)
        code = code << 5 | position->board[h];
    return code;
}

static void meet(walk *w, const hy_rules *rules, const hy_position *position)
{
    uint64_t code = code_of(w, rules, position);
    size_t i = (size_t)(code * 0x9e3779b97f4a7c15u >> 40) % w->capacity;
    while (w->seen[i] != 0 && w->seen[i] != code)
        i = (i + 1) % w->capacity;
    if (w->seen[i] == code || w->num_seen == MAX_STATES)
        return;
    w->seen[i] = code;
    w->num_seen++;
    w->open[w->num_open++] = *position;
}

static void assert_sound(const hy_rules *rules, const hy_position *before, const hy_position *after)
{
    if (!hy_position_is_valid(rules, after) || position_sum(after) != position_sum(before))
        fail_at("counters lost or made", rules, before, 0);
}

/* Settles a state: afterwards there are moves, or it has ended. */
static hy_termination settle(walk *w, const hy_rules *rules, hy_position *position, hy_moves *moves)
{
    hy_position before = *position;
    uint32_t passes = 0;
    hy_termination termination = hy_settle(rules, MAX_LAPS, position, moves, &passes);
    assert_sound(rules, &before, position);
    w->passes += passes;
    w->endings[termination]++;
    bool goes_on = termination == HY_GOES_ON;
    if (passes > 1 || (goes_on && (moves->num == 0 || moves->num > rules->holes)))
        fail_at("a dead state", rules, &before, 0);
    for (unsigned m = 0; goes_on && m < moves->num; m++) {
        if (!hy_is_playable(rules, position, moves->hole[m]))
            fail_at("legal and not playable", rules, position, moves->hole[m]);
    }
    return termination;
}

static void look_around(walk *w, const hy_rules *rules)
{
    while (w->num_open > 0) {
        hy_position position = w->open[--w->num_open];
        hy_moves moves;
        if (settle(w, rules, &position, &moves) != HY_GOES_ON)
            continue;
        for (unsigned m = 0; m < moves.num; m++) {
            hy_position after;
            hy_ply ply;
            hy_ply_play(rules, &position, moves.hole[m], MAX_LAPS, &after, &ply);
            assert_sound(rules, &position, &after);
            w->endings[ply.termination]++;
            if (rules->endless == HY_ENDLESS_FORBID && ply.termination == HY_ENDLESS)
                fail_at("endless and not forbidden", rules, &position, moves.hole[m]);
            if (ply.termination == HY_GOES_ON)
                meet(w, rules, &after);
        }
    }
}

static size_t num_reachable(const hy_rules *rules, bool by_score)
{
    hy_position start = hy_position_start(rules);
    walk w;
    walk_init(&w, by_score);
    meet(&w, rules, &start);
    look_around(&w, rules);
    walk_clean_up(&w);
    return w.num_seen;
}

/* The other program reached as many states as this one. */
static void golden_numbers_of_states(void **state)
{
    (void)state;
    json_t *root = golden_load("exact.json");
    assert_int_equal(json_array_size(root), 11);
    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *row = json_array_get(root, i);
        hy_rules rules = golden_pairs(row);
        assert_int_equal(num_reachable(&rules, true),
                         golden_integer(golden_get(row, "random"), "states"));
        assert_int_equal(num_reachable(&rules, false),
                         golden_integer(golden_get(row, "perfect"), "states"));
    }
    json_decref(root);
}

static void note_endings(const walk *w, unsigned endings[HY_NUM_TERMINATIONS], unsigned *passes)
{
    for (int t = 0; t < HY_NUM_TERMINATIONS; t++)
        endings[t] += w->endings[t];
    *passes += w->passes;
}

static void assert_all_met(const unsigned endings[HY_NUM_TERMINATIONS], unsigned passes)
{
    static const hy_termination all[] = {HY_GOES_ON, HY_CLAIMED, HY_EXHAUSTED,
                                         HY_SWEPT,   HY_STUCK,   HY_ENDLESS};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (endings[all[i]] == 0)
            fail_msg("'%s' was not met", hy_termination_words[all[i]]);
    }
    assert_true(passes > 0);
    assert_int_equal(endings[HY_UNRESOLVED], 0);
    assert_int_equal(endings[HY_TRUNCATED], 0);
}

static void every_reachable_state_goes_somewhere(void **state)
{
    (void)state;
    dice d = {23};
    unsigned endings[HY_NUM_TERMINATIONS] = {0}, passes = 0;
    for (int i = 0; i < 250; i++) {
        hy_rules rules = variant_random(&d, 3, 4);
        hy_position start = hy_position_start(&rules);
        walk w;
        walk_init(&w, false);
        meet(&w, &rules, &start);
        look_around(&w, &rules);
        note_endings(&w, endings, &passes);
        walk_clean_up(&w);
    }
    assert_true(endings[HY_CLAIMED] > 0 && passes > 0);
}

/* Every board of up to six counters a hole, reachable or not, with either player to move. */
static void every_board_goes_somewhere(void **state)
{
    (void)state;
    dice d = {24};
    unsigned endings[HY_NUM_TERMINATIONS] = {0}, passes = 0;
    for (int i = 0; i < 24; i++) {
        hy_rules rules = variant_random(&d, 2, 32);
        unsigned size = 2u * rules.holes, boards = size == 2 ? 49 : 49 * 49;
        walk w;
        walk_init(&w, false);
        for (unsigned code = 0; code < 2 * boards; code++) {
            hy_position position = {.mover = (uint8_t)(code % 2)};
            for (unsigned h = 0, rest = code / 2; h < size; h++, rest /= 7) {
                position.board[h] = (uint16_t)(rest % 7);
                position.left = (uint16_t)(position.left + rest % 7);
            }
            if (position.left >= rules.casa)
                meet(&w, &rules, &position);
        }
        look_around(&w, &rules);
        note_endings(&w, endings, &passes);
        walk_clean_up(&w);
    }
    assert_all_met(endings, passes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_numbers_of_states),
        cmocka_unit_test(every_reachable_state_goes_somewhere),
        cmocka_unit_test(every_board_goes_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
