#include "support/experiments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/types.h"
#include "support/policies.h"
#include "support/variants.h"

#define MAX_SCRATCH 512

policy_hook hook;

hy_experiment experiment_new(uint64_t games, hy_record record)
{
    return (hy_experiment){
        .name = strdup("test"),
        .question = strdup("does it hold?"),
        .seed = 20261129,
        .games = games,
        .record = record,
    };
}

hy_condition *experiment_add(hy_experiment *experiment, const char *rules, const char *first,
                             const char *second, bool swap)
{
    size_t num = experiment->num_conditions + 1;
    hy_condition *conditions = realloc(experiment->conditions, num * sizeof *conditions);
    assert_non_null(conditions);
    experiment->conditions = conditions;
    experiment->num_conditions = num;
    conditions[num - 1] = (hy_condition){
        .rules = variant_of(rules),
        .first = spec_of(first),
        .second = spec_of(second),
        .swap = swap,
        .max_plies = 1000,
        .max_laps = 100000,
    };
    return &conditions[num - 1];
}

hy_experiment experiment_small(uint64_t games, hy_record record)
{
    hy_experiment experiment = experiment_new(games, record);
    experiment_add(&experiment, "holes=3 seeds=4", "random", "random", false);
    hy_condition *second = experiment_add(&experiment, "holes=2 seeds=5 claim=0 endless=forbid",
                                          "greedy", "random", true);
    second->opening_plies = 2;
    second->max_plies = 25;
    return experiment;
}

hy_experiment experiment_copy(const hy_experiment *experiment)
{
    hy_experiment copy = *experiment;
    copy.name = strdup(experiment->name);
    copy.question = strdup(experiment->question);
    copy.conditions = calloc(copy.num_conditions, sizeof copy.conditions[0]);
    assert_non_null(copy.conditions);
    for (size_t i = 0; i < copy.num_conditions; i++) {
        char first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
        copy.conditions[i] = experiment->conditions[i];
        hy_policy_spec_print(experiment->conditions[i].first, first);
        hy_policy_spec_print(experiment->conditions[i].second, second);
        copy.conditions[i].first = spec_of(first);
        copy.conditions[i].second = spec_of(second);
    }
    return copy;
}

static unsigned choose_with_hook(hy_policy *policy, const hy_choice *choice)
{
    (void)policy;
    unsigned long count = atomic_fetch_add(&hook.choices, 1) + 1;
    if (count == hook.stop_at)
        atomic_store(&hook.stop, 1);
    return hy_choose_at_random(choice);
}

static const hy_policy_type hooked_random = {
    .name = "random",
    .meaning = "as random, with a hook",
    .choose = choose_with_hook,
};

void experiment_hook(hy_experiment *experiment, unsigned long stop_at)
{
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        hy_policy_spec *specs[] = {experiment->conditions[i].first,
                                   experiment->conditions[i].second};
        for (size_t j = 0; j < NUM(specs); j++) {
            if (strcmp(specs[j]->type->name, "random") == 0)
                specs[j]->type = &hooked_random;
        }
    }
    atomic_store(&hook.choices, 0);
    atomic_store(&hook.stop, 0);
    hook.stop_at = stop_at;
}

static char folder[MAX_SCRATCH / 2];

int scratch_make(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/hoyito-test-XXXXXX", parent ? parent : P_tmpdir);
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

int scratch_remove(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(const char *name)
{
    static char paths[128][MAX_SCRATCH];
    char wanted[MAX_SCRATCH];
    snprintf(wanted, sizeof wanted, "%s/%s", folder, name);
    for (size_t i = 0; i < NUM(paths); i++) {
        if (paths[i][0] == '\0')
            memcpy(paths[i], wanted, sizeof wanted);
        if (strcmp(paths[i], wanted) == 0)
            return paths[i];
    }
    fail_msg("too many files");
    return NULL;
}

const char *scratch_write(const char *name, const char *text)
{
    char path[MAX_SCRATCH];
    snprintf(path, sizeof path, "%.*s", MAX_SCRATCH - 1, scratch_path(name));
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return scratch_path(name);
}
