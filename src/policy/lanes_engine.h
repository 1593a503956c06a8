/* The step of policy/lanes.h, for vectors of any width. Private to src/policy; included by the
 * files lanes_*.c, each of which is a path. */
#ifndef HY_POLICY_LANES_ENGINE_H
#define HY_POLICY_LANES_ENGINE_H

#include "policy/lanes_lap.h"
#include "policy/lanes_long.h"

static void count_chains(hy_lanes *lanes, uint64_t bits, uint64_t north, hy_counts gain)
{
    for (; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        unsigned length = (unsigned)gain[lane] / lanes->rules->casa - 1;
        hy_lane_game *game = &lanes->games[lane];
        game->chains++;
        game->south_chains += !(north >> lane & 1);
        game->chain_count[length]++;
        if (length > game->longest_chain)
            game->longest_chain = length;
    }
}

/* Books who leads in the lanes where something was won. */
INLINE void note_lead(hy_lanes *lanes, hy_mask where)
{
    hy_counts *columns = lanes->columns;
    hy_counts south = columns[HY_COLUMN_SOUTH_SCORE], north = columns[HY_COLUMN_NORTH_SCORE];
    hy_mask south_leads = both(where, less(north, south));
    hy_mask north_leads = both(where, less(south, north));
    hy_mask south_led = filled(columns[HY_COLUMN_SOUTH_LEADS]);
    hy_mask north_led = filled(columns[HY_COLUMN_NORTH_LEADS]);
    hy_mask changed = either(both(south_leads, north_led), both(north_leads, south_led));
    columns[HY_COLUMN_LEAD_CHANGES] = add_where(changed, columns[HY_COLUMN_LEAD_CHANGES], all(1));
    columns[HY_COLUMN_SOUTH_LEADS] =
        ones_where(either(south_leads, but_not(south_led, north_leads)));
    columns[HY_COLUMN_NORTH_LEADS] =
        ones_where(either(north_leads, but_not(north_led, south_leads)));
}

INLINE void clear_where(hy_mask mask, hy_counts *column)
{
    *column = subtract_where(mask, *column, *column);
}

/* Counters won in a ply. */
typedef struct hy_gains {
    hy_counts south, north;
} hy_gains;

/* Takes the casas of the final counters in `hit` and what was taken en passant: step (b). */
INLINE hy_gains take_gains(hy_lanes *lanes, const hy_lanes_terms *terms, hy_mask ended, hy_mask hit,
                           hy_counts landing)
{
    hy_counts *columns = lanes->columns;
    hy_mask north = filled(columns[HY_COLUMN_MOVER]);
    hy_mask in_south = may_capture(lanes, north, true), in_north = may_capture(lanes, north, false);
    hy_counts gain = take_casas(lanes, terms, hit, landing, in_south, in_north);
    uint64_t chains = bits_of(less(all(terms->casa), gain));
    if (chains)
        count_chains(lanes, chains, bits_of(north), gain);
    hy_gains gains = {only_where(but_not(hit, north), gain), only_where(both(hit, north), gain)};
    if (terms->en_passant != HY_EN_PASSANT_NONE) {
        hy_count casa = lanes->rules->casa;
        gains.south += only_where(ended, columns[HY_COLUMN_TAKEN_BY_SOUTH] * casa);
        gains.north += only_where(ended, columns[HY_COLUMN_TAKEN_BY_NORTH] * casa);
        clear_where(ended, &columns[HY_COLUMN_TAKEN_BY_SOUTH]);
        clear_where(ended, &columns[HY_COLUMN_TAKEN_BY_NORTH]);
    }
    return gains;
}

/* The claims, in the lanes where something was captured: step (d). Returns the lanes that claim. */
INLINE hy_mask claim(hy_lanes *lanes, hy_mask captured, hy_mask north)
{
    const hy_rules *rules = lanes->rules;
    hy_counts *columns = lanes->columns, left = columns[HY_COLUMN_LEFT];
    hy_mask few = but_not(both(captured, filled(left)), less(all(rules->claim), left));
    hy_counts claimed = only_where(few, left);
    hy_mask by_south = rules->claim_by == HY_CLAIM_STARTER ? few : but_not(few, north);
    columns[HY_COLUMN_CLAIMED] += claimed;
    columns[HY_COLUMN_SOUTH_SCORE] += only_where(by_south, claimed);
    columns[HY_COLUMN_NORTH_SCORE] += only_where(but_not(few, by_south), claimed);
    columns[HY_COLUMN_LEFT] = left - claimed;
    return few;
}

/* Steps (b) to (f) for the sowings that ended. Returns the lanes in which something was captured
 * and the game goes on; `ended` are those that are to choose then. */
