#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "rules/ply.h"
#include "support/golden_rows.h"
#include "support/naive.h"
#include "support/variants.h"

#define MAX_LAPS 400
#define NUM(array) (sizeof(array) / sizeof(array)[0])

static void assert_row(unsigned line, const json_t *row)
{
    hy_rules rules = golden_rules(row);
    hy_position before = golden_position(&rules, row), after;
    unsigned hole = (unsigned)golden_integer(row, "hole");
    const json_t *expected = golden_get(row, "after");
    uint16_t board[HY_MAX_BOARD] = {0}, score[2];
    hy_ply ply;
    assert_int_equal(json_object_size(row), 6);
    assert_int_equal(json_object_size(expected), 9);
    assert_true(hy_is_playable(&rules, &before, hole));
    hy_ply_play(&rules, &before, hole, HY_DEFAULT_MAX_LAPS, &after, &ply);
    unsigned taken = (unsigned)ply.sowing.en_passant[0] + ply.sowing.en_passant[1];
    const char *termination = golden_text(expected, "termination");
    golden_numbers(expected, "board", board, HY_MAX_BOARD);
    golden_numbers(expected, "score", score, 2);
    if (memcmp(board, after.board, sizeof board) != 0 ||
        memcmp(score, after.score, sizeof score) != 0 ||
        golden_integer(expected, "laps") != ply.sowing.laps ||
        golden_integer(expected, "counters") != ply.sowing.counters ||
        golden_integer(expected, "casas") != ply.sowing.casas ||
        golden_integer(expected, "en_passant") != taken ||
        strcmp(golden_text(expected, "ending"), hy_ending_words[ply.sowing.ending]) != 0 ||
        golden_boolean(expected, "again") != ply.again ||
        strcmp(termination ? termination : "none", hy_termination_words[ply.termination]) != 0)
        fail_msg("line %u of plies.jsonl is answered otherwise", line);
}

static void golden_plies(void **state)
{
    (void)state;
    FILE *file = golden_open("plies.jsonl");
    unsigned line = 0;
    for (json_t *row = golden_next(file); row; row = golden_next(file)) {
        assert_row(++line, row);
        json_decref(row);
    }
    fclose(file);
    assert_int_equal(line, 3006);
}

static void every_word_is_there(void **state)
{
    (void)state;
    static const char *const words[] = {"none",       "claimed", "exhausted",  "swept",    "stuck",
                                        "repetition", "endless", "unresolved", "truncated"};
    static const char *const results[] = {"south", "north", "draw", "none"};
    assert_int_equal(NUM(words), HY_NUM_TERMINATIONS);
    for (int i = 0; i < HY_NUM_TERMINATIONS; i++)
        assert_string_equal(hy_termination_words[i], words[i]);
    assert_int_equal(NUM(results), HY_NUM_RESULTS);
    for (int i = 0; i < HY_NUM_RESULTS; i++)
        assert_string_equal(hy_result_words[i], results[i]);
}

/* A ply as text, steps (a) to (g); `after` with the player to move once passes are settled. */
typedef struct example {
    const char *rules, *before;
    unsigned hole;
    const char *after;
    bool again;
    unsigned claimed, passes;
    hy_termination termination;
    hy_result result;
} example;

#define NONE HY_RESULT_NONE

