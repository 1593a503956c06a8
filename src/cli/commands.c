/* The commands, by theme. To add one: a file, a declaration in cli.h, a row here. */
#include <string.h>

#include "base/words.h"
#include "cli/cli.h"

const char hy_version[] = HOYITO_VERSION;

static const hy_command *const experiments[] = {
    &hy_command_run,   &hy_command_plan,    &hy_command_merge,  &hy_command_verify,
    &hy_command_rerun, &hy_command_migrate, &hy_command_digest, NULL,
};
static const hy_command *const answers[] = {
    &hy_command_report, &hy_command_compare, &hy_command_effects,
    &hy_command_ladder, &hy_command_quality, NULL,
};
static const hy_command *const games[] = {
    &hy_command_rules,   &hy_command_ply,  &hy_command_replay,
    &hy_command_analyse, &hy_command_play, NULL,
};
static const hy_command *const solutions[] = {
    &hy_command_exact, &hy_command_solve, &hy_command_value, &hy_command_prove, NULL,
};
static const hy_command *const others[] = {
    &hy_command_stats,
    &hy_command_bench,
    &hy_command_help,
    NULL,
};

const hy_command_group hy_command_groups[] = {
    {"Experiments", experiments},
    {"Answers from a database", answers},
    {"Rules, positions and single games", games},
    {"Exact solutions", solutions},
    {"Other", others},
};
const size_t hy_num_command_groups = sizeof hy_command_groups / sizeof hy_command_groups[0];

const hy_command *hy_command_at(size_t index)
{
    for (size_t i = 0; i < hy_num_command_groups; i++) {
        for (const hy_command *const *one = hy_command_groups[i].commands; *one; one++) {
            if (index-- == 0)
                return *one;
        }
    }
    return NULL;
}

const hy_command *hy_command_find(const char *name)
{
    const hy_command *command;
    for (size_t i = 0; (command = hy_command_at(i)); i++) {
        if (strcmp(command->name, name) == 0)
            return command;
    }
    return NULL;
}

const char *hy_command_near(const char *name)
{
    const char *names[64];
    const hy_command *command;
    size_t num = 0;
    for (; num < sizeof names / sizeof names[0] && (command = hy_command_at(num)); num++)
        names[num] = command->name;
    return hy_nearest_word(name, names, num);
}

const hy_help_row hy_environment_threads[] = {
    {"SLURM_CPUS_PER_TASK", "threads, where -j does not say how many"},
    {0},
};
const hy_help_row hy_environment_colour[] = {
    {"NO_COLOR, TERM", "no colours where the one is set, or the other is `dumb`"},
    {0},
};
const hy_help_row hy_files_database[] = {
    {"DB-wal, DB-shm", "SQLite's, beside a database in use: they belong to it"},
    {0},
};
