#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/policies.h"
#include "support/variants.h"

#define MAX_LAPS 1000000
#define MAX_PLIES 1000

/* Points of south in a game on 2×6: 2 for a win, 1 for a draw or no result. */
static unsigned play(const player *south, const player *north, uint64_t number)
{
    scene s = {.rules = hy_rules_default()};
    s.position = hy_position_start(&s.rules);
    hy_stream streams[2] = {hy_stream_make(11, number, HY_PURPOSE_SOUTH),
                            hy_stream_make(11, number, HY_PURPOSE_NORTH)};
    hy_stream opening = hy_stream_make(11, number, HY_PURPOSE_OPENING);
    for (unsigned plies = 0; plies < MAX_PLIES; plies++) {
        scene next = s;
        uint32_t passes = 0;
        hy_ply ply;
        hy_termination termination = hy_settle(&s.rules, MAX_LAPS, &s.position, &s.moves, &passes);
        if (termination != HY_GOES_ON)
            break;
        unsigned mover = s.position.mover, hole = s.moves.hole[0];
        if (s.moves.num > 1)
            hole = plies < 2 ? s.moves.hole[hy_stream_below(&opening, s.moves.num)]
                             : choose_in(mover ? north : south, &s, &streams[mover]);
        hy_ply_play(&s.rules, &s.position, hole, MAX_LAPS, &next.position, &ply);
        s = next;
        if (ply.termination != HY_GOES_ON)
            break;
    }
    unsigned us = s.position.score[HY_SOUTH], them = s.position.score[HY_NORTH];
    return us > them ? 2 : us == them;
}

static unsigned points_of(const char *first, const char *second, unsigned pairs)
{
    hy_rules rules = hy_rules_default();
    player a = player_of(first, &rules), b = player_of(second, &rules);
    unsigned points = 0;
    for (uint64_t number = 0; number < pairs; number++)
        points += play(&a, &b, number) + 2 - play(&b, &a, number);
    player_clean_up(&a);
    player_clean_up(&b);
    return points;
}

static void it_beats_greedy(void **state)
{
    (void)state;
    unsigned points = points_of("mcts:iterations=2000", "greedy", 10);
    if (points < 32)
        fail_msg("%u points of 40", points);
}

static void greedy_playouts_beat_greedy(void **state)
{
    (void)state;
    unsigned points = points_of("mcts:iterations=300,playout=greedy", "greedy", 10);
    if (points < 30)
        fail_msg("%u points of 40", points);
}

static void more_iterations_are_stronger(void **state)
{
    (void)state;
    unsigned points = points_of("mcts:iterations=1000", "mcts:iterations=20", 10);
    if (points < 28)
        fail_msg("%u points of 40", points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_beats_greedy),
        cmocka_unit_test(greedy_playouts_beat_greedy),
        cmocka_unit_test(more_iterations_are_stronger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
