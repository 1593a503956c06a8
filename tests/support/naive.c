#include "support/naive.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
    uint16_t board[HY_MAX_BOARD];
    uint64_t index;
    unsigned hole;
    bool used;
} state;

typedef struct states {
    state *entries;
    size_t capacity;
    size_t num;
} states;

static state *place(const states *set, const uint16_t *board, unsigned hole)
{
    uint64_t hash = hole;
    for (unsigned i = 0; i < HY_MAX_BOARD; i++)
        hash = (hash + board[i] + 1) * 0x9e3779b97f4a7c15u;
    for (size_t i = (size_t)(hash >> 20);; i++) {
        state *entry = &set->entries[i % set->capacity];
        if (!entry->used ||
            (entry->hole == hole && memcmp(entry->board, board, sizeof entry->board) == 0))
            return entry;
    }
}

static void grow(states *set)
{
    states grown = {.capacity = set->capacity ? 2 * set->capacity : 64, .num = set->num};
    grown.entries = calloc(grown.capacity, sizeof grown.entries[0]);
    if (!grown.entries)
        abort();
    for (size_t i = 0; i < set->capacity; i++) {
        const state *old = &set->entries[i];
        if (old->used)
            *place(&grown, old->board, old->hole) = *old;
    }
    free(set->entries);
    *set = grown;
}

/* Keeps the state, or finds the equal one from before. */
static bool recurs(states *set, const uint16_t *board, unsigned hole, uint64_t index,
                   uint64_t *first)
{
    if (2 * set->num >= set->capacity)
        grow(set);
    state *entry = place(set, board, hole);
    if (entry->used) {
        *first = entry->index;
        return true;
    }
    memcpy(entry->board, board, sizeof entry->board);
    entry->hole = hole;
    entry->index = index;
    entry->used = true;
    set->num++;
    return false;
}

static bool allowed(const hy_rules *rules, hy_player mover, unsigned hole)
{
    bool souths = hole < rules->holes;
    bool own = souths == (mover == HY_SOUTH);
    if (rules->capture_side == HY_SIDE_OWN)
        return own;
    return rules->capture_side == HY_SIDE_OPPONENT ? !own : true;
}

/* One lap from *hole, which becomes the hole where the final counter fell. */
static void lap(const hy_rules *rules, hy_player mover, unsigned *hole, naive_sowing *s)
{
    unsigned size = 2u * rules->holes, origin = *hole, hand = s->after[origin], at = origin;
    s->after[origin] = 0;
    while (hand > 0) {
        at = (at + 1) % size;
        if (rules->skip_origin && at == origin)
            continue;
        s->after[at]++;
        s->counters++;
        hand--;
        bool made = s->after[at] == rules->casa && hand > 0;
        if (made && rules->en_passant == HY_EN_PASSANT_SOWER && allowed(rules, mover, at)) {
            s->en_passant[mover]++;
            s->after[at] = 0;
        } else if (made && rules->en_passant == HY_EN_PASSANT_OWNER) {
            s->en_passant[at < rules->holes ? HY_SOUTH : HY_NORTH]++;
            s->after[at] = 0;
        }
    }
    *hole = at;
    s->laps++;
}

/* The final counter made a casa that is taken: that one and the chain backward. */
static void capture(const hy_rules *rules, hy_player mover, unsigned hole, naive_sowing *s)
{
    unsigned size = 2u * rules->holes;
    s->ending = HY_ENDING_CAPTURE;
    s->after[hole] = 0;
    s->casas = 1;
    if (!rules->chain_capture)
        return;
    for (unsigned back = 1; back < size; back++) {
        unsigned previous = (hole + size - back) % size;
        if (s->after[previous] != rules->casa || !allowed(rules, mover, previous))
            return;
        s->after[previous] = 0;
        s->casas++;
    }
}

static bool ends(const hy_rules *rules, hy_player mover, unsigned hole, naive_sowing *s)
{
    if (s->after[hole] == 1) {
        s->ending = HY_ENDING_EMPTY;
        return true;
    }
    if (s->after[hole] == rules->casa && rules->final_capture && allowed(rules, mover, hole)) {
        capture(rules, mover, hole, s);
        return true;
    }
    if (!rules->relay) {
        s->ending = HY_ENDING_OCCUPIED;
        return true;
    }
    return false;
}

void naive_sow(const hy_rules *rules, const uint16_t *before, unsigned hole, hy_player mover,
               uint64_t max_laps, naive_sowing *sowing)
{
    states set = {0};
    naive_sowing undone = {.ending = HY_ENDING_UNRESOLVED};
    uint64_t first;
    memcpy(undone.after, before, sizeof undone.after);
    *sowing = undone;
    recurs(&set, sowing->after, hole, 0, &first);
    for (;;) {
        if (sowing->laps == max_laps) {
            *sowing = undone;
            break;
        }
        lap(rules, mover, &hole, sowing);
        if (ends(rules, mover, hole, sowing))
            break;
        if (recurs(&set, sowing->after, hole, sowing->laps, &first)) {
            undone.ending = HY_ENDING_ENDLESS;
            undone.recurrence = sowing->laps;
            undone.period = sowing->laps - first;
            *sowing = undone;
            break;
        }
    }
    free(set.entries);
}

bool naive_agrees(const naive_sowing *naive, const hy_sowing *sowing,
                  const uint16_t after[HY_MAX_BOARD])
{
    return naive->ending == sowing->ending && naive->casas == sowing->casas &&
           naive->en_passant[HY_SOUTH] == sowing->en_passant[HY_SOUTH] &&
           naive->en_passant[HY_NORTH] == sowing->en_passant[HY_NORTH] &&
           naive->laps == sowing->laps && naive->counters == sowing->counters &&
           memcmp(naive->after, after, sizeof naive->after) == 0;
}
