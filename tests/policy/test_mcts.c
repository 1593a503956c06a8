#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "base/memory.h"
#include "policy/mcts_tree.h"
#include "support/exhaustive.h"
#include "support/policies.h"
#include "support/variants.h"

#define MAX_LAPS 100000

static hy_rules small_rules(dice *d)
{
    for (;;) {
        hy_rules rules = variant_random(d, 3, 2);
        rules.holes = (uint8_t)(2 + dice_below(d, 2));
        rules.repetition = 0;
        if (hy_rules_check(&rules, NULL, NULL) == HY_OK)
            return rules;
    }
}

static hy_position small_position(dice *d, const hy_rules *rules)
{
    hy_position position = hy_position_start(rules);
    position.mover = (uint8_t)dice_below(d, 2);
    for (unsigned i = dice_below(d, 12); i > 0; i--) {
        unsigned from = dice_below(d, 2u * rules->holes), to = dice_below(d, 2u * rules->holes);
        unsigned moved = position.board[from];
        position.board[from] = 0;
        position.board[to] = (uint16_t)(position.board[to] + moved);
    }
    unsigned winner = dice_below(d, 2);
    position.score[winner] = (uint16_t)dice_below(d, 4);
    return position;
}

/* A scene on a board so small that its result can be found by exhaustion, and open. */
static scene small_scene(dice *d)
{
    for (;;) {
        scene s = {.rules = small_rules(d)};
        s.position = small_position(d, &s.rules);
        hy_legal_moves(&s.rules, &s.position, MAX_LAPS, &s.moves);
        if (s.moves.num >= 2 && s.position.left >= s.rules.casa &&
            !exhaustive_is_decided(&s.rules, &s.position))
            return s;
    }
}

static hy_choice choice_of(const scene *s, hy_stream *stream)
{
    return (hy_choice){.rules = &s->rules,
                       .position = &s->position,
                       .moves = &s->moves,
                       .max_laps = MAX_LAPS,
                       .stream = stream};
}

static hy_mcts_tree *tree_new(uint32_t capacity)
{
    hy_mcts_tree *tree = hy_new_lines(1, sizeof *tree);
    assert_non_null(tree);
    tree->exploration = 0.7;
    tree->playouts.max_plies = 50;
    assert_int_equal(hy_mcts_tree_init(tree, capacity, NULL), HY_OK);
    return tree;
}

static void tree_destroy(hy_mcts_tree *tree)
{
    hy_mcts_tree_clean_up(tree);
    free(tree);
}

static void search(hy_mcts_tree *tree, const hy_choice *choice, unsigned iterations)
{
    hy_mcts_tree_start(tree, choice);
    for (unsigned i = 0; i < iterations && !hy_mcts_is_proven(&tree->nodes[0]); i++)
        hy_mcts_tree_iterate(tree, choice->stream);
}

/* Every node that has children is within the bounds of its own exhaustive value. */
static void assert_bounds(const hy_mcts_tree *tree, uint32_t index, exhaustive *all,
                          const hy_position *position, unsigned depth)
{
    const hy_mcts_node *node = &tree->nodes[index];
    exhaustive_value value = exhaustive_find(all, position);
    if (node->low > value.low || node->high < value.high || node->mover != position->mover)
        fail_at("a proof that does not hold", all->rules, position, index);
    for (unsigned i = 0; depth > 0 && i < node->num_children; i++) {
        const hy_mcts_node *child = &tree->nodes[node->children + i];
        exhaustive_state after;
        exhaustive_play(all->rules, position, child->hole, &after);
        assert_int_equal(child->over || hy_mcts_is_proven(child),
                         after.over || hy_mcts_is_proven(child));
        if (!after.over)
            assert_bounds(tree, node->children + i, all, &after.position, depth - 1);
        else
            assert_true(child->low == after.value.low && child->high == after.value.high);
    }
}

static void proofs_are_those_of_exhaustive_search(void **state)
{
    (void)state;
    dice d = {71};
    hy_mcts_tree *tree = tree_new(30000);
    unsigned results[3] = {0}, open = 0;
    for (uint64_t i = 0; i < 120; i++) {
        scene s = small_scene(&d);
        hy_stream stream = hy_stream_make(1, i, HY_PURPOSE_SOUTH);
        hy_choice choice = choice_of(&s, &stream);
        exhaustive all;
        exhaustive_init(&all, &s.rules, &s.position);
        search(tree, &choice, 2000);
        assert_bounds(tree, 0, &all, &s.position, 3);
        if (hy_mcts_is_proven(&tree->nodes[0]))
            results[tree->nodes[0].low]++;
        else
            open++;
        exhaustive_clean_up(&all);
    }
    if (results[0] < 10 || results[1] < 1 || results[2] < 10 || open > 80)
        fail_msg("proven: %u, %u, %u, open: %u", results[0], results[1], results[2], open);
    tree_destroy(tree);
}

