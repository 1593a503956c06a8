/* What endgame tables are made of. Private to src/solve, and to its tests. */
#ifndef HY_SOLVE_TABLES_H
#define HY_SOLVE_TABLES_H

#include <stddef.h>

#include "solve/endgame.h"
#include "solve/index.h"

/* The table of one number of counters. */
typedef struct hy_layer {
    unsigned counters;
    uint64_t num;         /* positions */
    const int8_t *values; /* in units, by place; NULL: not there */
    void *map;            /* what is to be unmapped; `values` points into it */
    size_t map_size;
} hy_layer;

struct hy_endgame {
    hy_rules rules;
    int unit;       /* counters: every value is a multiple of it */
    unsigned first; /* counters of the smallest layer; each next one has `casa` more */
    unsigned num_layers;
    hy_index index; /* for the largest layer that there is room for */
    hy_layer *layers;
    unsigned max_layers;
};

/* Tables without layers, with room for all of at most `max_counters` counters. */
HY_MUST_CHECK hy_status hy_endgame_new(const hy_rules *rules, unsigned max_counters,
                                       hy_endgame **endgame, hy_error *error);

/* The counters of a layer that is there or that there is room for. */
static inline unsigned hy_layer_counters(const hy_endgame *endgame, unsigned layer)
{
    return endgame->first + layer * endgame->rules.casa;
}

/* The layer of so many counters, which has to be there. */
static inline const hy_layer *hy_endgame_layer(const hy_endgame *endgame, unsigned counters)
{
    return &endgame->layers[(counters - endgame->first) / endgame->rules.casa];
}

/* Memory that can be used at random places: zeroed, in large pages where the system has them.
 * Released by munmap. NULL where it is refused. */
void *hy_map_memory(size_t size);

/* The board with the mover's row first, as bytes, which have to hold its counters. */
static inline void hy_turn_to_mover(const hy_rules *rules, const uint16_t *board, hy_player mover,
                                    uint8_t *turned)
{
    unsigned size = 2u * rules->holes, from = mover == HY_SOUTH ? 0 : rules->holes;
    for (unsigned i = 0; i < size; i++) {
        turned[i] = (uint8_t)board[from];
        from = from + 1 < size ? from + 1 : 0;
    }
}

/* The position of a turned board, south to move. */
hy_position hy_position_of_turned(const hy_rules *rules, const uint8_t *turned);

/* What a hole of a position leads to. */
typedef enum hy_option_kind {
    HY_OPTION_ILLEGAL,    /* endless, and forbidden */
    HY_OPTION_ENDS,       /* the game ends, or goes on in a smaller layer: `value` */
    HY_OPTION_STAYS,      /* `after` has as many counters, and the other player is to move */
    HY_OPTION_UNRESOLVED, /* nobody knows */
} hy_option_kind;

typedef struct hy_option {
    hy_option_kind kind;
    int value; /* to the player who chose the hole, in counters */
    hy_position after;
} hy_option;

/* Plays a filled hole of the mover; smaller layers have to be there. */
void hy_option_of(const hy_endgame *endgame, const hy_position *position, unsigned hole,
                  uint64_t max_laps, hy_option *option);

#endif
