/* Notations of one line, a text each: rules, a position of them, a policy. What is read is printed
 * and read again; legal positions are played on from, by every hole. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "policy/policy.h"
#include "rules/ply.h"

#define NUM_LAPS 2000

static unsigned total(const hy_position *position)
{
    return position->left + (unsigned)position->score[0] + position->score[1];
}

static void play(const hy_rules *rules, const hy_position *before, unsigned hole)
{
    hy_position after;
    hy_ply ply;
    hy_ply_play(rules, before, hole, NUM_LAPS, &after, &ply);
    if (!hy_position_is_valid(rules, &after) || total(&after) != total(before))
        hy_fuzz_fault("a ply makes or loses counters");
}

static void check_position(const hy_rules *rules, const char *text)
{
    char first[HY_POSITION_TEXT_SIZE], second[HY_POSITION_TEXT_SIZE];
    hy_position position, again;
    hy_error error = {0};
    hy_status status = hy_position_parse(rules, text, &position, &error);
    if (status != HY_OK && error.text[0] == '\0')
        hy_fuzz_fault("a failure without a message");
    if (status != HY_OK)
        return;
    if (!hy_position_is_valid(rules, &position))
        hy_fuzz_fault("a position that is none");
    hy_position_print(rules, &position, first);
    if (hy_position_parse(rules, first, &again, NULL) != HY_OK)
        hy_fuzz_fault("the text of a position is none");
    hy_position_print(rules, &again, second);
    if (strcmp(first, second) != 0)
        hy_fuzz_fault("the text of a position is another one's");
    for (unsigned hole = 0; hole < 2u * rules->holes; hole++) {
        if (hy_owner(rules, hole) == position.mover && position.board[hole] > 0)
            play(rules, &position, hole);
    }
}

static void check_policy(const char *text)
{
    char first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    hy_policy_spec *spec, *again;
    hy_error error = {0};
    hy_status status = hy_policy_spec_parse(text, &spec, &error);
    if (status != HY_OK && error.text[0] == '\0')
        hy_fuzz_fault("a failure without a message");
    if (status != HY_OK)
        return;
    hy_policy_spec_print(spec, first);
    if (hy_policy_spec_parse(first, &again, NULL) != HY_OK)
        hy_fuzz_fault("the text of a policy is none");
    hy_policy_spec_print(again, second);
    if (strcmp(first, second) != 0)
        hy_fuzz_fault("the text of a policy is another one's");
    hy_policy_spec_destroy(spec);
    hy_policy_spec_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_rules rules = hy_rules_default(), read;
    char *text = strndup((const char *)data, size), *rest = text;
    if (!text)
        return 0;
    const char *first = strsep(&rest, "\n"), *second = strsep(&rest, "\n");
    if (hy_rules_parse(first, &read, NULL) == HY_OK)
        rules = read;
    if (second)
        check_position(&rules, second);
    if (rest)
        check_policy(rest);
    free(text);
    return 0;
}
