/* hoyito help: of the program, or of a command. */
#include "base/words.h"
#include "cli/cli.h"

static const char doc[] = "Lists the commands, or says what a command does, like its --help.\n\n"
                          "  hoyito help\n"
                          "  hoyito help run";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const char **name = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*name)
        argp_error(state, "one command at a time; '%s' is too many", text);
    *name = text;
    return 0;
}

static const struct argp argp = {.parser = parse_option, .args_doc = "[COMMAND]", .doc = doc};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    {"2", "wrong usage, or no such command"},
    HY_EXIT_STORAGE,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    const char *name = NULL;
    hy_parse_arguments(&hy_command_help, argc, argv, &name);
    const hy_command *command = name ? hy_command_find(name) : NULL;
    if (name && !command) {
        const char *near = hy_command_near(name);
        return hy_fail(error, HY_INVALID, "unknown command '%.40s'%s%s%s", name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (command) {
        char program[64], option[] = "--help", *arguments[] = {program, option, NULL};
        snprintf(program, sizeof program, "hoyito %s", command->name);
        return command->run(2, arguments, error);
    }
    hy_print_overview(stdout);
    return HY_OK;
}

const hy_command hy_command_help = {
    .name = "help",
    .summary = "the list of commands, or the help of one",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