static const example examples[] = {
    /* (a) endless: the board stays, the score decides unless void */
    {"holes=1", "3 1/5 2 south", 0, "3 1/5 2 north", false, 0, 0, HY_ENDLESS, HY_RESULT_SOUTH},
    {"holes=1", "3 1/2 2 south", 0, "3 1/2 2 north", false, 0, 0, HY_ENDLESS, HY_RESULT_DRAW},
    {"holes=1 unfinished=void", "3 1/5 2 south", 0, "3 1/5 2 north", false, 0, 0, HY_ENDLESS, NONE},
    /* (c) before (d): an empty board is exhausted, not claimed */
    {"holes=2", "1 3 0 0/4 8 south", 0, "0 0 0 0/8 8 south", false, 0, 0, HY_EXHAUSTED,
     HY_RESULT_DRAW},
    {"holes=2 claim=0", "1 3 0 0/4 4 south", 0, "0 0 0 0/8 4 south", false, 0, 0, HY_EXHAUSTED,
     HY_RESULT_SOUTH},
    /* (d) the claim, of the capturer or of south; also of fewer counters than a casa */
    {"holes=2", "1 3 0 4/0 0 south", 0, "0 0 0 0/8 0 south", false, 4, 0, HY_CLAIMED,
     HY_RESULT_SOUTH},
    {"holes=2", "0 4 1 3/0 0 north", 2, "0 0 0 0/0 8 north", false, 4, 0, HY_CLAIMED,
     HY_RESULT_NORTH},
    {"holes=2 claim_by=starter", "0 4 1 3/0 0 north", 2, "0 0 0 0/4 4 north", false, 4, 0,
     HY_CLAIMED, HY_RESULT_DRAW},
    {"holes=2", "1 3 0 3/0 0 south", 0, "0 0 0 0/7 0 south", false, 3, 0, HY_CLAIMED,
     HY_RESULT_SOUTH},
    {"holes=2 claim=5", "1 3 2 3/0 0 south", 0, "0 0 0 0/9 0 south", false, 5, 0, HY_CLAIMED,
     HY_RESULT_SOUTH},
    {"holes=2", "1 3 2 3/0 0 south", 0, "0 0 2 3/4 0 north", true, 0, 1, HY_GOES_ON, NONE},
    {"holes=2 claim=0", "1 3 0 4/0 0 south", 0, "0 0 0 4/4 0 north", true, 0, 1, HY_GOES_ON, NONE},
    /* (d) a capture by the owner of the hole counts as well; the claimant is who moved */
    {"holes=2 en_passant=owner", "0 2 3 0/0 0 south", 1, "0 0 0 0/1 4 north", false, 1, 0,
     HY_CLAIMED, HY_RESULT_NORTH},
    /* (d) needs a capture; (e) too few for a casa belong to nobody */
    {"holes=2", "2 0 1 1/0 0 south", 0, "1 1 0 2/0 0 north", false, 0, 0, HY_GOES_ON, NONE},
    {"holes=2", "1 0 2 0/4 0 south", 0, "0 1 2 0/4 0 north", false, 0, 0, HY_EXHAUSTED,
     HY_RESULT_SOUTH},
    {"holes=2 claim=0", "1 3 0 3/0 0 south", 0, "0 0 0 3/4 0 south", false, 0, 0, HY_EXHAUSTED,
     HY_RESULT_SOUTH},
    /* (f) who moves next */
    {"holes=2", "1 3 5 1/0 0 south", 0, "0 0 5 1/4 0 north", true, 0, 1, HY_GOES_ON, NONE},
    {"holes=3", "1 3 2 5 1 0/0 0 south", 0, "0 0 2 5 1 0/4 0 south", true, 0, 0, HY_GOES_ON, NONE},
    {"holes=3 extra_turn=false", "1 3 2 5 1 0/0 0 south", 0, "0 0 2 5 1 0/4 0 north", false, 0, 0,
     HY_GOES_ON, NONE},
    {"holes=3 en_passant=owner", "7 0 2 3 0 5/0 0 south", 2, "7 0 0 0 1 5/0 4 north", false, 0, 0,
     HY_GOES_ON, NONE},
    {"holes=3 en_passant=owner", "2 3 0 7 1 5/0 0 south", 0, "0 0 1 7 1 5/4 0 south", true, 0, 0,
     HY_GOES_ON, NONE},
    /* (g) a pass, also one that ends an extra turn; or a sweep */
    {"holes=3", "1 0 4 0 0 0/0 0 south", 0, "0 1 4 0 0 0/0 0 south", false, 0, 1, HY_GOES_ON, NONE},
    {"holes=3 no_move=sweep", "1 0 4 0 0 0/0 6 south", 0, "0 0 0 0 0 0/5 6 north", false, 0, 0,
     HY_SWEPT, HY_RESULT_NORTH},
    {"holes=2 claim=0 no_move=sweep", "1 3 5 5/0 0 south", 0, "0 0 0 0/4 10 south", true, 0, 0,
     HY_SWEPT, HY_RESULT_NORTH},
};

static void assert_example(const example *row)
{
    hy_rules rules = variant_of(row->rules);
    hy_position before = position_of(&rules, row->before), after;
    char text[HY_POSITION_TEXT_SIZE];
    hy_ply ply;
    hy_moves moves;
    uint32_t passes = 0;
    hy_ply_play(&rules, &before, row->hole, MAX_LAPS, &after, &ply);
    hy_termination termination = ply.termination;
    if (termination == HY_GOES_ON)
        termination = hy_settle(&rules, MAX_LAPS, &after, &moves, &passes);
    hy_position_print(&rules, &after, text);
    if (strcmp(text, row->after) != 0 || termination != row->termination)
        fail_at(text, &rules, &before, row->hole);
    assert_true(hy_position_is_valid(&rules, &after));
    assert_int_equal(ply.again, row->again);
    assert_int_equal(ply.claimed, row->claimed);
    assert_int_equal(passes, row->passes);
    assert_int_equal(hy_game_result(&rules, &after, termination), row->result);
}

