#include "sim/experiment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const hy_record_words[HY_NUM_RECORDS] = {"summary", "games", "moves"};

void hy_experiment_clean_up(hy_experiment *experiment)
{
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        hy_policy_spec_destroy(experiment->conditions[i].first);
        hy_policy_spec_destroy(experiment->conditions[i].second);
    }
    free(experiment->conditions);
    free(experiment->name);
    free(experiment->question);
    free(experiment->source);
    *experiment = (hy_experiment){0};
}

bool hy_condition_is_reproducible(const hy_condition *condition)
{
    return hy_policy_spec_is_reproducible(condition->first) &&
           hy_policy_spec_is_reproducible(condition->second);
}

bool hy_condition_repeats_swapped(const hy_condition *condition)
{
    char first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    hy_policy_spec_print(condition->first, first);
    hy_policy_spec_print(condition->second, second);
    return condition->swap && strcmp(first, second) == 0 && hy_condition_is_reproducible(condition);
}

hy_status hy_experiment_check_memory(const hy_experiment *experiment, unsigned threads,
                                     hy_error *error)
{
    double there = (double)hy_memory_limit();
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        const hy_condition *condition = &experiment->conditions[i];
        double bytes = hy_policy_spec_memory(condition->first, &condition->rules) +
                       hy_policy_spec_memory(condition->second, &condition->rules);
        if (bytes * threads > there)
            return hy_fail(
                error, HY_INVALID,
                "the policies of condition %zu take %.0f MiB of memory for each of %u "
                "threads, and this process can have %.0f MiB; fewer threads (-j) or smaller "
                "tables and trees are needed",
                i + 1, bytes / 1048576, threads, there / 1048576);
    }
    return HY_OK;
}

uint64_t hy_experiment_num_games(const hy_experiment *experiment)
{
    uint64_t num = 0;
    for (size_t i = 0; i < experiment->num_conditions; i++)
        num += experiment->games * hy_num_seatings(&experiment->conditions[i]);
    return num;
}

void hy_condition_print(const hy_condition *condition, char buffer[HY_CONDITION_TEXT_SIZE])
{
    char rules[HY_RULES_TEXT_SIZE], first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    hy_rules_print(&condition->rules, rules);
    hy_policy_spec_print(condition->first, first);
    hy_policy_spec_print(condition->second, second);
    snprintf(buffer, HY_CONDITION_TEXT_SIZE,
             "%s first=%s second=%s swap=%s opening_plies=%" PRIu32 " max_plies=%" PRIu32
             " max_laps=%" PRIu64,
             rules, first, second, condition->swap ? "true" : "false", condition->opening_plies,
             condition->max_plies, condition->max_laps);
}

void hy_condition_hash(const hy_condition *condition, char hex[HY_SHA256_HEX_SIZE])
{
    char text[HY_CONDITION_TEXT_SIZE];
    hy_sha256 hash;
    hy_condition_print(condition, text);
    hy_sha256_init(&hash);
    hy_sha256_add_text(&hash, text);
    hy_sha256_finish(&hash, hex);
}

/* `policies`: their version; NULL: leave it out. */
static void hash_with(const hy_experiment *experiment, const char *policies,
                      char hex[HY_SHA256_HEX_SIZE])
{
    hy_sha256 hash;
    hy_sha256_init(&hash);
    hy_sha256_add_text(&hash, HY_RULES_VERSION);
    if (policies)
        hy_sha256_add_text(&hash, policies);
    hy_sha256_add_text(&hash, HY_GENERATOR);
    hy_sha256_add_u64(&hash, experiment->seed);
    hy_sha256_add_text(&hash, hy_record_words[experiment->record]);
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        char text[HY_CONDITION_TEXT_SIZE];
        hy_condition_print(&experiment->conditions[i], text);
        hy_sha256_add_text(&hash, text);
    }
    hy_sha256_finish(&hash, hex);
}

void hy_experiment_hash(const hy_experiment *experiment, char hex[HY_SHA256_HEX_SIZE])
{
    hash_with(experiment, HY_POLICIES_VERSION, hex);
}

void hy_experiment_hash_without_policies(const hy_experiment *experiment,
                                         char hex[HY_SHA256_HEX_SIZE])
{
    hash_with(experiment, NULL, hex);
}
