/* One lap of every game, and the casas that it takes. Private to src/policy; for lanes_engine.h. */
#ifndef HY_POLICY_LANES_LAP_H
#define HY_POLICY_LANES_LAP_H

#include "policy/lanes_state.h"

/* Where laps ended. */
typedef struct hy_landing {
    hy_counts hole;
    hy_counts count; /* what it holds now */
} hy_landing;

/* Takes the casas that counters which are not final have made at `hole`; returns what it holds. */
INLINE hy_counts take_en_passant(hy_lanes *lanes, const hy_lanes_terms *terms, unsigned hole,
                                 hy_mask sown, hy_mask north, hy_counts held)
{
    hy_counts *by_south = &lanes->columns[HY_COLUMN_TAKEN_BY_SOUTH];
    hy_counts *by_north = &lanes->columns[HY_COLUMN_TAKEN_BY_NORTH];
    hy_mask taken = both(sown, same(held, all(lanes->rules->casa)));
    hy_mask nobody = differ(taken, taken), to_south = nobody, to_north = nobody;
    bool of_south = hole < terms->holes;
    if (terms->en_passant == HY_EN_PASSANT_SOWER) {
        bool own = lanes->rules->capture_side != HY_SIDE_OPPONENT;
        bool other = lanes->rules->capture_side != HY_SIDE_OWN;
        if (of_south ? own : other)
            to_south = but_not(taken, north);
        if (of_south ? other : own)
            to_north = both(taken, north);
    } else if (of_south) {
        to_south = taken;
    } else {
        to_north = taken;
    }
    *by_south = add_where(to_south, *by_south, all(1));
    *by_north = add_where(to_north, *by_north, all(1));
    return subtract_where(either(to_south, to_north), held, held);
}

/* Adds to every hole its counters of one round of the lap. `low` and `high` are hole −1 − origin
 * modulo 256, and `size` more: the smaller one is the distance of the hole from the one after the
 * origin, whichever side of it the hole is on. */
INLINE hy_counts sow_round(hy_lanes *lanes, const hy_lanes_terms *terms, hy_counts origin,
                           hy_counts reach, hy_counts target, bool first)
{
    hy_counts low = all(0) - all(1) - origin, high = low + (hy_count)terms->size, count = all(0);
    hy_counts at_origin = all(terms->size - 1);
    hy_mask north = filled(lanes->columns[HY_COLUMN_MOVER]);
    for (unsigned hole = 0; hole < terms->size; hole++) {
        hy_counts distance = smaller(low, high), held = lanes->board[hole];
        if (first)
            held = only_where(but_not(same(held, held), same(distance, at_origin)), held);
        hy_mask sown = less(distance, reach), is_final = same(distance, target);
        held = add_where(sown, held, all(1));
        if (terms->en_passant != HY_EN_PASSANT_NONE)
            held = take_en_passant(lanes, terms, hole, but_not(sown, is_final), north, held);
        lanes->board[hole] = held;
        count |= only_where(is_final, held);
        low += (hy_count)1;
        high += (hy_count)1;
    }
    return count;
}

/* One lap of every game. */
INLINE hy_landing sow_lap(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    hy_counts origin = lanes->columns[HY_COLUMN_HOLE], rest = lanes->columns[HY_COLUMN_HAND];
    hy_counts last = rest, round = all(terms->round), none = all(0) - all(1);
    hy_mask longer = less(round, rest);
    hy_counts count = sow_round(lanes, terms, origin, smaller(rest, round),
                                choose_where(longer, none, rest - all(1)), true);
    while (__builtin_expect(bits_of(longer) != 0, 0)) {
        rest = only_where(longer, rest - round);
        last = choose_where(longer, rest, last);
        longer = less(round, rest);
        count |= sow_round(lanes, terms, origin, smaller(rest, round),
                           choose_where(longer, none, rest - all(1)), false);
    }
    hy_counts hole = origin + last;
    return (hy_landing){.hole = smaller(hole, hole - (hy_count)terms->size), .count = count};
}

/* The lanes whose mover may capture in a hole of south's (or north's) row. */
INLINE hy_mask may_capture(const hy_lanes *lanes, hy_mask north, bool in_south)
{
    hy_mask everyone = same(all(0), all(0));
    if (lanes->rules->capture_side == HY_SIDE_ANY)
        return everyone;
    bool of_south = (lanes->rules->capture_side == HY_SIDE_OWN) == in_south;
    return of_south ? but_not(everyone, north) : north;
}

/* Takes the casas at the landing holes of the lanes in `hit`, and the chains before them; returns
 * how many counters each gives. */
INLINE hy_counts take_casas(hy_lanes *lanes, const hy_lanes_terms *terms, hy_mask hit,
                            hy_counts landing, hy_mask in_south, hy_mask in_north)
{
    hy_counts casa = all(terms->casa), gain = all(0), hole_number = all(terms->size - 1);
    hy_counts start = choose_where(hit, landing, all(0) - all(1));
    bool chains = lanes->rules->chain_capture;
    hy_mask chain = differ(hit, hit);
    for (unsigned hole = terms->size; hole-- > 0;) {
        hy_counts held = lanes->board[hole];
        if (chains)
            chain = both(chain, same(held, casa));
        else
            chain = differ(chain, chain);
        if (terms->one_sided)
            chain = both(chain, hole < terms->holes ? in_south : in_north);
        chain = either(chain, same(start, hole_number));
        lanes->board[hole] = subtract_where(chain, held, held);
        gain = add_where(chain, gain, casa);
        hole_number -= (hy_count)1;
    }
    for (unsigned hole = terms->size; chains && hole-- > 0 && bits_of(chain) != 0;) {
        hy_counts held = lanes->board[hole];
        chain = both(chain, same(held, casa));
        if (terms->one_sided)
            chain = both(chain, hole < terms->holes ? in_south : in_north);
        lanes->board[hole] = subtract_where(chain, held, held);
        gain = add_where(chain, gain, casa);
    }
    return gain;
}

#endif