static void the_order_of_endings(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM(examples); i++)
        assert_example(&examples[i]);
}

static void an_unresolved_sowing_has_no_result(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=1");
    hy_position before = position_of(&rules, "3 1/7 2 south"), after;
    hy_ply ply;
    hy_ply_play(&rules, &before, 0, 1, &after, &ply);
    assert_int_equal(ply.termination, HY_UNRESOLVED);
    assert_int_equal(ply.sowing.laps, 0);
    assert_memory_equal(after.board, before.board, sizeof after.board);
    assert_int_equal(hy_game_result(&rules, &after, ply.termination), HY_RESULT_NONE);
}

static void results_of_all_endings(void **state)
{
    (void)state;
    static const uint16_t scores[][2] = {{9, 3}, {3, 9}, {6, 6}};
    static const hy_result decided[] = {HY_RESULT_SOUTH, HY_RESULT_NORTH, HY_RESULT_DRAW};
    for (uint8_t unfinished = HY_UNFINISHED_SCORE; unfinished <= HY_UNFINISHED_VOID; unfinished++) {
        hy_rules rules = hy_rules_default();
        rules.unfinished = unfinished;
        for (int t = HY_GOES_ON; t < HY_NUM_TERMINATIONS; t++) {
            bool never = t == HY_GOES_ON || t == HY_UNRESOLVED || t == HY_TRUNCATED;
            bool open = t == HY_STUCK || t == HY_REPETITION || t == HY_ENDLESS;
            for (size_t i = 0; i < NUM(scores); i++) {
                hy_position position = {.score = {scores[i][0], scores[i][1]}};
                bool none = never || (open && unfinished == HY_UNFINISHED_VOID);
                assert_int_equal(hy_game_result(&rules, &position, (hy_termination)t),
                                 none ? HY_RESULT_NONE : decided[i]);
            }
        }
    }
}

static bool is_legal(const hy_moves *moves, unsigned hole)
{
    for (unsigned i = 0; i < moves->num; i++) {
        if (moves->hole[i] == hole)
            return true;
    }
    return false;
}

static void legal_is_playable_and_not_forbidden(void **state)
{
    (void)state;
    dice d = {20};
    unsigned forbidden = 0, unresolved = 0;
    for (int i = 0; i < 30000; i++) {
        hy_rules rules = variant_random(&d, i % 2 ? 4 : HY_MAX_HOLES, HY_MAX_SEEDS);
        hy_position position = position_random(&d, &rules);
        hy_moves moves;
        unsigned num = 0;
        hy_legal_moves(&rules, &position, 60, &moves);
        for (unsigned hole = 0; hole < HY_MAX_BOARD + 2; hole++) {
            bool own = hole < 2u * rules.holes && hy_owner(&rules, hole) == position.mover;
            bool playable = own && position.board[hole] > 0, legal = playable;
            naive_sowing naive = {.ending = HY_ENDING_EMPTY};
            if (playable && rules.endless == HY_ENDLESS_FORBID)
                naive_sow(&rules, position.board, hole, (hy_player)position.mover, 60, &naive);
            legal = legal && naive.ending != HY_ENDING_ENDLESS;
            forbidden += playable && !legal;
            unresolved += naive.ending == HY_ENDING_UNRESOLVED;
            if (hy_is_playable(&rules, &position, hole) != playable ||
                is_legal(&moves, hole) != legal)
                fail_at("legal or not", &rules, &position, hole);
            num += legal;
        }
        assert_int_equal(moves.num, num);
        for (unsigned m = 1; m < moves.num; m++)
            assert_true(moves.hole[m] > moves.hole[m - 1]);
    }
    assert_true(forbidden > 200 && unresolved > 20);
}

