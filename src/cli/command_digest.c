/* hoyito digest: one hash over all results. */
#include <stdio.h>

#include "cli/database_arguments.h"
#include "store/store.h"

static const char doc[] =
    "Prints one SHA-256 over all results of a database, in canonical order.\n\n"
    "  hoyito digest game_length.db\n\n"
    "It is equal for any threads, shards, interruptions and machines, and differs when any result, "
    "or what decides the results, differs.";

hy_status hy_command_digest(int argc, char **argv, hy_error *error)
{
    static const struct argp argp = {
        hy_database_options, hy_parse_database_option, "DB", doc, NULL, NULL, NULL};
    hy_database_arguments arguments = {0};
    hy_store *store;
    char digest[HY_SHA256_HEX_SIZE];
    hy_cli_parse(&argp, argc, argv, 0, &arguments);
    hy_status status = hy_store_open(arguments.database, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_store_digest(store, digest, error);
    hy_store_abandon(store);
    if (status != HY_OK)
        return status;
    if (arguments.json)
        return hy_print_json(json_pack("{s:s}", "digest", digest), JSON_INDENT(2), error);
    puts(digest);
    return HY_OK;
}
