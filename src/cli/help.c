/* What --help prints: argp's part, and behind it the exit statuses, the environment and files. */
#include "cli/help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"
#include "cli/cli.h"

#define MAX_CHILDREN 4 /* and an empty one */
#define KEY_USAGE 0x7000

const struct argp_option hy_help_options[] = {
    {"help", 'h', NULL, 0, "show this help", -1},
    {NULL, '?', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, -1},
    {0},
};
const struct argp_option hy_usage_options[] = {
    {"usage", KEY_USAGE, NULL, 0, "show the usage alone", -1},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    (void)text;
    switch (key) {
    case 'h':
    case '?':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return 0;
    case KEY_USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp help_argp = {.options = hy_help_options, .parser = parse_option};
static const struct argp usage_argp = {.options = hy_usage_options, .parser = parse_option};

static void print_rows(FILE *out, const char *title, const hy_help_row *rows)
{
    size_t width = 0;
    if (!rows)
        return;
    for (const hy_help_row *row = rows; row->word; row++)
        width = strlen(row->word) > width ? strlen(row->word) : width;
    fprintf(out, "%s:\n", title);
    for (const hy_help_row *row = rows; row->word; row++)
        fprintf(out, "  %-*s  %s\n", (int)width, row->word, row->meaning);
}

/* argp's note that long options have the arguments of short ones is left out. */
static char *filter(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

/* A command's argp, completed. */
typedef struct full_argp {
    struct argp argp;
    struct argp_child children[MAX_CHILDREN];
    char *doc; /* memory */
} full_argp;

/* The text before the options, and behind '\v' that after them; NULL without memory. */
static char *make_doc(const hy_command *command)
{
    hy_text_buffer buffer;
    if (hy_text_buffer_open(&buffer, NULL) != HY_OK)
        return NULL;
    FILE *out = buffer.out;
    fprintf(out, "%s\v", command->argp->doc);
    print_rows(out, "Exit status", command->exits);
    if (command->environment)
        fputc('\n', out);
    print_rows(out, "Environment", command->environment);
    if (command->files)
        fputc('\n', out);
    print_rows(out, "Files", command->files);
    return hy_text_buffer_close(&buffer, HY_OK, NULL) == HY_OK ? buffer.text : NULL;
}

static void complete(const hy_command *command, full_argp *full)
{
    size_t num = 0;
    full->doc = make_doc(command);
    full->argp = *command->argp;
    full->argp.help_filter = filter;
    if (full->doc)
        full->argp.doc = full->doc;
    for (const struct argp_child *child = command->argp->children; child && child->argp; child++)
        full->children[num++] = *child;
    if (!command->own_help)
        full->children[num++].argp = &help_argp;
    full->children[num].argp = &usage_argp;
    full->argp.children = full->children;
}

void hy_parse_arguments(const hy_command *command, int argc, char **argv, void *input)
{
    full_argp full = {0};
    complete(command, &full);
    int failure = argp_parse(&full.argp, argc, argv, ARGP_NO_HELP, NULL, input);
    free(full.doc);
    if (failure == ENOMEM)
        hy_out_of_memory();
}

void hy_print_help(const hy_command *command)
{
    char name[64];
    full_argp full = {0};
    complete(command, &full);
    snprintf(name, sizeof name, "hoyito %s", command->name);
    argp_help(&full.argp, stdout, ARGP_HELP_STD_HELP, name);
    free(full.doc);
}

void hy_print_overview(FILE *out)
{
    const struct argp *argp = hy_program.argp;
    fprintf(out, "Usage: hoyito %s\n%s\n", argp->args_doc, argp->doc);
    for (size_t i = 0; i < hy_num_command_groups; i++) {
        fprintf(out, "\n%s:\n", hy_command_groups[i].title);
        for (const hy_command *const *one = hy_command_groups[i].commands; *one; one++)
            fprintf(out, "  %-8s %s\n", (*one)->name, (*one)->summary);
    }
    fprintf(out, "\nOptions:\n");
    for (const struct argp_option *option = argp->options; option->name; option++)
        fprintf(out, "  -%c, --%-8s %s\n", option->key, option->name, option->doc);
    fprintf(out, "\n");
    print_rows(out, "Exit status", hy_program.exits);
}
