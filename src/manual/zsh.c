#include <string.h>

#include "cli/cli.h"
#include "manual/completion.h"
#include "manual/options.h"

/* In single quotes, within the brackets of a description. */
static void print_description(FILE *out, const char *text)
{
    hy_print_quoted(out, text, hy_brief_length(text), "'\\''", "[]:\\");
}

/* ":NAME:action" of _arguments. */
static void print_action(FILE *out, const hy_argument *argument)
{
    const char *suffix = hy_files_suffix(argument->files);
    fprintf(out, ":%s:", argument->name);
    if (argument->word && suffix) {
        fprintf(out, "{_alternative \"words\\:word\\:(");
        hy_print_argument_words(out, argument);
        fprintf(out, ")\" \"files\\:file\\:_files -g \\\\*%s\"}", suffix);
    } else if (argument->word) {
        fputc('(', out);
        hy_print_argument_words(out, argument);
        fputc(')', out);
    } else if (argument->files == HY_FILES_FOLDER) {
        fputs("_files -/", out);
    } else if (suffix) {
        fprintf(out, "_files -g \"*%s\"", suffix);
    } else if (argument->files == HY_FILES_ANY) {
        fputs("_files", out);
    }
}

static void print_option(FILE *out, const hy_command *command, const struct argp_option *option)
{
    const hy_argument *argument = hy_option_argument(command, option);
    bool letter = hy_has_letter(option);
    fputs(" \\\n            ", out);
    if (letter)
        fprintf(out, "'(-%c --%s)'{-%c%s,", option->key, option->name, option->key,
                argument ? "+" : "");
    fprintf(out, "%s--%s%s%s", letter ? "" : "'", option->name, argument ? "=" : "",
            letter ? "}'[" : "[");
    print_description(out, option->doc);
    fputc(']', out);
    if (argument)
        print_action(out, argument);
    fputc('\'', out);
}

static void print_options(FILE *out, const hy_command *command)
{
    hy_option_list list = hy_options_of(command);
    for (size_t i = 0; i < list.num; i++)
        print_option(out, command, list.at[i]);
}

static void print_command(FILE *out, const hy_command *command)
{
    const hy_argument *argument = hy_command_argument(command);
    fprintf(out, "    %s)\n        _arguments -s", command->name);
    print_options(out, command);
    if (argument) {
        fputs(" \\\n            '*", out);
        print_action(out, argument);
        fputc('\'', out);
    }
    fputs("\n        ;;\n", out);
}

void hy_write_zsh_completion(FILE *out)
{
    const hy_command *command;
    fputs("#compdef hoyito\n# Made by the build from the tables of the program's options.\n\n"
          "_hoyito_commands() {\n    local -a commands=(\n",
          out);
    for (size_t i = 0; (command = hy_command_at(i)); i++) {
        fprintf(out, "        '%s:", command->name);
        hy_print_quoted(out, command->summary, strlen(command->summary), "'\\''", "\\");
        fputs("'\n", out);
    }
    fputs("    )\n    _describe command commands\n}\n\n"
          "_hoyito() {\n    local curcontext=$curcontext state line\n    typeset -A opt_args\n"
          "    _arguments -C",
          out);
    print_options(out, &hy_program);
    fputs(" \\\n            '1: :_hoyito_commands' '*:: :->arguments' && return\n"
          "    [[ $state == arguments ]] || return\n"
          "    curcontext=${curcontext%:*}-$words[1]:\n    case $words[1] in\n",
          out);
    for (size_t i = 0; (command = hy_command_at(i)); i++)
        print_command(out, command);
    fputs("    esac\n}\n\n_hoyito \"$@\"\n", out);
}
