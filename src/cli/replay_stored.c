#include "cli/replay_stored.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/board_text.h"
#include "cli/cli.h"
#include "cli/game_row.h"
#include "store/store.h"

/* Refuses a game that the database does not hold. */
static hy_status find_game(hy_store *store, const hy_stored_game *game, hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    hy_progress progress;
    if (game->condition > experiment->num_conditions)
        return hy_fail(error, HY_INVALID, "'%s' has %zu conditions, no condition %" PRIu64,
                       game->database, experiment->num_conditions, game->condition);
    uint32_t condition = (uint32_t)(game->condition - 1);
    if (game->swapped && !experiment->conditions[condition].swap)
        return hy_fail(error, HY_INVALID, "condition %" PRIu64 " has no games with swapped seats",
                       game->condition);
    if (!hy_condition_is_reproducible(&experiment->conditions[condition]))
        return hy_fail(error, HY_FAILED,
                       "the games of condition %" PRIu64 " cannot be played again: a policy is "
                       "limited by time",
                       game->condition);
    hy_status status = hy_progress_init(&progress, experiment, error);
    if (status != HY_OK)
        return status;
    status = hy_store_load_progress(store, &progress, error);
    hy_block_key key = {condition, game->swapped, game->number / HY_BLOCK_GAMES};
    bool there = status == HY_OK && game->number < experiment->games &&
                 (hy_progress_word(&progress, key, game->number % HY_BLOCK_GAMES / 64,
                                   HY_WHOLE_SHARD, true) >>
                      game->number % 64 &
                  1);
    hy_progress_clean_up(&progress);
    if (status == HY_OK && !there)
        status =
            hy_fail(error, HY_INVALID, "'%s' does not hold game %" PRIu64 " of condition %" PRIu64,
                    game->database, game->number, game->condition);
    return status;
}

static hy_status play_again(hy_store *store, const hy_stored_game *game, hy_hole_list *holes,
                            hy_game_record *record, hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    hy_table table;
    hy_status status =
        hy_table_init(&table, &experiment->conditions[game->condition - 1], game->swapped, error);
    if (status != HY_OK)
        return status;
    status = hy_table_play(&table, experiment->seed, game->number, holes, record, error);
    hy_table_clean_up(&table);
    return status;
}

static hy_status compare(hy_store *store, const hy_stored_game *game, const hy_game_record *record,
                         hy_error *error)
{
    hy_game_record stored;
    bool found;
    if (hy_store_experiment(store)->record == HY_RECORD_SUMMARY)
        return HY_OK;
    hy_status status = hy_store_game(store, (uint32_t)(game->condition - 1), game->swapped,
                                     game->number, &stored, NULL, &found, error);
    if (status == HY_OK && found && stored.move_hash != record->move_hash)
        status = hy_fail(error, HY_MISMATCH, "the stored game is another one than its seed gives");
    return status;
}

static hy_status show(const hy_condition *condition, const hy_hole_list *holes,
                      const hy_game_record *record, hy_error *error)
{
    hy_history history = {0};
    hy_game game;
    hy_position start = hy_position_start(&condition->rules);
    hy_status status =
        hy_game_start(&game, &condition->rules, condition->max_laps, &history, &start, error);
    hy_print_board(&condition->rules, &start, NULL);
    for (size_t i = 0; status == HY_OK && i < holes->num; i++) {
        hy_player mover = hy_game_position(&game)->mover;
        status = hy_game_ply(&game, holes->holes[i], error);
        if (status == HY_OK) {
            putchar('\n');
            hy_print_ply(&game, mover, holes->holes[i]);
            hy_print_board(game.rules, hy_game_position(&game), NULL);
        }
    }
    hy_history_clean_up(&history);
    putchar('\n');
    hy_print_end(record);
    return status;
}

static hy_status print_json(const hy_condition *condition, const hy_hole_list *holes,
                            const hy_game_record *record, hy_error *error)
{
    json_t *row =
        hy_game_row(&condition->rules, condition->max_plies, condition->max_laps, holes, record);
    return hy_print_json(row, JSON_COMPACT, error);
}

hy_status hy_replay_stored(const hy_stored_game *game, hy_error *error)
{
    hy_store *store;
    hy_hole_list holes = {0};
    hy_game_record record;
    hy_status status = hy_store_open(game->database, &store, error);
    if (status != HY_OK)
        return status;
    status = find_game(store, game, error);
    if (status == HY_OK)
        status = play_again(store, game, &holes, &record, error);
    if (status == HY_OK)
        status = compare(store, game, &record, error);
    if (status == HY_OK) {
        const hy_condition *condition =
            &hy_store_experiment(store)->conditions[game->condition - 1];
        status = game->json ? print_json(condition, &holes, &record, error)
                            : show(condition, &holes, &record, error);
    }
    free(holes.holes);
    hy_store_abandon(store);
    return status;
}
