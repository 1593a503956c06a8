#include "manual/page.h"

#include <ctype.h>
#include <string.h>

#include "base/words.h"
#include "cli/cli.h"
#include "config/presets.h"
#include "manual/options.h"
#include "manual/roff.h"
#include "policy/policy.h"

/* .TH and NAME. */
static void print_head(FILE *out, const hy_command *command)
{
    bool program = command == &hy_program;
    fputs(".\\\" Made by the build from the tables of the program's options.\n.TH HOYITO", out);
    if (!program)
        fputs("\\-", out);
    for (const char *at = program ? "" : command->name; *at; at++)
        fputc(toupper((unsigned char)*at), out);
    fprintf(out, " 1 %s \"hoyito %s\" \"Hoyito\"\n.SH NAME\n", HOYITO_DATE, hy_version);
    fprintf(out, "hoyito%s%s \\- %s\n", program ? "" : "\\-", program ? "" : command->name,
            command->summary);
}

/* One line for each way to call it. */
static void print_synopsis(FILE *out, const hy_command *command)
{
    const char *at = command->argp->args_doc;
    hy_roff_section(out, "Synopsis");
    do {
        size_t length = at ? strcspn(at, "\n") : 0;
        fprintf(out, "\\fBhoyito%s%s\\fR", command == &hy_program ? "" : " ",
                command == &hy_program ? "" : command->name);
        if (command != &hy_program)
            fputs(" [\\fIOPTION\\fR...]", out);
        if (length > 0) {
            fputs(" \\fI", out);
            hy_roff_literal(out, at, length);
            fputs("\\fR", out);
        }
        fputc('\n', out);
        at = length > 0 && at[length] == '\n' ? at + length + 1 : NULL;
        if (at)
            fputs(".br\n", out);
    } while (at);
}

/* The paragraphs of a text, or its examples. */
static void print_doc(FILE *out, const char *doc, bool examples)
{
    bool first = true;
    for (const char *end; *doc; doc = end + strspn(end, "\n")) {
        end = strstr(doc, "\n\n");
        end = end ? end : doc + strlen(doc);
        bool example = strncmp(doc, "  ", 2) == 0;
        if (example != examples)
            continue;
        if (!example && !first)
            fputs(".PP\n", out);
        first = false;
        if (!example) {
            hy_roff_text(out, doc, (size_t)(end - doc));
            continue;
        }
        fputs(".nf\n", out);
        for (size_t length; doc < end; doc += length + (doc[length] == '\n')) {
            length = strcspn(doc, "\n");
            hy_roff_literal(out, doc + 2, length - 2);
            fputc('\n', out);
        }
        fputs(".fi\n", out);
    }
}

static void print_options(FILE *out, const hy_command *command)
{
    hy_option_list list = hy_options_of(command);
    hy_roff_section(out, "Options");
    for (size_t i = 0; i < list.num; i++) {
        const struct argp_option *option = list.at[i];
        fputs(".TP\n\\fB", out);
        if (hy_has_letter(option))
            fprintf(out, "\\-%c\\fR, \\fB", option->key);
        fputs("\\-\\-", out);
        hy_roff_literal(out, option->name, strlen(option->name));
        fputs("\\fR", out);
        if (option->arg)
            fprintf(out, "=\\fI%s\\fR", option->arg);
        fputc('\n', out);
        hy_roff_text(out, option->doc, strlen(option->doc));
    }
}

static void print_rows(FILE *out, const char *title, const hy_help_row *rows)
{
    if (!rows)
        return;
    hy_roff_section(out, title);
    for (; rows->word; rows++)
        hy_roff_row(out, rows->word, rows->meaning);
}

/* The words of an argument, with their meanings if they have any. */
static void print_words(FILE *out, const hy_argument *argument)
{
    const char *word, *meaning = NULL;
    if (!argument || !argument->list)
        return;
    hy_roff_section(out, argument->list);
    for (size_t i = 0; (word = argument->word(i, &meaning)); i++) {
        if (meaning)
            hy_roff_row(out, word, meaning);
        else
            fprintf(out, "%s%s", i == 0 ? "" : ",\n", word);
    }
    if (!meaning)
        fputs(".\n", out);
}

static void print_lists(FILE *out, const hy_command *command)
{
    hy_option_list list = hy_options_of(command);
    print_words(out, hy_command_argument(command));
    for (size_t i = 0; i < list.num; i++)
        print_words(out, hy_option_argument(command, list.at[i]));
}

