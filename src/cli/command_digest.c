/* hoyito digest: one hash over all results. */
#include <stdio.h>

#include "cli/database_arguments.h"
#include "store/store.h"

static const char doc[] =
    "Prints one SHA-256 over all results of a database, in canonical order.\n\n"
    "  hoyito digest game_length.db\n"
    "  hoyito digest game_length.db --json\n\n"
    "It is equal for any threads, shards, interruptions and machines, and differs when any result, "
    "or what decides the results, differs.";

static const struct argp argp = {
    .options = hy_database_options,
    .parser = hy_parse_database_option,
    .args_doc = "DB",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE, HY_EXIT_FAILED, HY_EXIT_USAGE, HY_EXIT_DATABASE, HY_EXIT_STORAGE, {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    hy_database_arguments arguments = {0};
    hy_store *store;
    char digest[HY_SHA256_HEX_SIZE];
    hy_parse_arguments(&hy_command_digest, argc, argv, &arguments);
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

const hy_command hy_command_digest = {
    .name = "digest",
    .summary = "one SHA-256 over all results",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
