/* The step of policy/lanes.h, for vectors of any width. Private to src/policy; included by the
 * files lanes_*.c, each of which is a path. */
#ifndef HY_POLICY_LANES_ENGINE_H
#define HY_POLICY_LANES_ENGINE_H

#include <stdlib.h>

#include "base/hash.h"
#include "policy/lanes_game.h"
#include "policy/lanes_random.h"
#include "policy/lanes_vector.h"
#include "rules/sowing_laps.h"

#define COLD static __attribute__((noinline, cold))

/* What is fixed for a run. Where a path is made for one value of a field, that value stands here as
 * a constant. */
typedef struct hy_lanes_terms {
    unsigned holes, size;
    unsigned round; /* counters of a lap that goes round once */
    unsigned casa;  /* as far as the final counter captures; else 0, which nothing makes */
    bool one_sided; /* `capture_side` is not any */
    hy_en_passant en_passant;
    bool relay;
} hy_lanes_terms;

/* The games in progress. */
typedef struct hy_lanes {
    hy_counts board[HY_MAX_BOARD];
    hy_counts columns[HY_NUM_COLUMNS];
    hy_hashes hashes[LANES / NUM_HASHES];
    hy_lanes_random random;
    hy_lane_game games[LANES];
    hy_lane_proofs proofs;
    uint64_t playing; /* bits */
    uint64_t step;
    bool exhausted; /* there is no next game */
    hy_status status;
    hy_error *error;
    const hy_lanes_job *job;
    const hy_playout_terms *terms;
    const hy_rules *rules;
    hy_lane_image beginning;
    hy_game_record record; /* of the game that ended last */
} hy_lanes;

/* Where laps ended. */
typedef struct hy_landing {
    hy_counts hole;
    hy_counts count; /* what it holds now */
} hy_landing;

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
        if (terms->en_passant != HY_EN_PASSANT_NONE) {
            hy_mask taken = but_not(both(sown, same(held, all(lanes->rules->casa))), is_final);
            bool to_south = hole < terms->holes;
            if (terms->en_passant == HY_EN_PASSANT_SOWER) {
                bool own = lanes->rules->capture_side != HY_SIDE_OPPONENT;
                bool other = lanes->rules->capture_side != HY_SIDE_OWN;
                hy_mask by_north = both(taken, north), by_south = but_not(taken, north);
                if (!(to_south ? own : other))
                    by_south = differ(by_south, by_south);
                if (!(to_south ? other : own))
                    by_north = differ(by_north, by_north);
                lanes->columns[HY_COLUMN_TAKEN_BY_SOUTH] =
                    add_where(by_south, lanes->columns[HY_COLUMN_TAKEN_BY_SOUTH], all(1));
                lanes->columns[HY_COLUMN_TAKEN_BY_NORTH] =
                    add_where(by_north, lanes->columns[HY_COLUMN_TAKEN_BY_NORTH], all(1));
                taken = either(by_south, by_north);
            } else {
                hy_counts *column =
                    &lanes->columns[to_south ? HY_COLUMN_TAKEN_BY_SOUTH : HY_COLUMN_TAKEN_BY_NORTH];
                *column = add_where(taken, *column, all(1));
            }
            held = subtract_where(taken, held, held);
        }
        lanes->board[hole] = held;
        count |= only_where(is_final, held);
        low += (hy_count)1;
        high += (hy_count)1;
    }
    return count;
}

/* One lap of every game. */
INLINE hy_landing lap(hy_lanes *lanes, const hy_lanes_terms *terms)
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

