#include "solve/proof_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define WORDS 4u /* of an entry: two of key, two of facts */
#define WAYS 2u  /* entries of a bucket */
#define PACKED_HOLES 8u
#define PACKED_COUNTERS 255u

hy_status hy_proof_table_init(hy_proof_table *table, size_t bytes, hy_error *error)
{
    size_t bucket = WAYS * WORDS * sizeof table->words[0];
    size_t num = bytes / bucket;
    num = num < 1 ? 1 : num > UINT32_MAX ? UINT32_MAX : num; /* 256 GiB */
    *table = (hy_proof_table){.num_buckets = num};
    table->words = hy_new_array(table->num_buckets, bucket);
    return table->words ? HY_OK : hy_fail_memory(error);
}

void hy_proof_table_clean_up(hy_proof_table *table)
{
    free(table->words);
    *table = (hy_proof_table){0};
}

/* The board from the mover's view, a byte a hole. */
static hy_proof_key packed(const hy_rules *rules, const hy_position *position)
{
    uint64_t rows[2] = {0};
    for (unsigned row = 0; row < 2; row++) {
        for (unsigned i = 0; i < rules->holes; i++)
            rows[row] |= (uint64_t)position->board[row * rules->holes + i] << (8 * i);
    }
    return position->mover == HY_SOUTH ? (hy_proof_key){rows[0], rows[1]}
                                       : (hy_proof_key){rows[1], rows[0]};
}

static hy_proof_key hashed(const hy_rules *rules, const hy_position *position)
{
    uint64_t low = rules->holes, high = 0x9e3779b97f4a7c15u;
    unsigned first = position->mover == HY_SOUTH ? 0 : rules->holes;
    for (unsigned i = 0; i < 2u * rules->holes; i++) {
        uint64_t count = position->board[(first + i) % (2u * rules->holes)];
        low = (low ^ count) * 0xff51afd7ed558ccdu;
        low ^= low >> 32;
        high = (high + count) * 0xc4ceb9fe1a85ec53u;
        high ^= high >> 29;
    }
    return (hy_proof_key){hy_mix64(low), hy_mix64(high)};
}

hy_proof_key hy_proof_key_of(const hy_rules *rules, const hy_position *position)
{
    bool fits = rules->holes <= PACKED_HOLES && position->left <= PACKED_COUNTERS;
    return fits ? packed(rules, position) : hashed(rules, position);
}

hy_facts hy_facts_none(unsigned left)
{
    hy_failed nothing = {.wins = INT16_MAX};
    return (hy_facts){
        .low = (int16_t) - (int)left,
        .high = (int16_t)left,
        .low_hole = HY_NO_HOLE,
        .failed = {nothing, nothing},
    };
}

static _Atomic uint64_t *bucket_of(const hy_proof_table *table, hy_proof_key key)
{
    uint64_t hash = hy_mix64(key.first + hy_mix64(key.second ^ 0x9e3779b97f4a7c15u));
    size_t bucket = (size_t)((hash >> 32) * table->num_buckets >> 32);
    return table->words + bucket * WAYS * WORDS;
}

void hy_proof_table_prefetch(const hy_proof_table *table, hy_proof_key key)
{
    __builtin_prefetch((const void *)bucket_of(table, key));
}

typedef struct entry {
    uint64_t word[WORDS];
} entry;

_Static_assert(sizeof(hy_failed) == 4, "a failure is half a word");

static entry pack(hy_proof_key key, const hy_facts *facts)
{
    entry e;
    e.word[2] = (uint64_t)(uint16_t)facts->low | (uint64_t)(uint16_t)facts->high << 16 |
                (uint64_t)facts->low_hole << 32 | (uint64_t)facts->work << 40 |
                (uint64_t)1 << 63; /* never all zero */
    memcpy(&e.word[3], facts->failed, sizeof e.word[3]);
    e.word[0] = key.first ^ hy_mix64(e.word[2]);
    e.word[1] = key.second ^ hy_mix64(e.word[3] ^ e.word[2]);
    return e;
}

static entry load(const _Atomic uint64_t *place)
{
    entry e;
    for (unsigned i = 0; i < WORDS; i++)
        e.word[i] = atomic_load_explicit(&place[i], memory_order_relaxed);
    return e;
}

static bool is_of(const entry *e, hy_proof_key key)
{
    return e->word[2] != 0 && (e->word[0] ^ hy_mix64(e->word[2])) == key.first &&
           (e->word[1] ^ hy_mix64(e->word[3] ^ e->word[2])) == key.second;
}

static uint8_t work_of(const entry *e)
{
    return (uint8_t)(e->word[2] >> 40);
}

bool hy_proof_table_find(const hy_proof_table *table, hy_proof_key key, hy_facts *facts)
{
    const _Atomic uint64_t *bucket = bucket_of(table, key);
    for (unsigned way = 0; way < WAYS; way++) {
        entry e = load(bucket + way * WORDS);
        if (!is_of(&e, key))
            continue;
        facts->low = (int16_t)(uint16_t)e.word[2];
        facts->high = (int16_t)(uint16_t)(e.word[2] >> 16);
        facts->low_hole = (uint8_t)(e.word[2] >> 32);
        facts->work = work_of(&e);
        memcpy(facts->failed, &e.word[3], sizeof e.word[3]);
        return true;
    }
    return false;
}

/* The place of the same key; else the first, if it took less work; else the second, whatever it
 * holds. */
static unsigned way_for(const _Atomic uint64_t *bucket, hy_proof_key key, uint8_t work)
{
    entry first = load(bucket), second = load(bucket + WORDS);
    if (is_of(&first, key))
        return 0;
    if (is_of(&second, key))
        return 1;
    return first.word[2] == 0 || work_of(&first) <= work ? 0 : 1;
}

void hy_proof_table_put(hy_proof_table *table, hy_proof_key key, const hy_facts *facts)
{
    _Atomic uint64_t *bucket = bucket_of(table, key);
    _Atomic uint64_t *place = bucket + way_for(bucket, key, facts->work) * WORDS;
    entry e = pack(key, facts);
    for (unsigned i = 0; i < WORDS; i++)
        atomic_store_explicit(&place[i], e.word[i], memory_order_relaxed);
}