INLINE hy_mask end_ply(hy_lanes *lanes, const hy_lanes_terms *terms, hy_mask ended, hy_mask hit,
                       hy_counts landing)
{
    const hy_rules *rules = lanes->rules;
    hy_counts *columns = lanes->columns;
    hy_mask north = filled(columns[HY_COLUMN_MOVER]);
    hy_gains gains = take_gains(lanes, terms, ended, hit, landing);
    hy_counts won = gains.south + gains.north;
    hy_mask captured = filled(won);
    hy_mask by_sower =
        either(but_not(filled(gains.south), north), both(filled(gains.north), north));
    columns[HY_COLUMN_CAPTURES] = add_where(captured, columns[HY_COLUMN_CAPTURES], all(1));
    columns[HY_COLUMN_SOUTH_CAPTURES] =
        add_where(but_not(captured, north), columns[HY_COLUMN_SOUTH_CAPTURES], all(1));
    columns[HY_COLUMN_CAPTURED] += won;
    columns[HY_COLUMN_LEFT] -= won;
    columns[HY_COLUMN_SOUTH_SCORE] += gains.south;
    columns[HY_COLUMN_NORTH_SCORE] += gains.north;
    hy_mask few = claim(lanes, captured, north);
    hy_mask poor = but_not(both(captured, less(columns[HY_COLUMN_LEFT], all(rules->casa))), few);
    hy_mask over = either(few, poor);
    hy_mask passed_on = rules->extra_turn ? but_not(ended, by_sower) : ended;
    columns[HY_COLUMN_MOVER] = ones_where(differ(north, passed_on));
    clear_where(passed_on, &columns[HY_COLUMN_TURN_LENGTH]);
    clear_where(ended, &columns[HY_COLUMN_SOWING_LAPS]);
    clear_where(ended, &columns[HY_COLUMN_SOWING_LOW]);
    clear_where(ended, &columns[HY_COLUMN_SOWING_HIGH]);
    /* A sweep belongs to the ply before it, so that the lead is noted after it. */
    note_lead(lanes, rules->no_move == HY_NO_MOVE_SWEEP ? over : captured);
    uint64_t few_bits = bits_of(few), poor_bits = bits_of(poor);
    if (few_bits)
        finish(lanes, few_bits, HY_CLAIMED);
    if (poor_bits)
        finish(lanes, poor_bits, HY_EXHAUSTED);
    return but_not(captured, over);
}

/* The mover's row: what its holes hold, and how many of them are filled up to each. */
typedef struct hy_row {
    hy_counts held[HY_MAX_HOLES];
    hy_counts running[HY_MAX_HOLES];
} hy_row;

INLINE void read_row(const hy_lanes *lanes, const hy_lanes_terms *terms, hy_row *row)
{
    hy_mask north = filled(lanes->columns[HY_COLUMN_MOVER]);
    hy_counts running = all(0);
    for (unsigned i = 0; i < terms->holes; i++) {
        hy_counts held = choose_where(north, lanes->board[i + terms->holes], lanes->board[i]);
        running = add_where(filled(held), running, all(1));
        row->held[i] = held;
        row->running[i] = running;
    }
}

/* Step (g) where a mover has no hole: returns the lanes that were swept. */
INLINE hy_mask no_move(hy_lanes *lanes, const hy_lanes_terms *terms, hy_mask stuck, hy_row *row)
{
    hy_counts *columns = lanes->columns;
    hy_mask north = filled(columns[HY_COLUMN_MOVER]);
    clear_where(stuck, &columns[HY_COLUMN_TURN_LENGTH]);
    if (lanes->rules->no_move == HY_NO_MOVE_SWEEP) {
        hy_counts left = columns[HY_COLUMN_LEFT];
        columns[HY_COLUMN_SOUTH_SCORE] += only_where(both(stuck, north), left);
        columns[HY_COLUMN_NORTH_SCORE] += only_where(but_not(stuck, north), left);
        columns[HY_COLUMN_LEFT] = subtract_where(stuck, left, left);
        return stuck;
    }
    columns[HY_COLUMN_MOVER] = ones_where(differ(north, stuck));
    columns[HY_COLUMN_PASSES] = add_where(stuck, columns[HY_COLUMN_PASSES], all(1));
    read_row(lanes, terms, row);
    return differ(stuck, stuck);
}

/* Steps FNV-1a in these lanes. */
INLINE void hash_holes(hy_lanes *lanes, hy_mask where, hy_counts holes)
{
    hy_count numbers[LANES] __attribute__((aligned(64)));
    memcpy(numbers, &holes, sizeof numbers);
    hy_wide_masks masks = widen_mask(where);
    for (unsigned i = 0; i < LANES / NUM_HASHES; i++) {
        hy_hashes hash = (lanes->hashes[i] ^ widen(numbers + i * NUM_HASHES)) * 0x00000100000001b3u;
        lanes->hashes[i] = choose_hashes(&masks, i, hash, lanes->hashes[i]);
    }
}

