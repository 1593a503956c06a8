#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "policy/playout.h"
#include "support/dice.h"
#include "support/records.h"
#include "support/variants.h"

static hy_rules playable_rules(dice *d)
{
    for (;;) {
        hy_rules rules = variant_random(d, HY_MAX_HOLES, 8);
        rules.skip_origin = false;
        rules.en_passant = HY_EN_PASSANT_NONE;
        rules.final_capture = true;
        rules.repetition = 0;
        rules.endless = HY_ENDLESS_ANNUL;
        if (hy_rules_check(&rules, NULL, NULL) == HY_OK)
            return rules;
    }
}

/* A position that fits, with something captured. */
static hy_position playable_position(dice *d, const hy_rules *rules)
{
    for (;;) {
        hy_position position = position_random(d, rules);
        position.score[HY_SOUTH] = (uint16_t)dice_below(d, 30);
        position.score[HY_NORTH] = (uint16_t)dice_below(d, 30);
        if (hy_playout_handles(rules, &position))
            return position;
    }
}

/* A game played by the steps of rules/ply.h. */
typedef struct steps {
    const hy_playout_terms *terms;
    hy_stream *const *streams;
    hy_position position;
    hy_moves moves;
    hy_game_record record;
    int last_mover, leader; /* −1: none */
    uint32_t turn_length;
} steps;

static void count_ply(steps *s, const hy_ply *ply, unsigned hole, unsigned num_holes, int mover,
                      bool passed)
{
    hy_game_record *record = &s->record;
    bool same_turn = mover == s->last_mover && !passed;
    s->turn_length = same_turn ? s->turn_length + 1 : 1;
    s->last_mover = mover;
    record->plies++;
    record->legal_holes += num_holes;
    record->decision_plies += num_holes > 1;
    record->claimed += ply->claimed;
    record->south_captures += ply->captured && mover == HY_SOUTH;
    record->south_chains += ply->sowing.casas > 1 && mover == HY_SOUTH;
    record->turns += !same_turn;
    record->longest_turn =
        s->turn_length > record->longest_turn ? s->turn_length : record->longest_turn;
    record->laps += ply->sowing.laps;
    record->counters += ply->sowing.counters;
    record->move_hash = hy_fnv1a_step(record->move_hash, (uint8_t)hole);
    record->captures += ply->captured;
    record->casas += ply->sowing.casas;
    if (ply->sowing.casas > 1) {
        unsigned length = ply->sowing.casas - 1u;
        record->chains++;
        record->chain_count[length]++;
        record->longest_chain = length > record->longest_chain ? length : record->longest_chain;
    }
}

static void note_scores(steps *s)
{
    const uint16_t *score = s->position.score;
    s->record.score[HY_SOUTH] = score[HY_SOUTH];
    s->record.score[HY_NORTH] = score[HY_NORTH];
    if (score[HY_SOUTH] == score[HY_NORTH])
        return;
    int leader = score[HY_SOUTH] > score[HY_NORTH] ? HY_SOUTH : HY_NORTH;
    s->record.lead_changes += s->leader >= 0 && s->leader != leader;
    s->leader = leader;
}

static unsigned draw(const steps *s)
{
    bool opening = s->record.plies < s->terms->opening_plies;
    if (s->moves.num == 1)
        return s->moves.hole[0];
    return s->moves.hole[hy_stream_below(
        s->streams[opening ? HY_PURPOSE_OPENING : s->position.mover], s->moves.num)];
}

static bool is_decided(const hy_position *position)
{
    return abs((int)position->score[HY_SOUTH] - (int)position->score[HY_NORTH]) > position->left;
}

static hy_game_record play_by_steps(const hy_playout_terms *terms, const hy_position *start,
                                    hy_stream *const streams[3])
{
    const hy_rules *rules = terms->rules;
    steps s = {.terms = terms,
               .streams = streams,
               .position = *start,
               .last_mover = -1,
               .leader = -1,
               .record = {.move_hash = HY_FNV1A_START}};
    hy_termination termination = start->left < rules->casa ? HY_EXHAUSTED : HY_GOES_ON;
    note_scores(&s);
    for (;;) {
        uint32_t passes = s.record.passes;
        if (termination == HY_GOES_ON)
            termination =
                hy_settle(rules, terms->max_laps, &s.position, &s.moves, &s.record.passes);
        note_scores(&s);
        if (termination == HY_GOES_ON && s.record.plies >= terms->max_plies)
            termination = HY_TRUNCATED;
        if (termination != HY_GOES_ON)
            break;
        hy_position before = s.position;
        hy_ply ply;
        unsigned hole = draw(&s), num_holes = s.moves.num;
        hy_ply_play(rules, &before, hole, terms->max_laps, &s.position, &ply);
        count_ply(&s, &ply, hole, num_holes, before.mover, s.record.passes > passes);
        termination = ply.termination;
        if (termination == HY_GOES_ON && ply.captured && terms->until_decided &&
            is_decided(&s.position))
            termination = HY_TRUNCATED;
    }
    s.record.termination = termination;
    s.record.result = hy_game_result(rules, &s.position, termination);
    return s.record;
}

