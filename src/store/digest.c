/* One SHA-256 over all results, in the order of conditions, seatings and numbers. */
#include <stdlib.h>

#include "store/internal.h"

static void add_record(hy_sha256 *hash, const hy_game_record *record)
{
    const uint64_t numbers[] = {
        record->number,         record->score[HY_SOUTH], record->score[HY_NORTH],
        record->plies,          record->turns,           record->passes,
        record->laps,           record->counters,        record->captures,
        record->casas,          record->chains,          record->longest_chain,
        record->longest_turn,   record->lead_changes,    record->legal_holes,
        record->decision_plies, record->south_captures,  record->south_chains,
        record->claimed,        record->move_hash,
    };
    hy_sha256_add_text(hash, hy_termination_words[record->termination]);
    hy_sha256_add_text(hash, hy_result_words[record->result]);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hy_sha256_add_u64(hash, numbers[i]);
    for (size_t i = 1; i <= record->longest_chain; i++)
        hy_sha256_add_u64(hash, record->chain_count[i]);
}

static hy_status add_games(hy_store *store, uint32_t condition, bool swapped, hy_sha256 *hash,
                           hy_error *error)
{
    hy_game_cursor cursor;
    hy_game_record record;
    hy_hole_list holes = {0};
    bool found = true;
    hy_status status = hy_game_cursor_open(store, condition, swapped, &cursor, error);
    if (status != HY_OK)
        return status;
    while (status == HY_OK && found) {
        status = hy_game_cursor_next(&cursor, &record, &found, error);
        if (status != HY_OK || !found)
            break;
        add_record(hash, &record);
        if (store->experiment.record == HY_RECORD_MOVES)
            status = hy_store_game(store, condition, swapped, record.number, &record, &holes,
                                   &found, error);
        hy_sha256_add(hash, holes.holes, holes.num);
    }
    hy_game_cursor_close(&cursor);
    free(holes.holes);
    return status;
}

static void add_numbers(hy_sha256 *hash, const uint64_t *numbers, size_t num)
{
    for (size_t i = 0; i < num; i++)
        hy_sha256_add_u64(hash, numbers[i]);
}

static hy_status add_block(void *context, hy_block_key key, const hy_summary *summary,
                           const uint64_t *played, hy_error *error)
{
    hy_sha256 *hash = context;
    hy_length_count *lengths;
    hy_status status = hy_summary_lengths(summary, &lengths, error);
    if (status != HY_OK)
        return status;
    hy_sha256_add_u64(hash, key.block);
    hy_sha256_add_u64(hash, summary->games);
    add_numbers(hash, played, HY_BLOCK_WORDS);
    add_numbers(hash, summary->results, HY_NUM_RESULTS);
    add_numbers(hash, summary->terminations, HY_NUM_TERMINATIONS);
    add_numbers(hash, summary->sums, HY_NUM_QUANTITIES);
    add_numbers(hash, summary->products, HY_NUM_PRODUCTS);
    hy_sha256_add_u64(hash, summary->max_plies);
    hy_sha256_add_u64(hash, summary->longest_turn);
    hy_sha256_add_u64(hash, summary->longest_chain);
    add_numbers(hash, summary->chain_count, HY_MAX_CHAIN + 1);
    add_numbers(hash, summary->sketch.hashes, summary->sketch.num);
    hy_sha256_add_u64(hash, summary->sketch.overflowed);
    for (size_t i = 0; i < summary->num_lengths; i++) {
        hy_sha256_add_u64(hash, lengths[i].termination);
        hy_sha256_add_u64(hash, lengths[i].plies);
        hy_sha256_add_u64(hash, lengths[i].games);
    }
    free(lengths);
    return HY_OK;
}

hy_status hy_store_digest(hy_store *store, char hex[HY_SHA256_HEX_SIZE], hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    hy_sha256 hash;
    hy_status status = HY_OK;
    hy_experiment_hash(experiment, hex);
    hy_sha256_init(&hash);
    hy_sha256_add_text(&hash, hex);
    for (uint32_t i = 0; i < experiment->num_conditions; i++) {
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++) {
            hy_sha256_add_u64(&hash, 2 * (uint64_t)i + s);
            status = experiment->record == HY_RECORD_SUMMARY
                         ? hy_store_each_block(store, i, s > 0, add_block, &hash, error)
                         : add_games(store, i, s > 0, &hash, error);
        }
    }
    hy_sha256_finish(&hash, hex);
    return status;
}