/* South's least result after a hole, in the view of the player who moves. */
static exhaustive_value value_after(exhaustive *all, const scene *s, unsigned hole)
{
    exhaustive_state after;
    exhaustive_play(&s->rules, &s->position, hole, &after);
    exhaustive_value value = after.over ? after.value : exhaustive_find(all, &after.position);
    if (s->position.mover == HY_SOUTH)
        return value;
    return (exhaustive_value){.low = (uint8_t)(2 - value.high), .high = (uint8_t)(2 - value.low)};
}

/* The one hole that wins, all others being lost; −1 where it is not so. */
static int only_winning_hole(exhaustive *all, const scene *s)
{
    int only = -1;
    for (unsigned i = 0; i < s->moves.num; i++) {
        exhaustive_value value = value_after(all, s, s->moves.hole[i]);
        if (value.low == 2 && only < 0)
            only = s->moves.hole[i];
        else if (value.high > 0)
            return -1;
    }
    return only;
}

/* Where the hole brings an extra turn, backing up by parity would take it for lost as soon as one
 * of the plies that follow is. */
static bool parity_fails(exhaustive *all, const scene *s, unsigned hole)
{
    exhaustive_state after;
    exhaustive_play(&s->rules, &s->position, hole, &after);
    if (after.over || after.position.mover != s->position.mover)
        return false;
    scene next = {.rules = s->rules, .position = after.position};
    hy_legal_moves(&next.rules, &next.position, MAX_LAPS, &next.moves);
    for (unsigned i = 0; i < next.moves.num; i++) {
        if (value_after(all, &next, next.moves.hole[i]).high == 0)
            return true;
    }
    return false;
}

static void assert_chosen(const scene *s, unsigned hole, uint64_t number)
{
    player p = player_of("mcts:iterations=4000,cut=200", &s->rules);
    hy_stream stream = hy_stream_make(2, number, HY_PURPOSE_SOUTH);
    hy_choice choice = choice_of(s, &stream);
    if (hy_policy_choose(p.policy, &choice) != hole)
        fail_at("the winning hole is missed", &s->rules, &s->position, hole);
    player_clean_up(&p);
}

static void it_finds_the_only_winning_hole(void **state)
{
    (void)state;
    dice d = {72};
    unsigned found = 0;
    for (uint64_t i = 0; found < 25; i++) {
        scene s = small_scene(&d);
        exhaustive all;
        exhaustive_init(&all, &s.rules, &s.position);
        int only = only_winning_hole(&all, &s);
        if (only >= 0) {
            assert_chosen(&s, (unsigned)only, i);
            found++;
        }
        exhaustive_clean_up(&all);
    }
}

static void extra_turns_belong_to_the_player_who_has_them(void **state)
{
    (void)state;
    dice d = {77};
    unsigned found = 0;
    for (uint64_t i = 0; found < 6; i++) {
        scene s = small_scene(&d);
        exhaustive all;
        if (!s.rules.extra_turn)
            continue;
        exhaustive_init(&all, &s.rules, &s.position);
        int only = only_winning_hole(&all, &s);
        if (only >= 0 && parity_fails(&all, &s, (unsigned)only)) {
            assert_chosen(&s, (unsigned)only, i);
            found++;
        }
        exhaustive_clean_up(&all);
    }
}

/* How often a choice gives away a result that was certain. */
static unsigned mistakes(const char *text, unsigned num_scenes)
{
    dice d = {73};
    unsigned num = 0;
    for (uint64_t i = 0; i < num_scenes; i++) {
        scene s = small_scene(&d);
        exhaustive all;
        exhaustive_init(&all, &s.rules, &s.position);
        player p = player_of(text, &s.rules);
        hy_stream stream = hy_stream_make(3, i, HY_PURPOSE_SOUTH);
        hy_choice choice = choice_of(&s, &stream);
        unsigned certain = 0, hole = hy_policy_choose(p.policy, &choice);
        for (unsigned m = 0; m < s.moves.num; m++) {
            exhaustive_value value = value_after(&all, &s, s.moves.hole[m]);
            certain = value.low > certain ? value.low : certain;
        }
        num += value_after(&all, &s, hole).high < certain;
        player_clean_up(&p);
        exhaustive_clean_up(&all);
    }
    return num;
}

