/* Blocks of several databases into one; a block that many shards have a part of is written once. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/merging.h"

/* How the games of two blocks lie to each other. */
typedef struct hy_overlap {
    bool common, only_a, only_b;
} hy_overlap;

static hy_overlap overlap_of(const uint64_t *a, const uint64_t *b)
{
    hy_overlap overlap = {false, false, false};
    for (size_t i = 0; i < HY_BLOCK_WORDS; i++) {
        overlap.common |= (a[i] & b[i]) != 0;
        overlap.only_a |= (a[i] & ~b[i]) != 0;
        overlap.only_b |= (b[i] & ~a[i]) != 0;
    }
    return overlap;
}

/* The block that is being joined, in store->block, and what is to be added to it. */
typedef struct hy_joining {
    hy_store *store;
    hy_block_key key;
    uint64_t own[HY_BLOCK_WORDS]; /* games of store->block */
    bool changed;
    hy_summary summary;
    uint64_t played[HY_BLOCK_WORDS];
} hy_joining;

static hy_status compare_block(const hy_joining *joining, const hy_store *other, hy_error *error)
{
    const hy_store *store = joining->store;
    const char *column;
    hy_status status = hy_summary_difference(&store->block, &joining->summary, &column, error);
    if (status == HY_OK && column)
        status = hy_fail(error, HY_MISMATCH,
                         "block %" PRIu64 " of condition %" PRIu32 " differs between '%s' and '%s' "
                         "in '%s'",
                         joining->key.block, joining->key.condition + 1, store->database.path,
                         other->database.path, column);
    return status;
}

static hy_status join_block(hy_joining *joining, const hy_store *other, hy_error *error)
{
    hy_store *store = joining->store;
    hy_overlap overlap = overlap_of(joining->own, joining->played);
    if (overlap.common && !overlap.only_a && !overlap.only_b)
        return compare_block(joining, other, error);
    if (overlap.common && !overlap.only_b)
        return HY_OK; /* ours went on from the other one */
    if (overlap.common && overlap.only_a)
        return hy_fail(error, HY_MISMATCH,
                       "block %" PRIu64 " of condition %" PRIu32 " in '%s' and '%s' have games in "
                       "common, and each has others; sums cannot be taken apart",
                       joining->key.block, joining->key.condition + 1, store->database.path,
                       other->database.path);
    if (overlap.common) { /* the other one went on from ours */
        hy_summary_clear(&store->block);
        memset(joining->own, 0, sizeof joining->own);
    }
    for (size_t i = 0; i < HY_BLOCK_WORDS; i++)
        joining->own[i] |= joining->played[i];
    joining->changed = true;
    return hy_summary_merge(&store->block, &joining->summary, error);
}

static hy_status begin_block(hy_joining *joining, hy_error *error)
{
    hy_store *store = joining->store;
    bool found;
    joining->changed = false;
    hy_status status = hy_store_begin(store, error);
    if (status == HY_OK)
        status =
            hy_store_get_block(store, joining->key, &store->block, joining->own, &found, error);
    if (status == HY_OK && !found) {
        hy_summary_clear(&store->block);
        memset(joining->own, 0, sizeof joining->own);
    }
    return status;
}

static hy_status join_key(hy_joining *joining, hy_block_cursor *cursors, size_t num,
                          hy_error *error)
{
    hy_status status = begin_block(joining, error);
    for (size_t i = 0; status == HY_OK && i < num; i++) {
        hy_block_cursor *cursor = &cursors[i];
        if (!cursor->more || cursor->block != joining->key.block)
            continue;
        status = hy_block_cursor_read(cursor, &joining->summary, joining->played, error);
        if (status == HY_OK)
            status = join_block(joining, cursor->store, error);
        if (status == HY_OK)
            status = hy_block_cursor_next(cursor, error);
    }
    if (status == HY_OK && joining->changed)
        status = hy_store_put_block(joining->store, joining->key, &joining->store->block,
                                    joining->own, error);
    return status == HY_OK ? hy_store_tick(joining->store, error) : status;
}

/* Whether there is one; *block is then the first. */
static bool first_block(const hy_block_cursor *cursors, size_t num, uint64_t *block)
{
    bool any = false;
    for (size_t i = 0; i < num; i++) {
        if (cursors[i].more && (!any || cursors[i].block < *block)) {
            *block = cursors[i].block;
            any = true;
        }
    }
    return any;
}

static hy_status join_all(const hy_merging *merging, hy_joining *joining, hy_block_cursor *cursors,
                          hy_error *error)
{
    hy_status status = HY_OK;
    while (status == HY_OK && first_block(cursors, merging->num_others, &joining->key.block)) {
        status = hy_merging_check_stop(merging, error);
        if (status == HY_OK)
            status = join_key(joining, cursors, merging->num_others, error);
    }
    return status;
}

hy_status hy_merge_blocks(const hy_merging *merging, uint32_t condition, bool swapped,
                          hy_error *error)
{
    hy_joining joining = {.store = merging->store, .key = {condition, swapped, 0}};
    hy_status status = HY_OK;
    hy_block_cursor *cursors = hy_new_array(merging->num_others, sizeof *cursors);
    if (!cursors)
        return hy_fail_memory(error);
    for (size_t i = 0; status == HY_OK && i < merging->num_others; i++)
        status = hy_block_cursor_open(merging->others[i], condition, swapped, &cursors[i], error);
    if (status == HY_OK)
        status = join_all(merging, &joining, cursors, error);
    for (size_t i = 0; i < merging->num_others; i++)
        hy_block_cursor_close(&cursors[i]);
    hy_summary_clean_up(&joining.summary);
    free(cursors);
    return status;
}