static void playouts_are_what_the_steps_give(void **state)
{
    (void)state;
    dice d = {20261130};
    unsigned terminations[HY_NUM_TERMINATIONS] = {0};
    for (uint64_t i = 0; i < 20000; i++) {
        hy_rules rules = playable_rules(&d);
        hy_position start = playable_position(&d, &rules);
        hy_playout_terms terms = {
            .rules = &rules,
            .max_laps = dice_one_in(&d, 3) ? 1 + dice_below(&d, 100) : 20000,
            .max_plies = dice_one_in(&d, 4) ? dice_below(&d, 20) : 300,
            .opening_plies = dice_one_in(&d, 3) ? dice_below(&d, 6) : 0,
            .until_decided = dice_one_in(&d, 3),
        };
        hy_stream one[3], other[3];
        for (unsigned purpose = 0; purpose < 3; purpose++)
            one[purpose] = other[purpose] = hy_stream_make(9, i, (hy_purpose)purpose);
        bool shared = dice_one_in(&d, 2);
        hy_stream *const ones[3] = {&one[0], &one[shared ? 0 : 1], &one[shared ? 0 : 2]};
        hy_stream *const others[3] = {&other[0], &other[shared ? 0 : 1], &other[shared ? 0 : 2]};
        hy_game_record fast, record = play_by_steps(&terms, &start, others);
        assert_int_equal(hy_playout_play(&terms, &start, ones, NULL, &fast, NULL), HY_OK);
        if (record_difference(&fast, &record))
            fail_at(record_difference(&fast, &record), &rules, &start, (unsigned)i);
        if (fast.termination != HY_TRUNCATED)
            assert_memory_equal(one, other, sizeof one);
        terminations[fast.termination]++;
    }
    assert_true(terminations[HY_CLAIMED] > 100 && terminations[HY_EXHAUSTED] > 100);
    assert_true(terminations[HY_SWEPT] > 100 && terminations[HY_ENDLESS] > 100);
    assert_true(terminations[HY_UNRESOLVED] > 100 && terminations[HY_TRUNCATED] > 100);
}

static void a_decided_playout_stops_on_its_way(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    hy_position start = hy_position_start(&rules);
    unsigned stopped = 0;
    for (uint64_t i = 0; i < 500; i++) {
        hy_hole_list some = {0}, all = {0};
        hy_game_record record;
        for (unsigned decided = 0; decided < 2; decided++) {
            hy_stream stream = hy_stream_make(4, i, HY_PURPOSE_SOUTH);
            hy_stream *const streams[3] = {&stream, &stream, &stream};
            hy_playout_terms terms = {.rules = &rules,
                                      .max_laps = HY_DEFAULT_MAX_LAPS,
                                      .max_plies = 5000,
                                      .until_decided = decided > 0};
            assert_int_equal(
                hy_playout_play(&terms, &start, streams, decided ? &some : &all, &record, NULL),
                HY_OK);
        }
        assert_true(some.num <= all.num && some.num > 0);
        assert_memory_equal(some.holes, all.holes, some.num);
        if (record.termination == HY_TRUNCATED) {
            unsigned most = record.score[0] > record.score[1] ? record.score[0] : record.score[1];
            assert_true(2 * most > hy_rules_total(&rules));
            stopped++;
        }
        free(some.holes);
        free(all.holes);
    }
    assert_true(stopped > 100);
}

static void what_it_cannot_is_refused(void **state)
{
    (void)state;
    static const char *const variants[] = {"skip_origin=true", "en_passant=sower",
                                           "en_passant=owner", "repetition=2",
                                           "endless=forbid",   "holes=32 seeds=4"};
    hy_rules rules = hy_rules_default();
    hy_position start = hy_position_start(&rules);
    assert_true(hy_playout_handles(&rules, &start));
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        rules = variant_of(variants[i]);
        start = hy_position_start(&rules);
        assert_false(hy_playout_handles(&rules, &start));
    }
    start.left = 255;
    rules = variant_of("holes=32 seeds=4");
    assert_true(hy_playout_handles(&rules, &start));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(playouts_are_what_the_steps_give),
        cmocka_unit_test(a_decided_playout_stops_on_its_way),
        cmocka_unit_test(what_it_cannot_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
