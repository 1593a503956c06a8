#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/chi_square.h"
#include "support/policies.h"
#include "support/variants.h"

/* The holes that bring the most, by trying all. */
static hy_moves best_of(const scene *s)
{
    hy_moves best = {0};
    unsigned most = 0;
    for (unsigned m = 0; m < s->moves.num; m++) {
        unsigned won = counters_won(s, s->moves.hole[m]);
        most = won > most ? won : most;
    }
    for (unsigned m = 0; m < s->moves.num; m++) {
        if (counters_won(s, s->moves.hole[m]) == most)
            best.hole[best.num++] = s->moves.hole[m];
    }
    return best;
}

static bool is_among(const hy_moves *moves, unsigned hole)
{
    for (unsigned m = 0; m < moves->num; m++) {
        if (moves->hole[m] == hole)
            return true;
    }
    return false;
}

static void it_always_takes_the_most(void **state)
{
    (void)state;
    dice d = {31};
    unsigned clear = 0, tied = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        scene s = scene_random(&d);
        hy_moves best = best_of(&s);
        player p = player_of("greedy", &s.rules);
        hy_stream stream = hy_stream_make(2, i, HY_PURPOSE_SOUTH);
        if (!is_among(&best, choose_in(&p, &s, &stream)))
            fail_at("not the most counters", &s.rules, &s.position, best.hole[0]);
        clear += best.num == 1;
        tied += best.num > 1 && best.num < s.moves.num;
        player_clean_up(&p);
    }
    assert_true(clear > 500 && tied > 200);
}

/* Hole 3 takes two casas, holes 0 and 1 take one; where the rest is claimed, all three win all. */
static void a_claim_counts(void **state)
{
    (void)state;
    static const char *const texts[] = {"claim=0", "claim=8"};
    static const bool chosen[2][6] = {{[3] = true}, {[0] = true, [1] = true, [3] = true}};
    for (int i = 0; i < 2; i++) {
        scene s = {.rules = variant_of(texts[i])};
        s.position = position_of(&s.rules, "1 3 0 2 3 3 0 0 0 0 0 0/0 0 south");
        hy_legal_moves(&s.rules, &s.position, SCENE_MAX_LAPS, &s.moves);
        player p = player_of("greedy", &s.rules);
        hy_stream stream = hy_stream_make(6, 0, HY_PURPOSE_SOUTH);
        bool met[6] = {false};
        for (int n = 0; n < 200; n++)
            met[choose_in(&p, &s, &stream)] = true;
        assert_memory_equal(met, chosen[i], sizeof met);
        player_clean_up(&p);
    }
}

/* What the claim brings the other player is not won. */
static void the_claim_of_the_starter_is_not_norths(void **state)
{
    (void)state;
    scene s = {.rules = variant_of("claim=8 claim_by=starter")};
    s.position = position_of(&s.rules, "0 0 0 0 0 0 1 3 0 2 3 3/0 0 north");
    hy_legal_moves(&s.rules, &s.position, SCENE_MAX_LAPS, &s.moves);
    assert_int_equal(best_of(&s).num, 1);
    player p = player_of("greedy", &s.rules);
    hy_stream stream = hy_stream_make(7, 0, HY_PURPOSE_NORTH);
    assert_int_equal(choose_in(&p, &s, &stream), 9);
    player_clean_up(&p);
}

static void ties_are_broken_evenly(void **state)
{
    (void)state;
    scene s = {.rules = hy_rules_default()};
    s.position = position_of(&s.rules, "1 0 1 0 1 0 9 9 9 9 9 9/0 0 south");
    hy_legal_moves(&s.rules, &s.position, SCENE_MAX_LAPS, &s.moves);
    hy_moves best = best_of(&s);
    assert_int_equal(best.num, 3);
    player p = player_of("greedy", &s.rules);
    unsigned counts[3] = {0};
    hy_stream stream = hy_stream_make(3, 0, HY_PURPOSE_SOUTH);
    for (int i = 0; i < 30000; i++)
        counts[choose_in(&p, &s, &stream) / 2]++;
    assert_true(chi_square(counts, 3) < chi_square_limit(2));
    player_clean_up(&p);
}

static void ties_first_draws_nothing(void **state)
{
    (void)state;
    dice d = {32};
    for (uint64_t i = 0; i < 5000; i++) {
        scene s = scene_random(&d);
        hy_moves best = best_of(&s);
        player p = player_of("greedy:ties=first", &s.rules);
        hy_stream stream = hy_stream_make(4, i, HY_PURPOSE_SOUTH), before = stream;
        assert_int_equal(choose_in(&p, &s, &stream), best.hole[0]);
        assert_memory_equal(&stream, &before, sizeof before);
        player_clean_up(&p);
    }
}

static void without_ties_it_draws_nothing(void **state)
{
    (void)state;
    scene s = {.rules = hy_rules_default()};
    s.position = position_of(&s.rules, "1 3 1 0 1 0 9 9 9 9 9 9/0 0 south");
    hy_legal_moves(&s.rules, &s.position, SCENE_MAX_LAPS, &s.moves);
    assert_int_equal(best_of(&s).num, 1);
    player p = player_of("greedy", &s.rules);
    hy_stream stream = hy_stream_make(5, 0, HY_PURPOSE_SOUTH), before = stream;
    assert_int_equal(choose_in(&p, &s, &stream), 0);
    assert_memory_equal(&stream, &before, sizeof before);
    player_clean_up(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_always_takes_the_most),
        cmocka_unit_test(a_claim_counts),
        cmocka_unit_test(the_claim_of_the_starter_is_not_norths),
        cmocka_unit_test(ties_are_broken_evenly),
        cmocka_unit_test(ties_first_draws_nothing),
        cmocka_unit_test(without_ties_it_draws_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