static void more_iterations_make_fewer_mistakes(void **state)
{
    (void)state;
    unsigned few = mistakes("mcts:iterations=3,cut=100", 90),
             some = mistakes("mcts:iterations=30,cut=100", 90),
             many = mistakes("mcts:iterations=1000,cut=100", 90),
             greedy = mistakes("mcts:iterations=1000,cut=100,playout=greedy", 90);
    if (!(few > 3 && some < few && many <= 2 && greedy <= 2))
        fail_msg("mistakes: %u, %u, %u, %u", few, some, many, greedy);
}

static void a_choice_does_not_depend_on_those_before(void **state)
{
    (void)state;
    static const char *const texts[] = {"mcts:iterations=300",
                                        "mcts:iterations=300,playout=greedy,cut=10",
                                        "mcts:iterations=300,exploration=1.5,ties=first"};
    dice d = {74};
    for (uint64_t i = 0; i < 20; i++) {
        scene s = {.rules = hy_rules_default()}, other;
        s.rules.holes = (uint8_t)(3 + dice_below(&d, 4));
        s.position = position_random(&d, &s.rules);
        other = s;
        other.position = hy_position_start(&s.rules);
        hy_legal_moves(&s.rules, &s.position, MAX_LAPS, &s.moves);
        hy_legal_moves(&s.rules, &other.position, MAX_LAPS, &other.moves);
        if (s.moves.num < 2)
            continue;
        player used = player_of(texts[i % 3], &s.rules), fresh = player_of(texts[i % 3], &s.rules);
        hy_stream one = hy_stream_make(4, i, HY_PURPOSE_SOUTH), two = one, three = one;
        choose_in(&used, &other, &three);
        choose_in(&used, &s, &three);
        assert_int_equal(choose_in(&used, &s, &one), choose_in(&fresh, &s, &two));
        assert_memory_equal(&one, &two, sizeof one);
        player_clean_up(&used);
        player_clean_up(&fresh);
    }
}

static unsigned sometimes(const void *history, const hy_position *position)
{
    (void)history;
    return position->board[0] % 3;
}

static void assert_analysis(const player *p, const hy_choice *choice, unsigned chosen)
{
    hy_analysis analysis;
    hy_stream before = *choice->stream;
    assert_int_equal(p->policy->type->analyse(p->policy, choice, &analysis, NULL), HY_OK);
    assert_memory_equal(choice->stream, &before, sizeof before);
    assert_true(analysis.num_line >= 1 && analysis.num_line <= HY_MAX_LINE);
    assert_int_equal(analysis.line[0], chosen);
    for (unsigned i = 0; i < choice->moves->num; i++)
        assert_true(isfinite(analysis.values[i]) && fabs(analysis.values[i]) <= 65535);
    hy_position position = *choice->position, after;
    for (unsigned i = 0; i < analysis.num_line; i++) {
        hy_ply ply;
        hy_moves moves;
        uint32_t passes = 0;
        assert_true(hy_is_playable(choice->rules, &position, analysis.line[i]));
        hy_ply_play(choice->rules, &position, analysis.line[i], choice->max_laps, &after, &ply);
        bool over =
            ply.termination != HY_GOES_ON ||
            hy_settle(choice->rules, choice->max_laps, &after, &moves, &passes) != HY_GOES_ON;
        assert_true(!over || i + 1 == analysis.num_line);
        position = after;
    }
}

static void it_plays_legal_holes_under_any_rules(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "mcts:iterations=1,cut=50", "mcts:iterations=7,cut=20,playout=greedy",
        "mcts:iterations=20,cut=5,exploration=0", "mcts:iterations=40,cut=30,ties=first"};
    dice d = {75};
    for (uint64_t i = 0; i < 1000; i++) {
        scene s = scene_random(&d);
        player p = player_of(texts[i % 4], &s.rules);
        hy_stream stream = hy_stream_make(5, i, HY_PURPOSE_SOUTH), copy = stream;
        hy_choice choice = choice_of(&s, &copy);
        choice.max_laps = SCENE_MAX_LAPS;
        assert_analysis(&p, &choice, choose_in(&p, &s, &stream));
        if (s.rules.repetition > 0) {
            choice.times = sometimes;
            assert_true(hy_is_playable(&s.rules, &s.position, hy_policy_choose(p.policy, &choice)));
        }
        player_clean_up(&p);
    }
}

