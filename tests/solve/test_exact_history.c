#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solve/exact.h"
#include "support/variants.h"

/* `repetition` by playing every game there is: the positions of the game itself are its history. */

#define MAX_NODES 5000u
#define MAX_DEPTH 400u
#define MAX_LAPS 100000u

typedef struct walk {
    const hy_rules *rules;
    hy_position met[MAX_DEPTH]; /* settled */
    bool captured[MAX_DEPTH];   /* by the ply that led there */
    unsigned num_nodes;
    double results[HY_NUM_RESULTS], repetition, plies;
} walk;

/* How often the last position has occurred since the last capture, itself included. */
static unsigned times_of(const walk *w, unsigned depth)
{
    unsigned times = 1;
    for (unsigned i = depth; i-- > 0 && !w->captured[i + 1];)
        times += w->met[i].mover == w->met[depth].mover &&
                 memcmp(w->met[i].board, w->met[depth].board, sizeof w->met[i].board) == 0;
    return times;
}

static bool is_too_large(const walk *w, unsigned depth)
{
    return w->num_nodes > MAX_NODES || depth + 1 >= MAX_DEPTH;
}

/* Walks all games that go on from the position of this depth, which a ply ended (or not) so; the
 * difference at the end under perfect play. */
static int follow(walk *w, unsigned depth, hy_termination termination, double probability)
{
    hy_moves moves;
    uint32_t passes = 0;
    if (termination == HY_GOES_ON)
        termination = hy_settle(w->rules, MAX_LAPS, &w->met[depth], &moves, &passes);
    if (termination == HY_GOES_ON && times_of(w, depth) >= w->rules->repetition)
        termination = HY_REPETITION;
    const hy_position *here = &w->met[depth];
    int lead = (int)here->score[HY_SOUTH] - (int)here->score[HY_NORTH];
    w->num_nodes++;
    if (termination != HY_GOES_ON) {
        hy_result result = hy_game_result(w->rules, here, termination);
        w->results[result] += probability;
        w->repetition += termination == HY_REPETITION ? probability : 0;
        w->plies += probability * depth;
        return result == HY_RESULT_NONE ? 0 : lead;
    }
    int best = here->mover == HY_SOUTH ? -10000 : 10000;
    for (unsigned i = 0; i < moves.num && !is_too_large(w, depth); i++) {
        hy_ply ply;
        hy_ply_play(w->rules, here, moves.hole[i], MAX_LAPS, &w->met[depth + 1], &ply);
        w->captured[depth + 1] = ply.captured;
        int value = follow(w, depth + 1, ply.termination, probability / moves.num);
        if (here->mover == HY_SOUTH ? value > best : value < best)
            best = value;
    }
    return best;
}

static void assert_as_walked(const hy_rules *rules, const hy_exact *exact, const walk *w, int value)
{
    double results[HY_NUM_RESULTS] = {0}, repetition = 0;
    for (unsigned r = 0; r < HY_NUM_RESULTS; r++) {
        for (unsigned t = 0; t < HY_NUM_TERMINATIONS; t++)
            results[r] += exact->random.share[t][r];
        repetition += exact->random.share[HY_REPETITION][r];
    }
    bool same = exact->value == value && fabs(repetition - w->repetition) < 1e-11 &&
                fabs(exact->random.mean[HY_REWARD_PLIES] - w->plies) < 1e-9;
    for (unsigned r = 0; r < HY_NUM_RESULTS; r++)
        same &= fabs(results[r] - w->results[r]) < 1e-11;
    if (same)
        return;
    hy_position start = hy_position_start(rules);
    print_message("value %d, walked %d; repetition %g, %g; plies %g, %g\n", exact->value, value,
                  repetition, w->repetition, exact->random.mean[HY_REWARD_PLIES], w->plies);
    fail_at("not as walked", rules, &start, 0);
}

static void repetition_is_that_of_all_games(void **state)
{
    (void)state;
    static walk w;
    dice d = {3};
    unsigned num = 0, num_repeated = 0, num_void = 0;
    const hy_exact_terms terms = {.memory = 64u << 20, .max_laps = MAX_LAPS, .mass = 0};
    for (unsigned i = 0; i < 500 && num_repeated < 60; i++) {
        hy_rules rules = variant_random(&d, 3, 4);
        hy_exact exact;
        rules.repetition = (uint8_t)(2 + dice_below(&d, 3));
        w = (walk){.rules = &rules, .met = {hy_position_start(&rules)}};
        int value = follow(&w, 0, HY_GOES_ON, 1);
        if (w.num_nodes > MAX_NODES || w.num_nodes < 10)
            continue;
        assert_int_equal(hy_exact_solve(&exact, &rules, &terms, NULL), HY_OK);
        assert_true(exact.history_positions > 0);
        assert_as_walked(&rules, &exact, &w, value);
        num++;
        num_repeated += w.repetition > 0;
        num_void += w.repetition > 0 && rules.unfinished == HY_UNFINISHED_VOID;
        hy_exact_clean_up(&exact);
    }
    assert_true(num_repeated > 25 && num_void > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repetition_is_that_of_all_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
