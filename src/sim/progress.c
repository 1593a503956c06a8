#include "sim/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static uint64_t **slot(const hy_progress *progress, hy_block_key key)
{
    uint64_t seating = 2u * key.condition + key.swapped;
    return &progress->blocks[seating * progress->blocks_each + key.block];
}

/* The list of blocks, whose bitmaps come as games are played. */
static hy_status check_size(const hy_experiment *experiment, uint64_t blocks_each, hy_error *error)
{
    double there = (double)hy_memory_limit();
    double bytes =
        2.0 * sizeof(uint64_t *) * (double)blocks_each * (double)experiment->num_conditions;
    if (bytes <= there / 4)
        return HY_OK;
    return hy_fail(error, HY_INVALID,
                   "%zu conditions of %" PRIu64 " games take %.0f MiB to keep the books of, more "
                   "than a quarter of the %.0f MiB that this process can have; share the "
                   "conditions out over several "
                   "experiments, or ask for fewer games",
                   experiment->num_conditions, experiment->games, bytes / 1048576, there / 1048576);
}

hy_status hy_progress_init(hy_progress *progress, const hy_experiment *experiment, hy_error *error)
{
    uint64_t blocks_each = (experiment->games + HY_BLOCK_GAMES - 1) / HY_BLOCK_GAMES;
    *progress = (hy_progress){.experiment = experiment, .blocks_each = blocks_each};
    hy_status status = check_size(experiment, blocks_each, error);
    if (status != HY_OK)
        return status;
    progress->blocks =
        hy_new_array(2 * experiment->num_conditions, blocks_each * sizeof progress->blocks[0]);
    progress->windows = hy_new_array(experiment->num_conditions, sizeof progress->windows[0]);
    progress->full = hy_new_array(HY_BLOCK_WORDS, sizeof progress->full[0]);
    if (!progress->blocks || !progress->windows || !progress->full) {
        hy_progress_clean_up(progress);
        return hy_fail_memory(error);
    }
    memset(progress->full, 0xff, HY_BLOCK_WORDS * sizeof progress->full[0]);
    for (size_t i = 0; i < experiment->num_conditions; i++)
        progress->windows[i] = (hy_window){0, experiment->games};
    return HY_OK;
}

/* Does not write where there is none: of millions of blocks most are never touched. */
static void free_bitmap(hy_progress *progress, uint64_t **bitmap)
{
    if (*bitmap && *bitmap != progress->full)
        free(*bitmap);
    if (*bitmap)
        *bitmap = NULL;
}

void hy_progress_clean_up(hy_progress *progress)
{
    if (progress->blocks) {
        for (uint64_t i = 0; i < 2 * progress->experiment->num_conditions * progress->blocks_each;
             i++)
            free_bitmap(progress, &progress->blocks[i]);
    }
    free(progress->blocks);
    free(progress->windows);
    free(progress->full);
    *progress = (hy_progress){0};
}

static hy_status bitmap_of(const hy_progress *progress, hy_block_key key, uint64_t **bitmap,
                           hy_error *error)
{
    uint64_t **place = slot(progress, key);
    if (!*place)
        *place = hy_new_array(HY_BLOCK_WORDS, sizeof **place);
    *bitmap = *place;
    return *bitmap ? HY_OK : hy_fail_memory(error);
}

hy_status hy_progress_mark(hy_progress *progress, hy_block_key key, uint64_t number,
                           hy_error *error)
{
    uint64_t *bitmap;
    if (number >= progress->windows[key.condition].end) {
        progress->num_extra++;
        return HY_OK;
    }
    hy_status status = bitmap_of(progress, key, &bitmap, error);
    if (status != HY_OK)
        return status;
    uint64_t bit = (uint64_t)1 << number % 64, *word = &bitmap[number % HY_BLOCK_GAMES / 64];
    if (*word & bit)
        return HY_OK;
    progress->num_played++;
    *word |= bit;
    return HY_OK;
}

static uint64_t count_bits(const uint64_t *bitmap)
{
    uint64_t count = 0;
    for (size_t i = 0; i < HY_BLOCK_WORDS; i++)
        count += (uint64_t)__builtin_popcountll(bitmap[i]);
    return count;
}

