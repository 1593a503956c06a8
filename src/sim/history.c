#include "sim/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define FIRST_CAPACITY 64u

void hy_history_clean_up(hy_history *history)
{
    free(history->entries);
    *history = (hy_history){0};
}

void hy_history_clear(hy_history *history)
{
    if (history->num > 0)
        memset(history->entries, 0, history->capacity * sizeof history->entries[0]);
    history->num = 0;
}

static uint64_t position_hash(const hy_position *position)
{
    uint64_t hash = HY_FNV1A_START ^ position->mover;
    for (size_t i = 0; i < HY_MAX_BOARD; i += 4) {
        uint64_t four;
        memcpy(&four, position->board + i, sizeof four);
        hash = hy_mix64(hash ^ four);
    }
    return hash;
}

/* The place of the position, or the free place where it belongs. */
static hy_history_entry *find(const hy_history *history, const hy_history_entry *wanted)
{
    size_t mask = history->capacity - 1;
    for (size_t i = (size_t)wanted->hash & mask;; i = (i + 1) & mask) {
        hy_history_entry *entry = &history->entries[i];
        if (entry->times == 0 || (entry->hash == wanted->hash && entry->mover == wanted->mover &&
                                  memcmp(entry->board, wanted->board, sizeof entry->board) == 0))
            return entry;
    }
}

static hy_status grow(hy_history *history, hy_error *error)
{
    hy_history grown = {.capacity = history->capacity ? 2 * history->capacity : FIRST_CAPACITY,
                        .num = history->num};
    grown.entries = hy_new_array(grown.capacity, sizeof grown.entries[0]);
    if (!grown.entries)
        return hy_fail_memory(error);
    for (size_t i = 0; i < history->capacity; i++) {
        if (history->entries[i].times > 0)
            *find(&grown, &history->entries[i]) = history->entries[i];
    }
    free(history->entries);
    *history = grown;
    return HY_OK;
}

static hy_history_entry entry_of(const hy_position *position)
{
    hy_history_entry entry = {.hash = position_hash(position), .mover = position->mover};
    memcpy(entry.board, position->board, sizeof entry.board);
    return entry;
}

unsigned hy_history_times(const hy_history *history, const hy_position *position)
{
    hy_history_entry wanted = entry_of(position);
    return history->capacity > 0 ? find(history, &wanted)->times : 0;
}

hy_status hy_history_add(hy_history *history, const hy_position *position, unsigned *times,
                         hy_error *error)
{
    hy_history_entry wanted = entry_of(position);
    if (2 * history->num >= history->capacity) {
        hy_status status = grow(history, error);
        if (status != HY_OK)
            return status;
    }
    hy_history_entry *entry = find(history, &wanted);
    if (entry->times == 0) {
        *entry = wanted;
        history->num++;
    }
    if (entry->times < UINT8_MAX)
        entry->times++;
    *times = entry->times;
    return HY_OK;
}
