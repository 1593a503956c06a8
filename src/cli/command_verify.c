/* hoyito verify: stored games, played again. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/database_arguments.h"
#include "cli/progress_bar.h"
#include "sequential/rounds.h"
#include "sim/threads.h"
#include "store/store.h"

static const char doc[] =
    "Plays all stored games again from their seeds and compares every column, and what a "
    "stop rule saw and decided.\n\n"
    "  hoyito verify game_length.db -j 2\n\n"
    "Exit status 3, with the first difference, where something differs.";

static hy_status show(void *context, uint64_t num_games, hy_error *error)
{
    (void)error;
    hy_progress_bar_show(context, num_games);
    return HY_OK;
}

/* Games that the database holds of those that it asks for. */
static hy_status count_games(hy_store *store, uint64_t *num_games, hy_error *error)
{
    hy_progress progress;
    hy_status status = hy_progress_init(&progress, hy_store_experiment(store), error);
    if (status != HY_OK)
        return status;
    status = hy_store_limit_progress(store, &progress, NULL, error);
    if (status == HY_OK)
        status = hy_store_load_progress(store, &progress, error);
    *num_games = progress.num_played;
    hy_progress_clean_up(&progress);
    return status;
}

/* *num_games were compared, of *total. */
static hy_status verify(hy_store *store, unsigned threads, uint64_t *num_games, uint64_t *total,
                        hy_error *error)
{
    hy_progress_bar bar;
    hy_status status = count_games(store, total, error);
    if (status != HY_OK)
        return status;
    hy_progress_bar_start(&bar, 0, *total);
    hy_verification verification = {
        .threads = threads, .stop = &hy_signal, .tick = show, .context = &bar};
    status = hy_store_verify(store, &verification, num_games, error);
    hy_progress_bar_end(&bar, *num_games);
    return status == HY_OK ? hy_rounds_verify(store, error) : status;
}

hy_status hy_command_verify(int argc, char **argv, hy_error *error)
{
    static const struct argp argp = {
        hy_database_batch_options, hy_parse_database_option, "DB", doc, NULL, NULL, NULL};
    hy_database_arguments arguments = {0};
    hy_store *store;
    uint64_t num_games, total;
    hy_cli_parse(&argp, argc, argv, 0, &arguments);
    hy_catch_signals();
    hy_status status = hy_store_open(arguments.database, &store, error);
    if (status != HY_OK)
        return status;
    unsigned threads = hy_thread_count((unsigned)arguments.threads);
    status = verify(store, threads, &num_games, &total, error);
    hy_store_abandon(store);
    if (status == HY_MISMATCH && arguments.json) {
        hy_status printed = hy_print_json(
            json_pack("{s:b, s:o}", "agree", 0, "difference", hy_json_text(error->text)),
            JSON_INDENT(2), error);
        return printed == HY_OK ? status : printed;
    }
    if (status != HY_OK)
        return status;
    if (arguments.json)
        return hy_print_json(json_pack("{s:I, s:I, s:b}", "games", (json_int_t)num_games,
                                       "not_reproducible", (json_int_t)(total - num_games), "agree",
                                       1),
                             JSON_INDENT(2), error);
    printf("%" PRIu64 " games replayed; all agree\n", num_games);
    if (num_games < total)
        printf("%" PRIu64 " games were left out: a policy limited by time cannot be replayed\n",
               total - num_games);
    return HY_OK;
}
