#include "support/exhaustive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_LAPS 100000
#define MAX_CHILDREN 4
#define NUM_PLACES 65536u /* of the hash table; a power of two */

struct exhaustive_entry {
    hy_position position;
    exhaustive_value value;
    unsigned num_children;
    size_t children[MAX_CHILDREN];       /* SIZE_MAX: the game is over there … */
    exhaustive_value ends[MAX_CHILDREN]; /* … with this value */
    size_t next;                         /* of the same hash; SIZE_MAX: none */
};

/* The first of each hash lies beside the list, at its end. */
static size_t *places_of(const exhaustive *all)
{
    return (size_t *)(void *)(all->entries + all->capacity);
}

bool exhaustive_is_decided(const hy_rules *rules, const hy_position *position)
{
    int lead = (int)position->score[HY_SOUTH] - (int)position->score[HY_NORTH];
    return rules->unfinished == HY_UNFINISHED_SCORE && abs(lead) > position->left;
}

static exhaustive_value value_of(hy_result result)
{
    uint8_t value = result == HY_RESULT_SOUTH ? 2 : result == HY_RESULT_NORTH ? 0 : 1;
    return (exhaustive_value){value, value};
}

void exhaustive_play(const hy_rules *rules, const hy_position *position, unsigned hole,
                     exhaustive_state *after)
{
    hy_ply ply;
    hy_moves moves;
    uint32_t passes = 0;
    hy_ply_play(rules, position, hole, MAX_LAPS, &after->position, &ply);
    after->termination = ply.termination;
    if (ply.termination == HY_GOES_ON)
        after->termination = hy_settle(rules, MAX_LAPS, &after->position, &moves, &passes);
    after->over = after->termination != HY_GOES_ON;
    after->value = (exhaustive_value){0, 2};
    if (after->over)
        after->value = value_of(hy_game_result(rules, &after->position, after->termination));
    else if (exhaustive_is_decided(rules, &after->position)) {
        after->over = true;
        after->value = value_of(after->position.score[HY_SOUTH] > after->position.score[HY_NORTH]
                                    ? HY_RESULT_SOUTH
                                    : HY_RESULT_NORTH);
    }
}

static size_t hash_of(const hy_position *position)
{
    uint64_t hash = position->mover + 2u * position->score[HY_SOUTH];
    for (unsigned i = 0; i < 8; i++)
        hash = hash * 31 + position->board[i];
    return (size_t)(hash * 0x9e3779b97f4a7c15u >> 48);
}

static bool is_same(const hy_position *a, const hy_position *b)
{
    return a->mover == b->mover && a->score[0] == b->score[0] && a->score[1] == b->score[1] &&
           memcmp(a->board, b->board, sizeof a->board) == 0;
}

static size_t find(const exhaustive *all, const hy_position *position)
{
    size_t i = places_of(all)[hash_of(position)];
    while (i != SIZE_MAX && !is_same(&all->entries[i].position, position))
        i = all->entries[i].next;
    return i;
}

static size_t find_or_add(exhaustive *all, const hy_position *position)
{
    size_t found = find(all, position), *place = &places_of(all)[hash_of(position)];
    if (found != SIZE_MAX)
        return found;
    assert_true(all->num < all->capacity);
    all->entries[all->num] =
        (exhaustive_entry){.position = *position, .value = {0, 2}, .next = *place};
    *place = all->num;
    return all->num++;
}

static void add_children(exhaustive *all, size_t index)
{
    hy_moves moves;
    hy_legal_moves(all->rules, &all->entries[index].position, MAX_LAPS, &moves);
    assert_true(moves.num > 0 && moves.num <= MAX_CHILDREN);
    for (unsigned i = 0; i < moves.num; i++) {
        exhaustive_state after;
        exhaustive_play(all->rules, &all->entries[index].position, moves.hole[i], &after);
        size_t child = after.over ? SIZE_MAX : find_or_add(all, &after.position);
        exhaustive_entry *entry = &all->entries[index];
        entry->children[i] = child;
        entry->ends[i] = after.value;
    }
    all->entries[index].num_children = moves.num;
}

/* The player to move takes the best; whether anything changed. */
static bool narrow(exhaustive *all, exhaustive_entry *entry)
{
    bool south = entry->position.mover == HY_SOUTH;
    exhaustive_value best = south ? (exhaustive_value){0, 0} : (exhaustive_value){2, 2};
    for (unsigned i = 0; i < entry->num_children; i++) {
        exhaustive_value value = entry->ends[i];
        if (entry->children[i] != SIZE_MAX)
            value = all->entries[entry->children[i]].value;
        if (south ? value.low > best.low : value.low < best.low)
            best.low = value.low;
        if (south ? value.high > best.high : value.high < best.high)
            best.high = value.high;
    }
    bool changed = best.low != entry->value.low || best.high != entry->value.high;
    entry->value = best;
    return changed;
}

void exhaustive_init(exhaustive *all, const hy_rules *rules, const hy_position *position)
{
    bool changed = true;
    *all = (exhaustive){.rules = rules, .capacity = 50000};
    all->entries = malloc(all->capacity * sizeof all->entries[0] + NUM_PLACES * sizeof(size_t));
    assert_non_null(all->entries);
    memset(places_of(all), 0xff, NUM_PLACES * sizeof(size_t));
    find_or_add(all, position);
    for (size_t i = 0; i < all->num; i++)
        add_children(all, i);
    while (changed) {
        changed = false;
        for (size_t i = all->num; i-- > 0;)
            changed |= narrow(all, &all->entries[i]);
    }
}

void exhaustive_clean_up(exhaustive *all)
{
    free(all->entries);
}

exhaustive_value exhaustive_find(const exhaustive *all, const hy_position *position)
{
    size_t found = find(all, position);
    assert_true(found != SIZE_MAX);
    return all->entries[found].value;
}
