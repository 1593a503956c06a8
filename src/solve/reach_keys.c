#include "solve/reach_keys.h"

#include <string.h>

#include "base/hash.h"

#define FIRST_PLACES 1024u
#define WHAT "the reachable positions"

void hy_keys_init(hy_keys *keys, hy_budget *budget, unsigned words)
{
    *keys = (hy_keys){.budget = budget, .words = words};
}

void hy_keys_clean_up(hy_keys *keys)
{
    hy_budget_free(keys->budget, keys->keys, keys->capacity, sizeof keys->keys[0]);
    hy_budget_free(keys->budget, keys->places, keys->num_places, sizeof keys->places[0]);
    keys->keys = NULL;
    keys->places = NULL;
}

static size_t hash_of(const uint64_t *key, unsigned words)
{
    uint64_t hash = HY_FNV1A_START;
    for (unsigned i = 0; i < words; i++)
        hash = hy_mix64(hash ^ key[i]);
    return (size_t)hash;
}

/* The place of the key, or the free one where it belongs. */
static size_t place_of(const hy_keys *keys, const uint64_t *key)
{
    size_t mask = keys->num_places - 1, bytes = keys->words * sizeof key[0];
    size_t place = hash_of(key, keys->words) & mask;
    while (keys->places[place] != HY_NO_NODE &&
           memcmp(hy_keys_at(keys, keys->places[place]), key, bytes) != 0)
        place = (place + 1) & mask;
    return place;
}

uint32_t hy_keys_find(const hy_keys *keys, const uint64_t *key)
{
    return keys->num_places > 0 ? keys->places[place_of(keys, key)] : HY_NO_NODE;
}

static hy_status grow(hy_keys *keys, hy_error *error)
{
    hy_keys grown = *keys;
    grown.num_places = keys->num_places > 0 ? 2 * keys->num_places : FIRST_PLACES;
    hy_status status = hy_budget_new(keys->budget, &grown.places, grown.num_places,
                                     sizeof grown.places[0], WHAT, error);
    if (status != HY_OK)
        return status;
    memset(grown.places, 0xff, grown.num_places * sizeof grown.places[0]);
    for (uint32_t i = 0; i < keys->num; i++)
        grown.places[place_of(&grown, hy_keys_at(keys, i))] = i;
    hy_budget_free(keys->budget, keys->places, keys->num_places, sizeof keys->places[0]);
    *keys = grown;
    return HY_OK;
}

hy_status hy_keys_add(hy_keys *keys, const uint64_t *key, uint32_t *number, hy_error *error)
{
    if (4 * (size_t)keys->num >= 3 * keys->num_places) {
        hy_status status = grow(keys, error);
        if (status != HY_OK)
            return status;
    }
    size_t place = place_of(keys, key);
    if (keys->places[place] == HY_NO_NODE) {
        size_t used = (size_t)keys->num * keys->words;
        if (keys->num == HY_NO_NODE - 1)
            return hy_fail(error, HY_FAILED, "does not fit: more than 4,294,967,294 positions");
        hy_status status = hy_budget_reserve(keys->budget, &keys->keys, &keys->capacity,
                                             used + keys->words, sizeof keys->keys[0], WHAT, error);
        if (status != HY_OK)
            return status;
        memcpy(keys->keys + used, key, keys->words * sizeof key[0]);
        keys->places[place] = keys->num++;
    }
    *number = keys->places[place];
    return HY_OK;
}
