#include "policy/search_table.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

hy_status hy_search_table_init(hy_search_table *table, size_t bytes, hy_error *error)
{
    size_t num = 2;
    while (2 * num * sizeof(hy_search_entry) <= bytes)
        num *= 2;
    *table = (hy_search_table){.mask = num - 1, .generation = 1};
    table->entries = hy_new_pages(num * sizeof table->entries[0]);
    return table->entries ? HY_OK : hy_fail_memory(error);
}

void hy_search_table_clean_up(hy_search_table *table)
{
    hy_free_pages(table->entries, (table->mask + 1) * sizeof table->entries[0]);
    *table = (hy_search_table){0};
}

void hy_search_table_forget(hy_search_table *table)
{
    if (++table->generation > 0)
        return;
    memset(table->entries, 0, (table->mask + 1) * sizeof table->entries[0]);
    table->generation = 1;
}

/* A key in the making. */
static hy_search_key key_start(uint64_t salt)
{
    return (hy_search_key){salt, ~salt * 0x9e3779b97f4a7c15u};
}

static hy_search_key key_with(hy_search_key key, uint64_t four)
{
    uint64_t low = (key.low ^ four) * 0xff51afd7ed558ccdu;
    uint64_t high = (key.high + four) * 0xc4ceb9fe1a85ec53u;
    return (hy_search_key){low ^ low >> 32, high ^ high >> 29};
}

static hy_search_key key_end(hy_search_key key)
{
    return (hy_search_key){hy_mix64(key.low), hy_mix64(key.high)};
}

hy_search_key hy_search_key_of(const hy_rules *rules, const hy_position *position, uint64_t salt)
{
    hy_search_key key = key_start(salt ^ position->mover);
    for (unsigned i = 0; i < 2u * rules->holes; i += 4) {
        uint64_t four;
        memcpy(&four, position->board + i, sizeof four);
        key = key_with(key, four);
    }
    return key_end(key);
}

/* The four low bytes as words of 16 bits. */
static uint64_t spread(uint64_t bytes)
{
    bytes &= 0xffffffff;
    bytes = (bytes | bytes << 16) & 0x0000ffff0000ffffu;
    return (bytes | bytes << 8) & 0x00ff00ff00ff00ffu;
}

hy_search_key hy_search_key_of_rows(const hy_rules *rules, hy_rows rows, unsigned mover,
                                    uint64_t salt)
{
    unsigned holes = rules->holes;
    hy_search_key key = key_start(salt ^ mover);
    uint64_t first = holes < 8 ? rows.south | rows.north << 8 * holes : rows.south;
    uint64_t rest = holes < 8 ? rows.north >> (64 - 8 * holes) : rows.north;
    for (unsigned i = 0; i < 2 * holes; i += 4)
        key = key_with(key, spread((i < 8 ? first : rest) >> 8 * (i & 4)));
    return key_end(key);
}

static bool is_same_key(hy_search_key a, hy_search_key b)
{
    return a.low == b.low && a.high == b.high;
}

const hy_search_entry *hy_search_table_find(const hy_search_table *table, hy_search_key key)
{
    const hy_search_entry *bucket = &table->entries[key.low & table->mask & ~(size_t)1];
    for (unsigned i = 0; i < 2; i++) {
        if (bucket[i].generation == table->generation && bucket[i].bound != HY_BOUND_NONE &&
            is_same_key(bucket[i].key, key))
            return &bucket[i];
    }
    return NULL;
}

void hy_search_table_fetch(const hy_search_table *table, hy_search_key key)
{
    __builtin_prefetch(&table->entries[key.low & table->mask & ~(size_t)1]);
}

void hy_search_table_put(hy_search_table *table, const hy_search_entry *entry)
{
    hy_search_entry *bucket = &table->entries[entry->key.low & table->mask & ~(size_t)1];
    hy_search_entry *place = &bucket[0];
    for (unsigned i = 0; i < 2; i++) {
        bool forgotten = bucket[i].generation != table->generation;
        if (forgotten || is_same_key(bucket[i].key, entry->key)) {
            place = &bucket[i];
            break;
        }
        if (bucket[i].turns < place->turns)
            place = &bucket[i];
    }
    *place = *entry;
    place->generation = table->generation;
}
