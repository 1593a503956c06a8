#include "manual/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/help.h"

static void add(hy_option_list *list, const hy_command *command, const struct argp_option *options)
{
    for (; options && (options->name || options->key); options++) {
        if (options->flags & OPTION_HIDDEN)
            continue;
        if (list->num == HY_MAX_OPTIONS) {
            fprintf(stderr, "hoyito_manual: %s has more options than HY_MAX_OPTIONS\n",
                    command->name);
            exit(1);
        }
        list->at[list->num++] = options;
    }
}

hy_option_list hy_options_of(const hy_command *command)
{
    hy_option_list list = {.num = 0};
    add(&list, command, command->argp->options);
    for (const struct argp_child *child = command->argp->children; child && child->argp; child++)
        add(&list, command, child->argp->options);
    if (!command->run) /* the program */
        return list;
    if (!command->own_help)
        add(&list, command, hy_help_options);
    add(&list, command, hy_usage_options);
    return list;
}

bool hy_has_letter(const struct argp_option *option)
{
    return option->key > ' ' && option->key <= '~';
}

const hy_argument *hy_option_argument(const hy_command *command, const struct argp_option *option)
{
    if (!option->arg)
        return NULL;
    const hy_argument *argument = hy_argument_find(command->name, option->arg);
    if (!argument) {
        fprintf(stderr,
                "hoyito_manual: %s --%s: src/cli/argument_words.c has no row for the argument %s\n",
                command->name, option->name, option->arg);
        exit(1);
    }
    return argument;
}