/* Whole blocks share one bitmap: a complete run has millions of them. */
static void mark_whole_block(hy_progress *progress, hy_block_key key)
{
    uint64_t **place = slot(progress, key);
    progress->num_played += HY_BLOCK_GAMES - (*place ? count_bits(*place) : 0);
    free_bitmap(progress, place);
    *place = progress->full;
}

hy_status hy_progress_mark_block(hy_progress *progress, hy_block_key key, const uint64_t *bitmap,
                                 hy_error *error)
{
    if ((key.block + 1) * HY_BLOCK_GAMES <= progress->windows[key.condition].end &&
        count_bits(bitmap) == HY_BLOCK_GAMES) {
        mark_whole_block(progress, key);
        return HY_OK;
    }
    for (uint64_t i = 0; i < HY_BLOCK_WORDS; i++) {
        for (uint64_t bits = bitmap[i]; bits; bits &= bits - 1) {
            uint64_t number = key.block * HY_BLOCK_GAMES + i * 64 + (uint64_t)__builtin_ctzll(bits);
            hy_status status = hy_progress_mark(progress, key, number, error);
            if (status != HY_OK)
                return status;
        }
    }
    return HY_OK;
}

void hy_progress_forget(hy_progress *progress, uint32_t condition)
{
    for (uint64_t i = 0; i < 2 * progress->blocks_each; i++) {
        uint64_t **bitmap = &progress->blocks[2 * condition * progress->blocks_each + i];
        progress->num_played -= *bitmap ? count_bits(*bitmap) : 0;
        free_bitmap(progress, bitmap);
    }
}

/* Takes the games of a bitmap out of a block. The bitmap that whole blocks share stays as it is. */
static hy_status subtract_block(hy_progress *progress, uint64_t **place, const uint64_t *other,
                                hy_error *error)
{
    if (*place == progress->full) {
        uint64_t *own = hy_new_array(HY_BLOCK_WORDS, sizeof *own);
        if (!own)
            return hy_fail_memory(error);
        memcpy(own, progress->full, HY_BLOCK_WORDS * sizeof *own);
        *place = own;
    }
    for (size_t word = 0; word < HY_BLOCK_WORDS; word++) {
        progress->num_played -= (uint64_t)__builtin_popcountll((*place)[word] & other[word]);
        (*place)[word] &= ~other[word];
    }
    return HY_OK;
}

hy_status hy_progress_subtract(hy_progress *progress, const hy_progress *other, hy_error *error)
{
    uint64_t num_blocks = 2 * progress->experiment->num_conditions * progress->blocks_each;
    for (uint64_t i = 0; i < num_blocks; i++) {
        uint64_t **place = &progress->blocks[i];
        if (!*place || !other->blocks[i])
            continue;
        if (other->blocks[i] == other->full) {
            progress->num_played -= count_bits(*place);
            free_bitmap(progress, place);
            continue;
        }
        hy_status status = subtract_block(progress, place, other->blocks[i], error);
        if (status != HY_OK)
            return status;
    }
    return HY_OK;
}

/* The bits of the 64 games from `first` on with numbers below `end`. */
static uint64_t below(uint64_t first, uint64_t end)
{
    if (first >= end)
        return 0;
    return end - first >= 64 ? UINT64_MAX : ((uint64_t)1 << (end - first)) - 1;
}

/* The units in which games are dealt to shards; see hy_shard. */
#define FIRST_LONG_UNIT 64u

/* The first block from which on units are at least that long. */
static uint64_t first_block(uint64_t unit, uint64_t count)
{
    uint64_t per_block = HY_BLOCK_GAMES / unit;
    uint64_t block = (HY_SHARD_BLOCKS * count + per_block - 1) / per_block;
    return block < HY_SHARD_BLOCKS ? HY_SHARD_BLOCKS : block;
}

static uint64_t unit_of(uint64_t block, uint64_t count)
{
    uint64_t most = block * (HY_BLOCK_GAMES / HY_SHARD_BLOCKS) / count;
    if (block < HY_SHARD_BLOCKS || most < FIRST_LONG_UNIT)
        return 1;
    return most >= HY_BLOCK_GAMES ? HY_BLOCK_GAMES : (uint64_t)1 << (63 - __builtin_clzll(most));
}

