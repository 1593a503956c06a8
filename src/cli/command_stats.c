/* hoyito stats: a statistic from numbers on standard input. */
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "cli/cli.h"
#include "cli/filter.h"
#include "cli/stats_table.h"

static const char doc[] =
    "Answers a statistic from numbers: JSON Lines in, JSON Lines out.\n\n"
    "  hoyito stats prop <<<'{\"successes\":37,\"n\":100}'\n"
    "  hoyito stats --list\n"
    "  hoyito stats prop --help\n\n"
    "Each line of standard input is an object of a statistic's inputs; its answers come out as an "
    "object, null where one is not defined. 'hoyito stats' alone or --list names all statistics, "
    "and NAME --help the inputs of one with an example. A row without an answer gives {\"error\", "
    "\"line\"}, and exit status 1 at the end.";

enum {
    KEY_LIST = 0x1000,
    KEY_HELP,
};

static const struct argp_option options[] = {
    {"list", KEY_LIST, NULL, 0, "name all statistics, their inputs and what they answer", 0},
    {"json", HY_KEY_JSON, NULL, 0, "the list as JSON", 0},
    {"help", KEY_HELP, NULL, 0, "show this help, or that of NAME", -1},
    {0},
};

typedef struct stats_arguments {
    const char *name;
    bool list, json, help;
} stats_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    stats_arguments *arguments = state->input;
    switch (key) {
    case KEY_LIST:
        arguments->list = true;
        return 0;
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case KEY_HELP:
        arguments->help = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->name)
            argp_error(state, "one NAME is answered at a time; its inputs are read from standard "
                              "input");
        arguments->name = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options, parse_option, "[NAME < INPUTS.jsonl]", doc, NULL,
                                 NULL,    NULL};

static void print_list(void)
{
    const hy_statistic *one;
    for (size_t i = 0; (one = hy_statistic_at(i)); i++) {
        printf("%-16s %s\n%-16s in:", one->name, one->answers, "");
        for (const hy_stats_key *key = one->keys; key->key; key++)
            printf(" %s", key->key);
        printf("\n");
    }
}

static json_t *list_json(void)
{
    const hy_statistic *one;
    json_t *list = json_array();
    for (size_t i = 0; (one = hy_statistic_at(i)); i++) {
        json_t *inputs = json_object();
        for (const hy_stats_key *key = one->keys; key->key; key++)
            json_object_set_new(inputs, key->key, json_string(key->what));
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o, s:s}", "name", one->name, "answers",
                                        one->answers, "inputs", inputs, "example", one->example));
    }
    return list;
}

static void print_help(const hy_statistic *one)
{
    printf("%s\n\n  hoyito stats %s <<<'%s'\n\nInputs:\n", one->answers, one->name, one->example);
    for (const hy_stats_key *key = one->keys; key->key; key++)
        printf("  %-16s %s\n", key->key, key->what);
}

static hy_status unknown_name(const char *name, hy_error *error)
{
    const char *names[128];
    size_t num = 0;
    const hy_statistic *one;
    for (; num < sizeof names / sizeof names[0] && (one = hy_statistic_at(num)); num++)
        names[num] = one->name;
    const char *near = hy_nearest_word(name, names, num);
    if (near)
        return hy_fail(error, HY_INVALID, "unknown statistic '%.80s'; did you mean '%s'?", name,
                       near);
    return hy_fail(error, HY_INVALID, "unknown statistic '%.80s'; 'hoyito stats --list' names all",
                   name);
}

/* A key that is not read may be a misspelt one whose default would be used in silence. */
static hy_status check_keys(const hy_statistic *one, const json_t *row, hy_error *error)
{
    const char *known[HY_STATS_MAX_KEYS], *name;
    json_t *value;
    size_t num = 0;
    while (num < HY_STATS_MAX_KEYS && one->keys[num].key) {
        known[num] = one->keys[num].key;
        num++;
    }
    json_object_foreach((json_t *)row, name, value)
    {
        bool found = false;
        size_t length = strcspn(name, "(");
        for (size_t i = 0; i < num && !found; i++)
            found = strlen(known[i]) == length && strncmp(name, known[i], length) == 0;
        if (found)
            continue;
        const char *near = hy_nearest_word(name, known, num);
        return hy_fail(error, HY_INVALID, "unknown key '%.40s'%s%s%s; 'hoyito stats %s --help'",
                       name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
                       one->name);
    }
    return HY_OK;
}

static hy_status answer(json_t *row, const void *context, hy_error *error)
{
    const hy_statistic *one = context;
    hy_stats_input in = {.row = row, .status = HY_OK, .error = error};
    hy_status status = check_keys(one, row, error);
    if (status != HY_OK)
        return status;
    json_t *out = json_object();
    if (!out)
        return hy_fail_memory(error);
    status = one->answer(&in, out);
    if (status == HY_OK) {
        json_object_clear(row);
        if (json_object_update(row, out) != 0)
            status = hy_fail_memory(error);
    }
    json_decref(out);
    return status;
}

hy_status hy_command_stats(int argc, char **argv, hy_error *error)
{
    stats_arguments arguments = {0};
    hy_cli_parse(&argp, argc, argv, ARGP_NO_HELP, &arguments);
    const hy_statistic *one = arguments.name ? hy_statistic_find(arguments.name) : NULL;
    if (arguments.name && !one)
        return unknown_name(arguments.name, error);
    if (arguments.help && !one) {
        argp_help(&argp, stdout, ARGP_HELP_STD_HELP, argv[0]);
    } else if (arguments.help) {
        print_help(one);
    } else if (arguments.list || !one) {
        if (arguments.json)
            return hy_print_json(list_json(), JSON_INDENT(2), error);
        print_list();
    } else {
        return hy_filter_with(answer, one, error);
    }
    return HY_OK;
}