/* South has one hole that leads back to where the game has been; it ends the game there. */
static void repetitions_of_the_game_count(void **state)
{
    (void)state;
    dice d = {76};
    unsigned seen = 0;
    hy_mcts_tree *tree = tree_new(1000);
    for (uint64_t i = 0; i < 1000; i++) {
        scene s = small_scene(&d);
        s.rules.repetition = (uint8_t)(2 + dice_below(&d, 2));
        hy_stream stream = hy_stream_make(6, i, HY_PURPOSE_SOUTH);
        hy_choice choice = choice_of(&s, &stream);
        choice.times = sometimes;
        search(tree, &choice, 50);
        const hy_mcts_node *root = &tree->nodes[0];
        for (unsigned c = 0; c < root->num_children; c++) {
            const hy_mcts_node *child = &tree->nodes[root->children + c];
            exhaustive_state after;
            exhaustive_play(&s.rules, &s.position, child->hole, &after);
            bool quiet = !after.over && after.position.left == s.position.left;
            bool ends = quiet && sometimes(NULL, &after.position) + 1 >= s.rules.repetition;
            assert_int_equal(child->over, ends || after.termination != HY_GOES_ON);
            seen += ends;
        }
    }
    assert_true(seen > 100);
    tree_destroy(tree);
}

static void a_full_tree_is_no_failure(void **state)
{
    (void)state;
    scene s = {.rules = hy_rules_default()};
    s.position = hy_position_start(&s.rules);
    hy_legal_moves(&s.rules, &s.position, MAX_LAPS, &s.moves);
    hy_stream stream = hy_stream_make(7, 0, HY_PURPOSE_SOUTH);
    hy_choice choice = choice_of(&s, &stream);
    hy_mcts_tree *tree = tree_new(100);
    search(tree, &choice, 5000);
    assert_int_equal(tree->nodes[0].visits, 5000);
    assert_true(tree->num > 94 && tree->num <= 100);
    tree_destroy(tree);
}

/* Once the result is decided, what is left is still played for. */
static void a_decided_game_is_played_for_counters(void **state)
{
    (void)state;
    scene s = {.rules = hy_rules_default()};
    s.position = position_of(&s.rules, "1 3 0 1 0 0 1 0 0 3 0 0/39 0 south");
    hy_legal_moves(&s.rules, &s.position, MAX_LAPS, &s.moves);
    player p = player_of("mcts:iterations=2000", &s.rules);
    hy_stream stream = hy_stream_make(8, 0, HY_PURPOSE_SOUTH);
    assert_int_equal(choose_in(&p, &s, &stream), 0);
    player_clean_up(&p);
}

static void cut_playouts_are_estimated(void **state)
{
    (void)state;
    hy_mcts_playouts playouts = {.rules = hy_rules_default(), .total = 48};
    assert_int_equal(hy_mcts_estimate(&playouts, 0, 20), HY_MCTS_WIN / 2);
    assert_int_equal(hy_mcts_estimate(&playouts, 0, 0), HY_MCTS_WIN / 2);
    assert_int_equal(hy_mcts_estimate(&playouts, 21, 20), HY_MCTS_WIN);
    assert_int_equal(hy_mcts_estimate(&playouts, -21, 20), 0);
    uint32_t before = HY_MCTS_WIN / 2;
    for (int32_t lead = 1; lead <= 20; lead++) {
        uint32_t ahead = hy_mcts_estimate(&playouts, lead, 20);
        uint32_t behind = hy_mcts_estimate(&playouts, -lead, 20);
        assert_true(ahead > before && ahead < HY_MCTS_WIN);
        assert_in_range(ahead + behind, HY_MCTS_WIN - 1, HY_MCTS_WIN + 1);
        before = ahead;
    }
}

/* What sows the usual boards. */
static unsigned sowers(hy_rows_laps *sow[3])
{
    unsigned num = 0;
    sow[num++] = hy_rows_sow_any;
    sow[num++] = hy_rows_sow_usual;
#if defined __x86_64__
    if (__builtin_cpu_supports("bmi2"))
        sow[num++] = hy_rows_sow_usual_bmi2;
#endif
    return num;
}

static hy_mcts_playouts playouts_random(dice *d)
{
    hy_mcts_playouts playouts = {
        .for_counters = dice_one_in(d, 3),
        .void_ends = dice_one_in(d, 3),
        .max_laps = dice_one_in(d, 3) ? 1 + dice_below(d, 300) : 5000,
        .max_plies = dice_one_in(d, 4) ? dice_below(d, 60) : 300,
    };
    do
        playouts.rules = variant_random(d, HY_ROWS_MAX_HOLES, 10);
    while (!hy_mcts_handles_rows(&playouts.rules));
    playouts.rules.repetition = 0;
    return playouts;
}

