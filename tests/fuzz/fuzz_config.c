/* YAML: a file is read as an experiment and as rules, and what is read is shown as a dry run. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "fuzz/fuzz.h"

#define NUM_CONDITIONS 8 /* that are looked at */

/* A policy's text is read as the same policy. */
static void check_policy(const hy_policy_spec *spec)
{
    char text[HY_POLICY_TEXT_SIZE], again[HY_POLICY_TEXT_SIZE];
    hy_policy_spec *read;
    hy_policy_spec_print(spec, text);
    if (hy_policy_spec_parse(text, &read, NULL) != HY_OK)
        hy_fuzz_fault("the text of a policy is none");
    hy_policy_spec_print(read, again);
    if (strcmp(text, again) != 0)
        hy_fuzz_fault("the text of a policy is another one's");
    hy_policy_spec_destroy(read);
}

static void check_rules(const hy_rules *rules)
{
    char text[HY_RULES_TEXT_SIZE];
    hy_rules read;
    hy_rules_print(rules, text);
    if (hy_rules_parse(text, &read, NULL) != HY_OK || memcmp(&read, rules, sizeof read) != 0)
        hy_fuzz_fault("the text of rules is not theirs");
}

static void check_experiment(const char *path)
{
    hy_experiment experiment = {0};
    hy_error error = {0};
    hy_status status = hy_config_experiment(path, &experiment, &error);
    if (status != HY_OK && error.text[0] == '\0')
        hy_fuzz_fault("a failure without a message");
    if (status != HY_OK)
        return;
    for (size_t i = 0; i < experiment.num_conditions && i < NUM_CONDITIONS; i++) {
        check_rules(&experiment.conditions[i].rules);
        check_policy(experiment.conditions[i].first);
        check_policy(experiment.conditions[i].second);
    }
    hy_experiment_clean_up(&experiment);
    const char *const arguments[] = {path, "--dry-run", "--json", "-o", "/nonexistent/none.db",
                                     NULL};
    if (hy_fuzz_command(&hy_command_run, NULL, 0, arguments) == HY_INVALID)
        hy_fuzz_fault("a valid experiment is refused");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_variant variant;
    hy_error error = {0};
    char *path = hy_fuzz_path("input.yaml");
    hy_fuzz_write(path, data, size);
    check_experiment(path);
    hy_status status = hy_config_variant(path, &variant, &error);
    if (status == HY_OK)
        check_rules(&variant.rules);
    else if (error.text[0] == '\0')
        hy_fuzz_fault("a failure without a message");
    free(path);
    return 0;
}
