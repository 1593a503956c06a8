#include "cli/cli.h"
#include "manual/completion.h"
#include "manual/options.h"

static const char head[] =
    "# bash completion for hoyito(1).\n"
    "# Made by the build from the tables of the program's options.\n"
    "\n"
    "_hoyito_words() {\n"
    "    local IFS=$' \\t\\n'\n"
    "    COMPREPLY+=($(compgen -W \"$1\" -- \"$cur\"))\n"
    "}\n"
    "\n"
    "# Files whose names end in $1, and folders on the way to them.\n"
    "_hoyito_files() {\n"
    "    local IFS=$'\\n'\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    COMPREPLY+=($(compgen -f -X \"!*$1\" -- \"$cur\") $(compgen -d -X \"*$1\" -- \"$cur\"))\n"
    "}\n"
    "\n"
    "_hoyito_folders() {\n"
    "    local IFS=$'\\n'\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    COMPREPLY+=($(compgen -d -- \"$cur\"))\n"
    "}\n"
    "\n"
    "_hoyito() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    COMPREPLY=()\n"
    "    # bash takes words apart at '=' and ':'.\n"
    "    if [[ $cur == : || $option == : ]]; then\n"
    "        return\n"
    "    elif [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $option == = ]]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        _hoyito_words '";

/* The shell's commands that complete an argument. */
static void print_action(FILE *out, const hy_argument *argument)
{
    const char *suffix = argument ? hy_files_suffix(argument->files) : NULL;
    if (argument && argument->word) {
        fputs(" _hoyito_words '", out);
        hy_print_argument_words(out, argument);
        fputs("';", out);
    }
    if (!argument || argument->files == HY_FILES_NONE)
        return;
    if (argument->files == HY_FILES_FOLDER)
        fputs(" _hoyito_folders;", out);
    else
        fprintf(out, " _hoyito_files '%s';", suffix ? suffix : "");
}

static void print_option(FILE *out, const hy_command *command, const struct argp_option *option)
{
    const hy_argument *argument = hy_option_argument(command, option);
    if (!argument)
        return;
    fputs("        ", out);
    if (hy_has_letter(option))
        fprintf(out, "-%c | ", option->key);
    fprintf(out, "--%s)", option->name);
    print_action(out, argument);
    fputs(" return ;;\n", out);
}

static void print_command(FILE *out, const hy_command *command)
{
    hy_option_list list = hy_options_of(command);
    fprintf(out, "    %s)\n        case $option in\n", command->name);
    for (size_t i = 0; i < list.num; i++)
        print_option(out, command, list.at[i]);
    fputs("        esac\n        case $cur in\n        -*) _hoyito_words '", out);
    for (size_t i = 0; i < list.num; i++)
        fprintf(out, "%s--%s", i == 0 ? "" : " ", list.at[i]->name);
    fputs("' ;;\n        *)", out);
    print_action(out, hy_command_argument(command));
    fputs(" ;;\n        esac\n        ;;\n", out);
}

void hy_write_bash_completion(FILE *out)
{
    const hy_command *command;
    fputs(head, out);
    for (size_t i = 0; (command = hy_command_at(i)); i++)
        fprintf(out, "%s ", command->name);
    hy_option_list list = hy_options_of(&hy_program);
    for (size_t i = 0; i < list.num; i++)
        fprintf(out, "%s--%s", i == 0 ? "" : " ", list.at[i]->name);
    fputs("'\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", out);
    for (size_t i = 0; (command = hy_command_at(i)); i++)
        print_command(out, command);
    fputs("    esac\n}\n\ncomplete -F _hoyito hoyito\n", out);
}
