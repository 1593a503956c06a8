/* hoyito report: the answers of a database. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/database_arguments.h"
#include "report/html.h"
#include "report/report.h"

static const char doc[] =
    "Says for each condition of a database how its games ended, who won, how long they were, and "
    "what was captured, each with its interval.\n\n"
    "  hoyito report game_length.db\n"
    "  hoyito report game_length.db --json | jq '.conditions[0].first_player_score'\n"
    "  hoyito report game_length.db --html game_length.html\n\n"
    "Shares are of all games, with Wilson's interval; the first-player score counts 1, 1/2 and 0 "
    "over the games with a result. Games that were cut (truncated, unresolved) are counted, and no "
    "mean length is given where there are any: it would be too small. The page has the same "
    "answers with figures (drawn by gnuplot), needs no network, and says how to repeat the run.";

enum { KEY_HTML = 0x200 };

typedef struct report_arguments {
    hy_database_arguments database; /* first: for hy_parse_database_option */
    const char *html;
} report_arguments;

static const struct argp_option options[] = {
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {"html", KEY_HTML, "FILE", 0, "write a self-contained page instead", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    report_arguments *arguments = state->input;
    if (key == ARGP_KEY_END && arguments->html && arguments->database.json)
        argp_error(state, "--json and --html are two different answers");
    if (key != KEY_HTML)
        return hy_parse_database_option(key, text, state);
    arguments->html = text;
    return 0;
}

static hy_status write_page(hy_store *store, const hy_report *report, const char *database,
                            const char *path, hy_error *error)
{
    hy_groups groups;
    hy_status status = hy_groups_load(store, &groups, error);
    if (status != HY_OK)
        return status;
    status = hy_report_write_html(report, &groups, database, hy_version, path, error);
    hy_groups_clean_up(&groups);
    return status;
}

/* A page takes the place of a page, not of a database or of somebody's text. */
static hy_status check_page(const char *database, const char *path, hy_error *error)
{
    static const char head[] = "<!DOCTYPE html>";
    char found[sizeof head - 1];
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size == 0)
        return HY_OK; /* writing will say what is wrong */
    if (hy_is_same_file(database, path))
        return hy_fail(error, HY_INVALID, "'%s' is both the database and the page", path);
    FILE *page = fopen(path, "rbe");
    bool is_page =
        page && fread(found, sizeof found, 1, page) == 1 && memcmp(found, head, sizeof found) == 0;
    if (page)
        fclose(page);
    if (page && !is_page)
        return hy_fail(error, HY_INVALID, "'%s' is there and holds no page; choose another file",
                       path);
    return HY_OK;
}

static hy_status answer(const char *path, bool json, const char *html, hy_error *error)
{
    hy_store *store;
    hy_report report;
    hy_status status = hy_store_open(path, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_report_build(store, &report, error);
    if (status == HY_OK) {
        if (html)
            status = write_page(store, &report, path, html, error);
        else if (json)
            status = hy_print_json(hy_report_json(&report), JSON_INDENT(2), error);
        else
            hy_report_print(&report, stdout);
        hy_report_clean_up(&report);
    }
    hy_store_abandon(store);
    return status;
}

hy_status hy_print_report(const char *path, bool json, hy_error *error)
{
    return answer(path, json, NULL, error);
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "DB",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,    {"1", "a failure while it ran, such as gnuplot missing for --html"},
    HY_EXIT_USAGE,   HY_EXIT_DATABASE,
    HY_EXIT_STORAGE, {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    report_arguments arguments = {0};
    hy_parse_arguments(&hy_command_report, argc, argv, &arguments);
    const char *database = arguments.database.database;
    hy_status status = arguments.html ? check_page(database, arguments.html, error) : HY_OK;
    return status == HY_OK ? answer(database, arguments.database.json, arguments.html, error)
                           : status;
}

const hy_command hy_command_report = {
    .name = "report",
    .summary = "answers from a database, with intervals",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
