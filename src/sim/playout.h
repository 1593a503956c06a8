/* Whole games of random play, fast: the same games as hy_table_play gives by its general steps, for
 * the variants and policies that hy_playout_handles. Tests hold the two against each other. */
#ifndef HY_SIM_PLAYOUT_H
#define HY_SIM_PLAYOUT_H

#include "sim/game.h"

/* Whether both policies are uniform, and the variant fits bytes and needs neither a history nor
 * trial sowings: at most 255 counters, no `skip_origin`, `en_passant`, `repetition` or
 * `endless: forbid`. */
bool hy_playout_handles(const hy_condition *condition);

/* As hy_table_play. */
HY_MUST_CHECK hy_status hy_playout_play(const hy_condition *condition, uint64_t seed,
                                        uint64_t number, hy_hole_list *holes,
                                        hy_game_record *record, hy_error *error);

#endif
