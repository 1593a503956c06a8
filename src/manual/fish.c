#include <string.h>

#include "cli/cli.h"
#include "manual/completion.h"
#include "manual/options.h"

static void print_description(FILE *out, const char *text, size_t length)
{
    fputs(" -d '", out);
    hy_print_quoted(out, text, length, "\\'", "\\");
    fputs("'\n", out);
}

/* The line up to what a command's condition lets through. */
static void begin(FILE *out, const hy_command *command)
{
    fprintf(out, "complete -c hoyito -n '__fish_seen_subcommand_from %s'", command->name);
}

/* -a 'words and files' */
static void print_words(FILE *out, const hy_argument *argument)
{
    const char *suffix = hy_files_suffix(argument->files);
    if (!argument->word && !suffix && argument->files != HY_FILES_FOLDER)
        return;
    fputs(" -a '", out);
    hy_print_argument_words(out, argument);
    if (suffix)
        fprintf(out, "%s(__fish_complete_suffix %s)", argument->word ? " " : "", suffix);
    if (argument->files == HY_FILES_FOLDER)
        fputs("(__fish_complete_directories)", out);
    fputc('\'', out);
}

static void print_option(FILE *out, const hy_command *command, const struct argp_option *option)
{
    const hy_argument *argument = hy_option_argument(command, option);
    begin(out, command);
    if (hy_has_letter(option))
        fprintf(out, " -s %c", option->key);
    fprintf(out, " -l %s", option->name);
    if (argument) {
        fputs(argument->files == HY_FILES_ANY ? " -r -F" : " -x", out);
        print_words(out, argument);
    }
    print_description(out, option->doc, hy_brief_length(option->doc));
}

static void print_command(FILE *out, const hy_command *command)
{
    hy_option_list list = hy_options_of(command);
    const hy_argument *argument = hy_command_argument(command);
    for (size_t i = 0; i < list.num; i++)
        print_option(out, command, list.at[i]);
    if (argument) {
        begin(out, command);
        print_words(out, argument);
        fputc('\n', out);
    }
}

void hy_write_fish_completion(FILE *out)
{
    const hy_command *command;
    fputs("# fish completion for hoyito(1).\n"
          "# Made by the build from the tables of the program's options.\n\n"
          "complete -c hoyito -f\n",
          out);
    hy_option_list list = hy_options_of(&hy_program);
    for (size_t i = 0; i < list.num; i++) {
        fprintf(out, "complete -c hoyito -n __fish_use_subcommand -s %c -l %s", list.at[i]->key,
                list.at[i]->name);
        print_description(out, list.at[i]->doc, strlen(list.at[i]->doc));
    }
    for (size_t i = 0; (command = hy_command_at(i)); i++) {
        fprintf(out, "complete -c hoyito -n __fish_use_subcommand -a %s", command->name);
        print_description(out, command->summary, strlen(command->summary));
    }
    for (size_t i = 0; (command = hy_command_at(i)); i++)
        print_command(out, command);
}
