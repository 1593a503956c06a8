#include "cli/replay_stored.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/rules_json.h"
#include "report/report.h"
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

static void print_row(const hy_rules *rules, const hy_position *position, hy_player player)
{
    printf("  %-5s", hy_player_words[player]);
    for (unsigned i = 0; i < rules->holes; i++) {
        unsigned hole = player == HY_SOUTH ? i : 2u * rules->holes - 1 - i;
        printf(" %4u", position->board[hole]);
    }
    printf("   captured %u\n", position->score[player]);
}

static void print_numbers(const hy_rules *rules, hy_player player)
{
    printf("  %-5s", "");
    for (unsigned i = 0; i < rules->holes; i++) {
        unsigned hole = player == HY_SOUTH ? i : 2u * rules->holes - 1 - i;
        char text[8];
        snprintf(text, sizeof text, "(%u)", hole);
        printf(" %4s", text);
    }
    putchar('\n');
}

static void print_board(const hy_rules *rules, const hy_position *position)
{
    print_numbers(rules, HY_NORTH);
    print_row(rules, position, HY_NORTH);
    print_row(rules, position, HY_SOUTH);
    print_numbers(rules, HY_SOUTH);
}

static void print_ply(const hy_game *game, hy_player mover, unsigned hole)
{
    const hy_sowing *sowing = &game->ply.sowing;
    unsigned en_passant = sowing->en_passant[HY_SOUTH] + sowing->en_passant[HY_NORTH];
    printf("\nply %" PRIu32 ": %s plays hole %u: %" PRIu64 " lap%s, %" PRIu64 " counters, ends %s",
           game->record.plies, hy_player_words[mover], hole, sowing->laps,
           sowing->laps == 1 ? "" : "s", sowing->counters, hy_ending_words[sowing->ending]);
    if (sowing->casas > 0)
        printf(", takes %u casa%s", sowing->casas, sowing->casas == 1 ? "" : "s");
    if (en_passant > 0)
        printf(", %u en passant", en_passant);
    if (game->ply.claimed > 0)
        printf(", claims %u counters", game->ply.claimed);
    if (game->last_passes > 0)
        printf("; %s has no move and passes",
               hy_player_words[hy_opponent(hy_game_position(game)->mover)]);
    putchar('\n');
    print_board(game->rules, hy_game_position(game));
}

static hy_status show(const hy_condition *condition, const hy_hole_list *holes,
                      const hy_game_record *record, hy_error *error)
{
    hy_history history = {0};
    hy_game game;
    hy_position start = hy_position_start(&condition->rules);
    hy_status status =
        hy_game_start(&game, &condition->rules, condition->max_laps, &history, &start, error);
    print_board(&condition->rules, &start);
    for (size_t i = 0; status == HY_OK && i < holes->num; i++) {
        hy_player mover = hy_game_position(&game)->mover;
        status = hy_game_ply(&game, holes->holes[i], error);
        if (status == HY_OK)
            print_ply(&game, mover, holes->holes[i]);
    }
    hy_history_clean_up(&history);
    printf("\n%s after %" PRIu32 " plies; south %" PRIu32 ", north %" PRIu32 ": %s\n",
           hy_termination_words[record->termination], record->plies, record->score[HY_SOUTH],
           record->score[HY_NORTH], hy_result_words[record->result]);
    return status;
}

static hy_status print_json(const hy_condition *condition, const hy_hole_list *holes,
                            const hy_game_record *record, hy_error *error)
{
    json_t *array = json_array();
    for (size_t i = 0; i < holes->num; i++)
        json_array_append_new(array, json_integer(holes->holes[i]));
    json_t *row = json_pack("{s:o, s:I, s:I, s:o}", "rules", hy_rules_json(&condition->rules),
                            "max_plies", (json_int_t)condition->max_plies, "max_laps",
                            (json_int_t)condition->max_laps, "holes", array);
    hy_add_game_to_row(row, record);
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