static void counters_are_conserved_at_every_ply(void **state)
{
    (void)state;
    dice d = {21};
    for (int i = 0; i < 30000; i++) {
        hy_rules rules = variant_random(&d, i % 2 ? 6 : HY_MAX_HOLES, HY_MAX_SEEDS);
        hy_position before = position_random(&d, &rules), after;
        hy_ply ply;
        unsigned hole;
        if (!hole_random_of(&d, &rules, &before, (hy_player)before.mover, &hole))
            continue;
        before.score[HY_NORTH] = (uint16_t)(HY_MAX_BOARD * HY_MAX_SEEDS - before.left);
        hy_ply_play(&rules, &before, hole, MAX_LAPS, &after, &ply);
        if (!hy_position_is_valid(&rules, &after) || position_sum(&after) != position_sum(&before))
            fail_at("counters lost or made", &rules, &before, hole);
        unsigned casas =
            (unsigned)ply.sowing.casas + ply.sowing.en_passant[0] + ply.sowing.en_passant[1];
        if (ply.captured != (casas > 0) || (ply.claimed > 0) != (ply.termination == HY_CLAIMED) ||
            before.left != after.left + casas * rules.casa + ply.claimed ||
            after.score[0] < before.score[0] || after.score[1] < before.score[1])
            fail_at("what was booked is not what was taken", &rules, &before, hole);
    }
}

/* Where no rule names south, the board turned and the players swapped give the mirrored ply. */
static void the_turned_ply_is_the_mirrored_one(void **state)
{
    (void)state;
    dice d = {22};
    for (int i = 0; i < 30000; i++) {
        hy_rules rules = variant_random(&d, i % 2 ? 6 : HY_MAX_HOLES, HY_MAX_SEEDS);
        rules.claim_by = HY_CLAIM_CAPTURER;
        hy_position before = position_random(&d, &rules), after, mirrored;
        hy_ply ply, other;
        hy_moves moves, mirrored_moves;
        uint32_t passes[2] = {0};
        unsigned hole, size = 2u * rules.holes;
        if (!hole_random_of(&d, &rules, &before, (hy_player)before.mover, &hole))
            continue;
        hy_position turned = hy_position_turned(&rules, &before);
        hy_ply_play(&rules, &before, hole, MAX_LAPS, &after, &ply);
        hy_ply_play(&rules, &turned, (hole + rules.holes) % size, MAX_LAPS, &mirrored, &other);
        hy_termination ends = ply.termination, also = other.termination;
        if (ends == HY_GOES_ON && also == HY_GOES_ON) {
            ends = hy_settle(&rules, MAX_LAPS, &after, &moves, &passes[0]);
            also = hy_settle(&rules, MAX_LAPS, &mirrored, &mirrored_moves, &passes[1]);
        }
        hy_position back = hy_position_turned(&rules, &mirrored);
        if (memcmp(back.board, after.board, sizeof back.board) != 0 || ends != also ||
            memcmp(back.score, after.score, sizeof back.score) != 0 || back.mover != after.mover ||
            back.left != after.left || passes[0] != passes[1] || ply.again != other.again ||
            ply.claimed != other.claimed || ply.sower_captured != other.sower_captured)
            fail_at("the turned ply is another", &rules, &before, hole);
    }
}

/* Both players have one hole, and neither may sow it: found on the boards of one hole a row. */
static void nobody_can_move(void **state)
{
    (void)state;
    unsigned stuck = 0;
    for (uint16_t south = 1; south < 60; south++) {
        for (uint16_t north = 1; north < 60; north++) {
            hy_rules rules = variant_of("holes=1 endless=forbid");
            hy_position position = {.board = {south, north}, .left = (uint16_t)(south + north)};
            naive_sowing of[2];
            hy_moves moves;
            uint32_t passes = 7;
            naive_sow(&rules, position.board, 0, HY_SOUTH, 1000, &of[0]);
            naive_sow(&rules, position.board, 1, HY_NORTH, 1000, &of[1]);
            bool endless[2] = {of[0].ending == HY_ENDING_ENDLESS,
                               of[1].ending == HY_ENDING_ENDLESS};
            hy_termination ends = hy_settle(&rules, 1000, &position, &moves, &passes);
            assert_int_equal(ends == HY_STUCK, endless[0] && endless[1]);
            assert_int_equal(passes, endless[0] && !endless[1] ? 8 : 7);
            assert_int_equal(position.mover, passes == 8 ? HY_NORTH : HY_SOUTH);
            assert_int_equal(position.left, south + north);
            stuck += ends == HY_STUCK;
        }
    }
    assert_true(stuck > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_plies),
        cmocka_unit_test(every_word_is_there),
        cmocka_unit_test(the_order_of_endings),
        cmocka_unit_test(an_unresolved_sowing_has_no_result),
        cmocka_unit_test(results_of_all_endings),
        cmocka_unit_test(legal_is_playable_and_not_forbidden),
        cmocka_unit_test(counters_are_conserved_at_every_ply),
        cmocka_unit_test(the_turned_ply_is_the_mirrored_one),
        cmocka_unit_test(nobody_can_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
