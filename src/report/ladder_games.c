#include "report/ladder_games.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

typedef struct stored_game {
    uint64_t number;
    uint64_t hash;
    hy_result result;
} stored_game;

/* The games of one seating, by number. */
typedef struct seating {
    stored_game *games;
    size_t num, capacity;
} seating;

static hy_status keep(void *context, uint64_t number, hy_result result, uint64_t hash,
                      hy_error *error)
{
    seating *all = context;
    hy_status status =
        hy_reserve(&all->games, &all->capacity, all->num + 1, sizeof all->games[0], error);
    if (status == HY_OK)
        all->games[all->num++] = (stored_game){number, hash, result};
    return status;
}

/* South's points; false: no result. */
static bool points_of(hy_result result, hy_points *points)
{
    switch (result) {
    case HY_RESULT_SOUTH:
        *points = HY_POINTS_WON;
        return true;
    case HY_RESULT_DRAW:
        *points = HY_POINTS_DRAWN;
        return true;
    case HY_RESULT_NORTH:
        *points = HY_POINTS_LOST;
        return true;
    case HY_RESULT_NONE:
    case HY_NUM_RESULTS:
        break;
    }
    return false;
}

static hy_status add_game(hy_ladder_pairing *pairing, const stored_game *game, bool swapped,
                          hy_ladder_games *games, hy_error *error)
{
    hy_points points;
    if (!points_of(game->result, &points)) {
        pairing->no_result++;
        return HY_OK;
    }
    unsigned of_first = swapped ? HY_POINTS_WON - points : points;
    pairing->won += of_first == HY_POINTS_WON;
    pairing->drawn += of_first == HY_POINTS_DRAWN;
    pairing->lost += of_first == HY_POINTS_LOST;
    hy_status status =
        hy_reserve(&games->games, &games->capacity, games->num + 1, sizeof games->games[0], error);
    if (status == HY_OK)
        games->games[games->num++] = (hy_rated_game){
            .cluster = game->number,
            .south = (uint32_t)(swapped ? pairing->second : pairing->first),
            .north = (uint32_t)(swapped ? pairing->first : pairing->second),
            .points = points,
        };
    return status;
}

static void add_pair(hy_ladder_pairing *pairing, const stored_game *first,
                     const stored_game *swapped)
{
    hy_points south, other;
    if (!points_of(first->result, &south) || !points_of(swapped->result, &other))
        return;
    pairing->pairs.num[south + HY_POINTS_WON - other]++;
    pairing->south_pairs.num[south + other]++;
}

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t count_distinct(uint64_t *hashes, size_t num)
{
    uint64_t distinct = 0;
    if (num > 0)
        qsort(hashes, num, sizeof *hashes, compare_hashes);
    for (size_t i = 0; i < num; i++)
        distinct += i == 0 || hashes[i] != hashes[i - 1];
    return distinct;
}

/* Goes through both seatings side by side. */
static hy_status join(hy_ladder_pairing *pairing, const seating both[2], hy_ladder_games *games,
                      hy_error *error)
{
    uint64_t *hashes = hy_new_array(both[0].num + both[1].num, sizeof *hashes);
    size_t at[2] = {0, 0};
    hy_status status = hashes ? HY_OK : hy_fail_memory(error);
    while (status == HY_OK && (at[0] < both[0].num || at[1] < both[1].num)) {
        const stored_game *seats[2] = {NULL, NULL};
        for (unsigned s = 0; s < 2; s++)
            seats[s] = at[s] < both[s].num ? &both[s].games[at[s]] : NULL;
        if (seats[0] && seats[1] && seats[0]->number != seats[1]->number)
            seats[seats[0]->number < seats[1]->number ? 1 : 0] = NULL;
        uint64_t hash = 0;
        for (unsigned s = 0; s < 2 && status == HY_OK; s++) {
            if (!seats[s])
                continue;
            hash = hy_mix64(hash ^ seats[s]->hash);
            status = add_game(pairing, seats[s], s > 0, games, error);
            at[s]++;
        }
        if (seats[0] && seats[1])
            add_pair(pairing, seats[0], seats[1]);
        hashes[pairing->units++] = hash;
    }
    if (status == HY_OK)
        pairing->distinct = count_distinct(hashes, pairing->units);
    free(hashes);
    return status;
}

hy_status hy_ladder_read(hy_store *store, hy_ladder_pairing *pairing, hy_ladder_games *games,
                         hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    seating both[2] = {{0}, {0}};
    unsigned seatings = hy_num_seatings(&experiment->conditions[pairing->condition]);
    hy_status status = HY_OK;
    pairing->paired = seatings > 1;
    for (unsigned s = 0; s < seatings && status == HY_OK; s++)
        status = hy_store_each_result(store, pairing->condition, s > 0, keep, &both[s], error);
    if (status == HY_OK)
        status = join(pairing, both, games, error);
    free(both[0].games);
    free(both[1].games);
    return status;
}