bool hy_shard_has_block(hy_shard shard, uint64_t block)
{
    uint64_t units = HY_BLOCK_GAMES / unit_of(block, shard.count);
    uint64_t before = block * units % shard.count;
    return (shard.index - 1 + shard.count - before) % shard.count < units;
}

/* The bits of the 64 games from `first` on that belong to the shard and are asked for. */
static uint64_t wanted(hy_window window, uint64_t first, hy_shard shard)
{
    uint64_t asked = below(first, window.end) & ~below(first, window.first);
    if (asked == 0)
        return 0;
    if (shard.count == 1)
        return asked;
    uint64_t unit = unit_of(first / HY_BLOCK_GAMES, shard.count), bits = 0;
    if (unit > 1)
        return first / unit % shard.count == shard.index - 1 ? asked : 0;
    uint64_t offset = (shard.index - 1 + shard.count - first % shard.count) % shard.count;
    for (; offset < 64; offset += shard.count)
        bits |= (uint64_t)1 << offset;
    return bits & asked;
}

bool hy_progress_is_blank(const hy_progress *progress, hy_block_key key)
{
    return !*slot(progress, key);
}

uint64_t hy_progress_word(const hy_progress *progress, hy_block_key key, uint64_t word,
                          hy_shard shard, bool played)
{
    const uint64_t *bitmap = *slot(progress, key);
    uint64_t done = bitmap ? bitmap[word] : 0;
    uint64_t first = key.block * HY_BLOCK_GAMES + word * 64;
    return wanted(progress->windows[key.condition], first, shard) & (played ? done : ~done);
}

/* Numbers below `end` that would belong to the shard if all units were that long. */
static uint64_t of_units(uint64_t end, uint64_t unit, hy_shard shard)
{
    uint64_t round = unit * shard.count, rest = end % round, before = (shard.index - 1) * unit;
    uint64_t last = rest <= before ? 0 : rest - before;
    return end / round * unit + (last < unit ? last : unit);
}

/* Numbers below `end` that belong to the shard. */
static uint64_t of_shard(uint64_t end, hy_shard shard)
{
    uint64_t sum = 0, from = 0;
    for (uint64_t unit = 1, longer = FIRST_LONG_UNIT; from < end; unit = longer, longer *= 2) {
        uint64_t to = end;
        if (unit < HY_BLOCK_GAMES)
            to = first_block(longer, shard.count) * HY_BLOCK_GAMES;
        to = to < end ? to : end;
        sum += of_units(to, unit, shard) - of_units(from, unit, shard);
        from = to;
    }
    return sum;
}

/* Those of the shard that are played, of one condition and seating. Only begun blocks are looked
 * at: an experiment can ask for more games than anybody can count one by one. */
static uint64_t count_played(const hy_progress *progress, hy_block_key key, hy_shard shard)
{
    hy_window window = progress->windows[key.condition];
    uint64_t count = 0;
    for (key.block = window.first / HY_BLOCK_GAMES; key.block * HY_BLOCK_GAMES < window.end;
         key.block++) {
        if (!*slot(progress, key) || !hy_shard_has_block(shard, key.block))
            continue;
        if (shard.count == 1 && *slot(progress, key) == progress->full && window.first == 0 &&
            (key.block + 1) * HY_BLOCK_GAMES <= window.end) {
            count += HY_BLOCK_GAMES;
            continue;
        }
        for (uint64_t word = 0; word < HY_BLOCK_WORDS; word++)
            count +=
                (uint64_t)__builtin_popcountll(hy_progress_word(progress, key, word, shard, true));
    }
    return count;
}

uint64_t hy_progress_count_of(const hy_progress *progress, uint32_t condition, hy_shard shard,
                              bool played)
{
    hy_window window = progress->windows[condition];
    uint64_t asked = of_shard(window.end, shard) - of_shard(window.first, shard), count = 0;
    unsigned seatings = hy_num_seatings(&progress->experiment->conditions[condition]);
    for (unsigned s = 0; s < seatings; s++)
        count += count_played(progress, (hy_block_key){condition, s > 0, 0}, shard);
    return played ? count : seatings * asked - count;
}

uint64_t hy_progress_count(const hy_progress *progress, hy_shard shard, bool played)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < progress->experiment->num_conditions; i++)
        count += hy_progress_count_of(progress, i, shard, played);
    return count;
}