/* What all pages end with. */
static void print_tail(FILE *out, const hy_command *command)
{
    print_rows(out, "Exit status", command->exits);
    print_rows(out, "Environment", command->environment);
    print_rows(out, "Files", command->files);
    hy_roff_section(out, "Examples");
    print_doc(out, command->argp->doc, true);
    hy_roff_section(out, "See also");
}

void hy_write_command_page(FILE *out, const hy_command *command)
{
    print_head(out, command);
    print_synopsis(out, command);
    hy_roff_section(out, "Description");
    print_doc(out, command->argp->doc, false);
    print_options(out, command);
    print_lists(out, command);
    print_tail(out, command);
    fputs("\\fBhoyito\\fR(1)", out);
    for (size_t i = 0; i < hy_num_command_groups; i++) {
        const hy_command *const *all = hy_command_groups[i].commands, *const *one = all;
        while (*one && *one != command)
            one++;
        for (const hy_command *const *other = all; *one && *other; other++) {
            if (*other != command)
                fprintf(out, ",\n\\fBhoyito\\-%s\\fR(1)", (*other)->name);
        }
    }
    fputc('\n', out);
}

static void print_commands(FILE *out)
{
    hy_roff_section(out, "Commands");
    for (size_t i = 0; i < hy_num_command_groups; i++) {
        fprintf(out, ".SS \"%s\"\n", hy_command_groups[i].title);
        for (const hy_command *const *one = hy_command_groups[i].commands; *one; one++) {
            fprintf(out, ".TP\n\\fBhoyito\\-%s\\fR(1)\n", (*one)->name);
            hy_roff_text(out, (*one)->summary, strlen((*one)->summary));
        }
    }
}

static void print_presets(FILE *out)
{
    hy_roff_section(out, "Variants");
    fputs("The presets, which\n\\fBhoyito rules\\fR \\fINAME\\fR\nexplains:\n", out);
    for (size_t i = 0; i < hy_num_embedded_presets; i++) {
        const char *name = hy_embedded_presets[i].name;
        fputs("\\fB", out);
        hy_roff_literal(out, name, strlen(name));
        fprintf(out, "\\fR%s\n", i + 1 < hy_num_embedded_presets ? "," : ".");
    }
}

/* What a parameter means, what it can be, and what it is where it is not given. */
static void print_parameter(FILE *out, const hy_parameter *parameter)
{
    char allowed[HY_FIELD_TEXT_SIZE], preset[32], meaning[1024];
    if (parameter->kind == HY_PARAMETER_WORD)
        snprintf(preset, sizeof preset, "%s", parameter->words[(size_t)parameter->preset]);
    else
        hy_print_real(parameter->preset, preset, sizeof preset);
    snprintf(meaning, sizeof meaning, "%s (%s; %s%s)", parameter->meaning,
             hy_parameter_allowed(parameter, allowed),
             parameter->required ? "required" : "default ", parameter->required ? "" : preset);
    hy_roff_row(out, parameter->key, meaning);
}

static void print_policies(FILE *out)
{
    hy_roff_section(out, "Policies");
    fputs("Who plays. Parameters stand behind a colon:\n"
          "\\fBalphabeta:depth=6\\fR;\na policy within another one stands in parentheses.\n",
          out);
    for (size_t i = 0; i < hy_num_policy_types; i++) {
        const hy_policy_type *type = hy_policy_types[i];
        hy_roff_row(out, type->name, type->meaning);
        if (type->num_parameters > 0)
            fputs(".RS\n", out);
        for (size_t j = 0; j < type->num_parameters; j++)
            print_parameter(out, &type->parameters[j]);
        if (type->num_parameters > 0)
            fputs(".RE\n", out);
    }
}

void hy_write_program_page(FILE *out)
{
    const hy_command *command;
    print_head(out, &hy_program);
    print_synopsis(out, &hy_program);
    hy_roff_section(out, "Description");
    print_doc(out, hy_program.argp->doc, false);
    print_commands(out);
    print_options(out, &hy_program);
    print_presets(out);
    print_policies(out);
    print_tail(out, &hy_program);
    for (size_t i = 0; (command = hy_command_at(i)); i++)
        fprintf(out, "%s\\fBhoyito\\-%s\\fR(1)", i == 0 ? "" : ",\n", command->name);
    fputc('\n', out);
}
