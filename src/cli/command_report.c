/* hoyito report: the answers of a database. */
#include "cli/database_arguments.h"
#include "report/report.h"

static const char doc[] =
    "Says for each condition of a database how its games ended, who won, how long they were, and "
    "what was captured, each with its interval.\n\n"
    "  hoyito report game_length.db\n"
    "  hoyito report game_length.db --json | jq '.conditions[0].first_player_score'\n\n"
    "Shares are of all games, with Wilson's interval; the first-player score counts 1, 1/2 and 0 "
    "over the games with a result. Games that were cut (truncated, unresolved) are counted, and no "
    "mean length is given where there are any: it would be too small.";

hy_status hy_print_report(const char *path, bool json, hy_error *error)
{
    hy_store *store;
    hy_report report;
    hy_status status = hy_store_open(path, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_report_build(store, &report, error);
    if (status == HY_OK) {
        if (json)
            status = hy_print_json(hy_report_json(&report), JSON_INDENT(2), error);
        else
            hy_report_print(&report, stdout);
        hy_report_clean_up(&report);
    }
    hy_store_abandon(store);
    return status;
}

hy_status hy_command_report(int argc, char **argv, hy_error *error)
{
    static const struct argp argp = {
        hy_database_options, hy_parse_database_option, "DB", doc, NULL, NULL, NULL};
    hy_database_arguments arguments = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    return hy_print_report(arguments.database, arguments.json, error);
}
