/* Random play from any position to the end, fast: the same games as the steps of rules/ply.h give
 * with the same draws. Tests hold the two against each other. */
#ifndef HY_POLICY_PLAYOUT_H
#define HY_POLICY_PLAYOUT_H

#include <stddef.h>

#include "random/stream.h"
#include "rules/game_record.h"

/* The holes of a game as they are played; the caller's storage, zeroed before first use. */
typedef struct hy_hole_list {
    uint8_t *holes;
    size_t num;
    size_t capacity;
} hy_hole_list;

HY_MUST_CHECK hy_status hy_hole_list_add(hy_hole_list *holes, unsigned hole, hy_error *error);

/* Adds all of `others`. */
HY_MUST_CHECK hy_status hy_hole_list_join(hy_hole_list *holes, const hy_hole_list *others,
                                          hy_error *error);

/* By what a playout is played. */
typedef struct hy_playout_terms {
    const hy_rules *rules;
    uint64_t max_laps;
    uint32_t max_plies;     /* the playout is truncated where it is not over by then … */
    bool until_decided;     /* … or after a capture that leaves less than one player leads by */
    uint32_t opening_plies; /* the first ones draw from the stream of the opening */
} hy_playout_terms;

/* Whether the position fits bytes, and the variant needs neither a history nor trial sowings: at
 * most 255 counters on the board, no `skip_origin`, `en_passant`, `repetition` or `endless:
 * forbid`. */
bool hy_playout_handles(const hy_rules *rules, const hy_position *start);

/* Plays from `start`, before step (g), with the streams of south, north and the opening, which may
 * be one and the same; nothing is drawn where there is one legal hole, and one number too many
 * where max_plies is met. `holes`, unless NULL, receives the holes played, and can fail for want of
 * memory; nothing else fails. The record counts from `start`, whose scores it carries on; its
 * number is 0. */
HY_MUST_CHECK hy_status hy_playout_play(const hy_playout_terms *terms, const hy_position *start,
                                        hy_stream *const streams[3], hy_hole_list *holes,
                                        hy_game_record *record, hy_error *error);

#endif