COLD void keep_holes(hy_lanes *lanes, uint64_t bits)
{
    for (; bits && lanes->status == HY_OK; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        lanes->status = hy_hole_list_add(&lanes->games[lane].holes,
                                         lanes->columns[HY_COLUMN_HOLE][lane], lanes->error);
    }
}

/* Counts the ply that begins in these lanes. */
INLINE void count_ply(hy_lanes *lanes, hy_mask playing, hy_counts num)
{
    hy_counts *columns = lanes->columns;
    hy_counts legal = columns[HY_COLUMN_LEGAL_LOW] + only_where(playing, num);
    columns[HY_COLUMN_LEGAL_HIGH] =
        add_where(less(legal, columns[HY_COLUMN_LEGAL_LOW]), columns[HY_COLUMN_LEGAL_HIGH], all(1));
    columns[HY_COLUMN_LEGAL_LOW] = legal;
    columns[HY_COLUMN_DECISIONS] =
        add_where(both(playing, less(all(1), num)), columns[HY_COLUMN_DECISIONS], all(1));
    columns[HY_COLUMN_PLIES_LEFT] = subtract_where(playing, columns[HY_COLUMN_PLIES_LEFT], all(1));
    hy_counts turn = columns[HY_COLUMN_TURN_LENGTH];
    columns[HY_COLUMN_TURNS] =
        add_where(but_not(playing, filled(turn)), columns[HY_COLUMN_TURNS], all(1));
    turn = add_where(playing, turn, all(1));
    columns[HY_COLUMN_TURN_LENGTH] = turn;
    columns[HY_COLUMN_LONGEST_TURN] = larger(turn, columns[HY_COLUMN_LONGEST_TURN]);
}

/* Chooses a hole in these lanes; returns those whose game was over before. */
INLINE hy_mask choose(hy_lanes *lanes, const hy_lanes_terms *terms, hy_mask choosing,
                      hy_mask captured)
{
    hy_counts *columns = lanes->columns;
    hy_row row;
    read_row(lanes, terms, &row);
    hy_mask stuck = but_not(choosing, filled(row.running[terms->holes - 1]));
    hy_mask swept = differ(stuck, stuck);
    if (__builtin_expect(bits_of(stuck) != 0, 0))
        swept = no_move(lanes, terms, stuck, &row);
    if (lanes->rules->no_move == HY_NO_MOVE_SWEEP)
        note_lead(lanes, either(captured, swept));
    hy_mask cut = but_not(but_not(choosing, swept), filled(columns[HY_COLUMN_PLIES_LEFT]));
    hy_mask playing = but_not(choosing, either(swept, cut));
    hy_counts num = row.running[terms->holes - 1], hole = all(0), hand = all(0);
    hy_mask opening = filled(columns[HY_COLUMN_OPENING_LEFT]);
    hy_mask north = filled(columns[HY_COLUMN_MOVER]);
    hy_counts index = draw(&lanes->random, both(playing, less(all(1), num)), north, opening, num);
    columns[HY_COLUMN_OPENING_LEFT] =
        subtract_where(both(playing, opening), columns[HY_COLUMN_OPENING_LEFT], all(1));
    for (unsigned i = 0; i < terms->holes; i++) {
        hy_mask not_above = but_not(playing, less(index, row.running[i]));
        hole = add_where(not_above, hole, all(1));
    }
    for (unsigned i = 0; i < terms->holes; i++)
        hand |= only_where(same(hole, all(i)), row.held[i]);
    hole = add_where(north, hole, all(terms->holes));
    columns[HY_COLUMN_HOLE] = choose_where(playing, hole, columns[HY_COLUMN_HOLE]);
    columns[HY_COLUMN_HAND] = choose_where(playing, hand, columns[HY_COLUMN_HAND]);
    count_ply(lanes, playing, num);
    hash_holes(lanes, playing, hole);
    if (lanes->job->keep_holes)
        keep_holes(lanes, bits_of(playing));
    uint64_t over = bits_of(either(swept, cut));
    if (__builtin_expect(over == 0, 1))
        return swept;
    finish(lanes, bits_of(swept), HY_SWEPT);
    finish(lanes, bits_of(cut), HY_TRUNCATED);
    return mask_of_bits(over & lanes->playing);
}