static void count_chains(hy_lanes *lanes, uint64_t bits, uint64_t north, hy_counts gain)
{
    for (; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        unsigned length = gain[lane] / lanes->rules->casa - 1u;
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

INLINE void set_image(hy_lanes *lanes, unsigned lane, const hy_lane_image *image, unsigned size)
{
    for (unsigned hole = 0; hole < size; hole++)
        lanes->board[hole][lane] = (hy_count)image->board[hole];
    for (unsigned column = 0; column < HY_NUM_COLUMNS; column++)
        lanes->columns[column][lane] = (hy_count)image->columns[column];
}

INLINE void get_columns(const hy_lanes *lanes, unsigned lane, hy_lane_image *image)
{
    for (unsigned column = 0; column < HY_NUM_COLUMNS; column++)
        image->columns[column] = lanes->columns[column][lane];
}

static void set_hash(hy_lanes *lanes, unsigned lane, uint64_t hash)
{
    lanes->hashes[lane / NUM_HASHES][lane % NUM_HASHES] = hash;
}

/* Begins the next game in that lane, or lets the lane rest. */
static void begin(hy_lanes *lanes, unsigned lane)
{
    hy_lane_game *game = &lanes->games[lane];
    uint64_t number;
    lanes->exhausted =
        lanes->exhausted || !lanes->job->client.next(lanes->job->client.context, &number);
    if (lanes->exhausted) {
        lanes->playing &= ~((uint64_t)1 << lane);
        set_image(lanes, lane, &(hy_lane_image){.columns = {0}}, 2u * lanes->rules->holes);
        return;
    }
    hy_hole_list holes = game->holes;
    holes.num = 0;
    *game = (hy_lane_game){
        .number = number,
        .began = lanes->step,
        .granted = lanes->beginning.columns[HY_COLUMN_PLIES_LEFT],
        .holes = holes,
    };
    begin_streams(&lanes->random, lane, number);
    lanes->playing |= (uint64_t)1 << lane;
    set_image(lanes, lane, &lanes->beginning, 2u * lanes->rules->holes);
    set_hash(lanes, lane, HY_FNV1A_START);
}

static void deliver(hy_lanes *lanes, const hy_lane_game *game)
{
    const hy_lanes_client *client = &lanes->job->client;
    if (lanes->status == HY_OK)
        lanes->status = client->take(client->context, &lanes->record,
                                     lanes->job->keep_holes ? &game->holes : NULL, lanes->error);
}

/* The games in these lanes are over. */
static void finish(hy_lanes *lanes, uint64_t bits, hy_termination termination)
{
    for (; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        hy_lane_game *game = &lanes->games[lane];
        hy_lane_image image;
        get_columns(lanes, lane, &image);
        game->move_hash = lanes->hashes[lane / NUM_HASHES][lane % NUM_HASHES];
        hy_lane_record(lanes->terms, game, &image, termination, lanes->step - game->began,
                       &lanes->record);
        deliver(lanes, game);
        begin(lanes, lane);
    }
}

/* Books what the sowings that ended have won: steps (b) to (f). Returns the lanes that are to
 * choose. */
INLINE hy_mask end_ply(hy_lanes *lanes, const hy_lanes_terms *terms, hy_mask ended, hy_mask hit,
                       hy_counts landing, hy_mask *captured)
{
    const hy_rules *rules = lanes->rules;
    hy_counts *columns = lanes->columns;
    hy_mask north = filled(columns[HY_COLUMN_MOVER]);
    hy_mask in_south = may_capture(lanes, north, true), in_north = may_capture(lanes, north, false);
    hy_counts gain = take_casas(lanes, terms, hit, landing, in_south, in_north);
    hy_mask chains = less(all(terms->casa), gain);
    uint64_t chain_bits = bits_of(chains);
    if (chain_bits)
        count_chains(lanes, chain_bits, bits_of(north), gain);
    hy_counts to_south = only_where(but_not(hit, north), gain);
    hy_counts to_north = only_where(both(hit, north), gain);
    if (terms->en_passant != HY_EN_PASSANT_NONE) {
        hy_count casa = rules->casa;
        to_south += only_where(ended, columns[HY_COLUMN_TAKEN_BY_SOUTH] * casa);
        to_north += only_where(ended, columns[HY_COLUMN_TAKEN_BY_NORTH] * casa);
        columns[HY_COLUMN_TAKEN_BY_SOUTH] = subtract_where(ended, columns[HY_COLUMN_TAKEN_BY_SOUTH],
                                                           columns[HY_COLUMN_TAKEN_BY_SOUTH]);
        columns[HY_COLUMN_TAKEN_BY_NORTH] = subtract_where(ended, columns[HY_COLUMN_TAKEN_BY_NORTH],
                                                           columns[HY_COLUMN_TAKEN_BY_NORTH]);
    }
    hy_counts won = to_south + to_north;
    hy_mask some = filled(won);
    hy_mask by_sower = either(but_not(filled(to_south), north), both(filled(to_north), north));
    columns[HY_COLUMN_CAPTURES] = add_where(some, columns[HY_COLUMN_CAPTURES], all(1));
    columns[HY_COLUMN_SOUTH_CAPTURES] =
        add_where(but_not(some, north), columns[HY_COLUMN_SOUTH_CAPTURES], all(1));
    columns[HY_COLUMN_CAPTURED] += won;
    hy_counts left = columns[HY_COLUMN_LEFT] - won;
    hy_mask few = but_not(both(some, filled(left)), less(all(rules->claim), left));
    hy_counts claimed = only_where(few, left);
    hy_mask claim_south = rules->claim_by == HY_CLAIM_STARTER ? few : but_not(few, north);
    columns[HY_COLUMN_CLAIMED] += claimed;
    columns[HY_COLUMN_SOUTH_SCORE] += to_south + only_where(claim_south, claimed);
    columns[HY_COLUMN_NORTH_SCORE] += to_north + only_where(but_not(few, claim_south), claimed);
    left -= claimed;
    columns[HY_COLUMN_LEFT] = left;
    hy_mask poor = but_not(both(some, less(left, all(rules->casa))), few);
    hy_mask again = rules->extra_turn ? by_sower : differ(by_sower, by_sower);
    hy_mask passed_on = but_not(ended, again);
    columns[HY_COLUMN_MOVER] = ones_where(differ(north, passed_on));
    columns[HY_COLUMN_TURN_LENGTH] =
        subtract_where(passed_on, columns[HY_COLUMN_TURN_LENGTH], columns[HY_COLUMN_TURN_LENGTH]);
    columns[HY_COLUMN_SOWING_LAPS] =
        subtract_where(ended, columns[HY_COLUMN_SOWING_LAPS], columns[HY_COLUMN_SOWING_LAPS]);
    columns[HY_COLUMN_SOWING_LOW] =
        subtract_where(ended, columns[HY_COLUMN_SOWING_LOW], columns[HY_COLUMN_SOWING_LOW]);
    columns[HY_COLUMN_SOWING_HIGH] =
        subtract_where(ended, columns[HY_COLUMN_SOWING_HIGH], columns[HY_COLUMN_SOWING_HIGH]);
    hy_mask over = either(few, poor);
    bool sweep = rules->no_move == HY_NO_MOVE_SWEEP;
    note_lead(lanes, sweep ? over : some);
    uint64_t few_bits = bits_of(few), poor_bits = bits_of(poor);
    *captured = but_not(some, over);
    if (few_bits)
        finish(lanes, few_bits, HY_CLAIMED);
    if (poor_bits)
        finish(lanes, poor_bits, HY_EXHAUSTED);
    return ended;
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
    columns[HY_COLUMN_TURN_LENGTH] =
        subtract_where(stuck, columns[HY_COLUMN_TURN_LENGTH], columns[HY_COLUMN_TURN_LENGTH]);
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

/* The game again from its beginning, for what happens seldom. */
COLD void play_again(hy_lanes *lanes, hy_lane_game *game)
{
    const hy_lanes_client *client = &lanes->job->client;
    game->holes.num = 0;
    if (lanes->status == HY_OK)
        lanes->status = client->play(client->context, game->number,
                                     lanes->job->keep_holes ? &game->holes : NULL, &lanes->record,
                                     lanes->error);
    deliver(lanes, game);
}

/* Delivers a game outside the lanes, the sowing of which has got its verdict. */
COLD void take_verdict(hy_lanes *lanes, unsigned place)
{
    hy_proof *proof = &lanes->proofs.prover.proofs[place];
    hy_lane_outside *outside = &lanes->proofs.games[place];
    proof->used = false;
    lanes->proofs.num--;
    switch (proof->verdict) {
    case HY_VERDICT_OPEN:
        return;
    case HY_VERDICT_UNCLEAR:
        lanes->proofs.num_unclear++;
        play_again(lanes, &outside->game);
        return;
    case HY_VERDICT_ENDLESS:
    case HY_VERDICT_UNRESOLVED:
        hy_lane_record(lanes->terms, &outside->game, &outside->image,
                       proof->verdict == HY_VERDICT_ENDLESS ? HY_ENDLESS : HY_UNRESOLVED,
                       outside->laps, &lanes->record);
        deliver(lanes, &outside->game);
        return;
    }
}

/* Follows the sowings outside the lanes until one of them has its verdict. */
COLD void prove_some(hy_lanes *lanes)
{
    hy_prover *prover = &lanes->proofs.prover;
    hy_prover_run(prover);
    for (unsigned place = 0; place < HY_PROVER_CHAINS; place++) {
        if (prover->proofs[place].used && prover->proofs[place].verdict != HY_VERDICT_OPEN)
            take_verdict(lanes, place);
    }
}

/* Takes the laps and counters of the sowing that goes on out of the counts of its game. */
static void drop_sowing(hy_lane_game *game, hy_lane_image *image)
{
    const unsigned carry = 1u << 8 * sizeof(hy_count);
    game->counters -= image->columns[HY_COLUMN_SOWING_LOW];
    game->counters -= image->columns[HY_COLUMN_SOWING_HIGH] * carry;
}

/* The game in this lane leaves it for a place among the proofs, and another one begins. */
COLD void move_out(hy_lanes *lanes, unsigned lane)
{
    hy_lane_proofs *proofs = &lanes->proofs;
    unsigned place = 0;
    if (proofs->num == HY_PROVER_CHAINS)
        prove_some(lanes);
    while (proofs->prover.proofs[place].used)
        place++;
    hy_lane_outside *outside = &proofs->games[place];
    hy_hole_list free_list = outside->game.holes;
    uint16_t board[HY_MAX_BOARD];
    for (unsigned hole = 0; hole < HY_MAX_BOARD; hole++)
        board[hole] = lanes->board[hole][lane];
    get_columns(lanes, lane, &outside->image);
    hy_prover_add(&proofs->prover, place, board, outside->image.columns[HY_COLUMN_HOLE],
                  outside->image.columns[HY_COLUMN_SOWING_LAPS]);
    outside->game = lanes->games[lane];
    lanes->games[lane].holes = free_list;
    outside->game.move_hash = lanes->hashes[lane / NUM_HASHES][lane % NUM_HASHES];
    outside->laps =
        lanes->step - outside->game.began - outside->image.columns[HY_COLUMN_SOWING_LAPS];
    drop_sowing(&outside->game, &outside->image);
    proofs->num++;
    proofs->num_moved++;
    begin(lanes, lane);
}

/* Sows on in this lane up to the last lap. Returns whether another game has begun there. */
COLD bool sow_on(hy_lanes *lanes, unsigned lane)
{
    hy_lane_game *game = &lanes->games[lane];
    hy_lane_image image;
    hy_sowing sowing;
    uint16_t board[HY_MAX_BOARD], after[HY_MAX_BOARD];
    for (unsigned hole = 0; hole < HY_MAX_BOARD; hole++)
        board[hole] = lanes->board[hole][lane];
    get_columns(lanes, lane, &image);
    unsigned laps = image.columns[HY_COLUMN_SOWING_LAPS];
    hy_sow(lanes->rules, board, image.columns[HY_COLUMN_HOLE], image.columns[HY_COLUMN_MOVER],
           lanes->terms->max_laps - laps, after, &sowing);
    if (sowing.ending == HY_ENDING_UNRESOLVED) {
        play_again(lanes, game);
        begin(lanes, lane);
        return true;
    }
    if (sowing.ending == HY_ENDING_ENDLESS) {
        drop_sowing(game, &image);
        game->began += laps;
        game->move_hash = lanes->hashes[lane / NUM_HASHES][lane % NUM_HASHES];
        hy_lane_record(lanes->terms, game, &image, HY_ENDLESS, lanes->step - game->began,
                       &lanes->record);
        deliver(lanes, game);
        begin(lanes, lane);
        return true;
    }
    hy_laps state = {.board = board,
                     .hole = image.columns[HY_COLUMN_HOLE],
                     .hand = image.columns[HY_COLUMN_HAND]};
    while (state.laps + 1 < sowing.laps)
        (void)hy_lap_by_counters(lanes->rules, image.columns[HY_COLUMN_MOVER], &state);
    game->began -= state.laps;
    game->counters += state.counters;
    image.columns[HY_COLUMN_HOLE] = (uint16_t)state.hole;
    image.columns[HY_COLUMN_HAND] = (uint16_t)state.hand;
    image.columns[HY_COLUMN_SOWING_LAPS] = 0;
    image.columns[HY_COLUMN_TAKEN_BY_SOUTH] =
        (uint16_t)(image.columns[HY_COLUMN_TAKEN_BY_SOUTH] + state.en_passant[HY_SOUTH]);
    image.columns[HY_COLUMN_TAKEN_BY_NORTH] =
        (uint16_t)(image.columns[HY_COLUMN_TAKEN_BY_NORTH] + state.en_passant[HY_NORTH]);
    memcpy(image.board, board, sizeof image.board);
    set_image(lanes, lane, &image, 2u * lanes->rules->holes);
    return false;
}

/* Sowings that have lasted long. Returns the lanes in which another game has begun. */
COLD uint64_t look_after_long(hy_lanes *lanes, uint64_t bits)
{
    hy_lane_proofs *proofs = &lanes->proofs;
    uint64_t begun = 0;
    for (; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        bool begins = true;
        /* Where most sowings end after all, proving together is the longer way. */
        if (proofs->possible && 4 * proofs->num_unclear <= 16 + proofs->num_moved)
            move_out(lanes, lane);
        else
            begins = sow_on(lanes, lane);
        begun |= (uint64_t)begins << lane;
    }
    return begun & lanes->playing;
}

/* One lap of every game, and all that follows. */
INLINE void step(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    hy_counts *columns = lanes->columns;
    hy_counts hand = columns[HY_COLUMN_HAND];
    hy_landing landing = lap(lanes, terms);
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
    hy_mask captured;
    hy_mask choosing = end_ply(lanes, terms, ended, hit, landing.hole, &captured);
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