/* A playout in rows, which has to be the one without, and to leave the stream in the same place. */
static void assert_same_playout(hy_mcts_playouts *playouts, hy_mcts_rows *rows,
                                const hy_position *start, uint64_t number)
{
    hy_stream fresh = hy_stream_make(3, number, HY_PURPOSE_SOUTH), stream = fresh;
    hy_rows_laps *sow[3];
    playouts->rows = NULL;
    hy_mcts_outcome general = hy_mcts_play_on(playouts, start, &stream);
    playouts->rows = rows;
    for (unsigned i = sowers(sow); i-- > 0;) {
        hy_stream again = fresh;
        rows->sow_usual = sow[i];
        hy_mcts_outcome in_rows = hy_mcts_play_on(playouts, start, &again);
        if (general.points != in_rows.points || general.difference != in_rows.difference ||
            general.plies != in_rows.plies || memcmp(&stream, &again, sizeof stream) != 0)
            fail_at("the playout in rows differs", &playouts->rules, start, (unsigned)number);
    }
}

/* Playouts on a board in rows are those ply by ply, with the same draws. */
static void playouts_in_rows_are_the_same(void **state)
{
    (void)state;
    static hy_mcts_rows rows;
    dice d = {23};
    for (uint64_t checked = 0; checked < 4000;) {
        hy_mcts_playouts playouts = playouts_random(&d);
        hy_position start = position_random(&d, &playouts.rules);
        start.score[HY_SOUTH] = (uint16_t)dice_below(&d, 30);
        start.score[HY_NORTH] = (uint16_t)dice_below(&d, 30);
        playouts.total = position_sum(&start);
        if (start.left > HY_ROWS_MAX_COUNTERS)
            continue;
        hy_mcts_rows_init(&rows, &playouts.rules);
        assert_same_playout(&playouts, &rows, &start, checked++);
    }
}

/* A search from a position of a variant, with the tree's positions in rows or not. */
static void grow(hy_mcts_tree *tree, bool in_rows, const scene *s, uint64_t number)
{
    hy_stream stream = hy_stream_make(4, number, HY_PURPOSE_SOUTH);
    hy_choice choice = choice_of(s, &stream);
    if (in_rows)
        hy_mcts_rows_init(&tree->rows, &s->rules);
    tree->playouts.rows = in_rows ? &tree->rows : NULL;
    tree->playouts.greedy = number % 4 == 0;
    search(tree, &choice, 300);
    assert_true(tree->in_rows == (in_rows && s->rules.repetition == 0));
}

/* Trees with positions in rows have the same nodes as trees without. */
static void trees_in_rows_are_the_same(void **state)
{
    (void)state;
    dice d = {29};
    hy_mcts_tree *general = tree_new(3000), *in_rows = tree_new(3000);
    for (uint64_t checked = 0; checked < 250;) {
        scene s = {.rules = variant_random(&d, HY_ROWS_MAX_HOLES, 6)};
        s.position = position_random(&d, &s.rules);
        hy_legal_moves(&s.rules, &s.position, MAX_LAPS, &s.moves);
        if (!hy_mcts_handles_rows(&s.rules) || s.moves.num == 0 || s.position.left < s.rules.casa ||
            s.position.left > HY_ROWS_MAX_COUNTERS)
            continue;
        grow(general, false, &s, checked);
        grow(in_rows, true, &s, checked);
        if (general->num != in_rows->num || general->plies != in_rows->plies ||
            memcmp(general->nodes, in_rows->nodes, general->num * sizeof general->nodes[0]) != 0)
            fail_at("the tree in rows differs", &s.rules, &s.position, (unsigned)checked);
        checked++;
    }
    tree_destroy(general);
    tree_destroy(in_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_are_those_of_exhaustive_search),
        cmocka_unit_test(it_finds_the_only_winning_hole),
        cmocka_unit_test(extra_turns_belong_to_the_player_who_has_them),
        cmocka_unit_test(more_iterations_make_fewer_mistakes),
        cmocka_unit_test(a_choice_does_not_depend_on_those_before),
        cmocka_unit_test(it_plays_legal_holes_under_any_rules),
        cmocka_unit_test(repetitions_of_the_game_count),
        cmocka_unit_test(a_full_tree_is_no_failure),
        cmocka_unit_test(a_decided_game_is_played_for_counters),
        cmocka_unit_test(cut_playouts_are_estimated),
        cmocka_unit_test(playouts_in_rows_are_the_same),
        cmocka_unit_test(trees_in_rows_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