/* One lap of every game, and all that follows. */
INLINE void step(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    hy_counts *columns = lanes->columns;
    hy_counts hand = columns[HY_COLUMN_HAND];
    hy_landing landing = sow_lap(lanes, terms);
    hy_counts dropped = columns[HY_COLUMN_COUNTERS_LOW] + hand;
    columns[HY_COLUMN_COUNTERS_HIGH] =
        add_where(less(dropped, hand), columns[HY_COLUMN_COUNTERS_HIGH], all(1));
    columns[HY_COLUMN_COUNTERS_LOW] = dropped;
    dropped = columns[HY_COLUMN_SOWING_LOW] + hand;
    columns[HY_COLUMN_SOWING_HIGH] =
        add_where(less(dropped, hand), columns[HY_COLUMN_SOWING_HIGH], all(1));
    columns[HY_COLUMN_SOWING_LOW] = dropped;
    hy_counts laps = columns[HY_COLUMN_SOWING_LAPS] + (hy_count)1;
    columns[HY_COLUMN_SOWING_LAPS] = laps;
    lanes->step++;
    hy_mask hit = same(landing.count, all(terms->casa));
    if (terms->casa == 0)
        hit = differ(hit, hit);
    if (terms->one_sided) {
        hy_mask north = filled(columns[HY_COLUMN_MOVER]);
        hy_mask south_hole = less(landing.hole, all(terms->holes));
        hit = both(hit, either(both(south_hole, may_capture(lanes, north, true)),
                               but_not(may_capture(lanes, north, false), south_hole)));
    }
    hy_mask ended = either(hit, same(landing.count, all(1)));
    if (!terms->relay) {
        ended = mask_of_bits(lanes->playing);
        hit = both(hit, ended);
    }
    columns[HY_COLUMN_HOLE] = landing.hole;
    columns[HY_COLUMN_HAND] = landing.count;
    hy_mask captured = end_ply(lanes, terms, ended, hit, landing.hole), choosing = ended;
    uint64_t gone = bits_of(but_not(less(all(HY_LANES_SOWING_LAPS - 1), laps), ended));
    if (__builtin_expect((gone & lanes->playing) != 0, 0))
        choosing = either(choosing, mask_of_bits(look_after_long(lanes, gone & lanes->playing)));
    if (__builtin_expect(lanes->exhausted, 0))
        choosing = both(choosing, mask_of_bits(lanes->playing));
    do {
        choosing = choose(lanes, terms, choosing, captured);
        captured = differ(captured, captured);
    } while (__builtin_expect(bits_of(choosing) != 0, 0));
}

INLINE uint32_t taken(hy_count *from, unsigned lane)
{
    uint32_t value = from[lane];
    from[lane] = 0;
    return value;
}

/* Empties the columns that would overflow. */
static void empty_columns(hy_lanes *lanes)
{
    hy_count *columns[HY_NUM_COLUMNS];
    const unsigned carry = 1u << 8 * sizeof(hy_count);
    for (unsigned i = 0; i < HY_NUM_COLUMNS; i++)
        columns[i] = (hy_count *)&lanes->columns[i];
    for (uint64_t bits = lanes->playing; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        hy_lane_game *game = &lanes->games[lane];
        game->turns += taken(columns[HY_COLUMN_TURNS], lane);
        game->passes += taken(columns[HY_COLUMN_PASSES], lane);
        game->decision_plies += taken(columns[HY_COLUMN_DECISIONS], lane);
        game->legal_holes += taken(columns[HY_COLUMN_LEGAL_LOW], lane);
        game->legal_holes += taken(columns[HY_COLUMN_LEGAL_HIGH], lane) * carry;
        game->counters += taken(columns[HY_COLUMN_COUNTERS_LOW], lane);
        game->counters += taken(columns[HY_COLUMN_COUNTERS_HIGH], lane) * carry;
        game->plies += game->granted - columns[HY_COLUMN_PLIES_LEFT][lane];
        uint32_t left = lanes->terms->max_plies - game->plies;
        game->granted = left < HY_LANES_GRANT ? left : HY_LANES_GRANT;
        columns[HY_COLUMN_PLIES_LEFT][lane] = (hy_count)game->granted;
    }
}

INLINE void run(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    const hy_lanes_client *client = &lanes->job->client;
    uint64_t everyone = LANES == 64 ? ~(uint64_t)0 : ((uint64_t)1 << LANES % 64) - 1;
    for (unsigned lane = 0; lane < LANES; lane++)
        begin(lanes, lane);
    hy_mask choosing = mask_of_bits(everyone & lanes->playing);
    do
        choosing = choose(lanes, terms, choosing, differ(choosing, choosing));
    while (bits_of(choosing) != 0);
    while (lanes->playing != 0 && lanes->status == HY_OK) {
        for (unsigned i = 0; i < HY_LANES_ROUND && lanes->playing != 0; i++)
            step(lanes, terms);
        empty_columns(lanes);
        if (client->stopped(client->context))
            return;
    }
    while (lanes->proofs.num > 0 && lanes->status == HY_OK) {
        prove_some(lanes);
        if (client->stopped(client->context))
            return;
    }
}

#endif
