/* The board is a row of bytes; a lap is added to it as a whole, sixteen holes at a time (see
 * rules/sowing_fast.c), and the choice among the filled holes is made by arithmetic on words of
 * eight bytes. What is rare is out of line: passes, laps of a round and more, and sowings that last
 * so long that they may be endless, which the general code sows. */
#include "policy/playout.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "rules/rows.h"

#define INLINE static inline __attribute__((always_inline))
#define COLD static __attribute__((noinline, cold))

typedef uint8_t row16 __attribute__((vector_size(16)));

#define ROW 16u
#define SHORT_SOWING 64u /* laps; a longer one is sown again by the general code */
#define NOBODY 2u

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words of eight holes are read as such");

#define EIGHT(x) x, x, x, x, x, x, x, x
#define SIXTY_THREE(x)                                                                             \
    EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), x, x, x, x, x, x, x

/* Ones up to hole x, zeros behind: from index HY_MAX_BOARD − 1 − x on. */
static const uint8_t ones_then_zeros[2 * HY_MAX_BOARD] = {SIXTY_THREE(1), 1};

/* All bits but in hole x: from index HY_MAX_BOARD − 1 − x on. */
static const uint8_t all_but_one[2 * HY_MAX_BOARD] = {SIXTY_THREE(0xff), 0, SIXTY_THREE(0xff),
                                                      0xff};

/* What is fixed for a playout. */
typedef struct hy_course {
    const hy_playout_terms *terms;
    const hy_rules *rules;
    unsigned holes, size;
    unsigned casa;          /* as far as the final counter captures; else 0, which nothing makes */
    bool may_capture[2][2]; /* by mover, in a hole of that owner */
    uint64_t row_ones[HY_MAX_HOLES / 8]; /* a one for each hole of a row */
} hy_course;

/* A game of random play in progress. */
typedef struct hy_playout {
    uint8_t board[HY_MAX_BOARD] __attribute__((aligned(16)));
    uint8_t before[HY_MAX_BOARD] __attribute__((aligned(16))); /* the last ply */
    hy_stream *streams[3];                                     /* by hy_purpose */
    unsigned mover;
    unsigned left;
    unsigned num_holes;   /* legal ones before the ply */
    unsigned leader;      /* hy_player, or NOBODY */
    bool scored;          /* in this ply */
    uint32_t turn_length; /* of the turn that goes on; 0: the next ply begins one */
    hy_game_record *record;
} hy_playout;

hy_status hy_hole_list_add(hy_hole_list *holes, unsigned hole, hy_error *error)
{
    hy_status status =
        hy_reserve(&holes->holes, &holes->capacity, holes->num + 1, sizeof holes->holes[0], error);
    if (status == HY_OK)
        holes->holes[holes->num++] = (uint8_t)hole;
    return status;
}

hy_status hy_hole_list_join(hy_hole_list *holes, const hy_hole_list *others, hy_error *error)
{
    if (others->num == 0)
        return HY_OK;
    hy_status status = hy_reserve(&holes->holes, &holes->capacity, holes->num + others->num,
                                  sizeof holes->holes[0], error);
    if (status == HY_OK) {
        memcpy(holes->holes + holes->num, others->holes, others->num);
        holes->num += others->num;
    }
    return status;
}

bool hy_playout_handles(const hy_rules *rules, const hy_position *start)
{
    return start->left <= UINT8_MAX && hy_sow_fast_handles(rules) && rules->repetition == 0 &&
           rules->endless == HY_ENDLESS_ANNUL;
}

static hy_course course_of(const hy_playout_terms *terms)
{
    const hy_rules *rules = terms->rules;
    bool own = rules->capture_side != HY_SIDE_OPPONENT, other = rules->capture_side != HY_SIDE_OWN;
    hy_course course = {
        .terms = terms,
        .rules = rules,
        .holes = rules->holes,
        .size = 2u * rules->holes,
        .casa = rules->final_capture ? rules->casa : 0,
        .may_capture = {{own, other}, {other, own}},
    };
    for (unsigned hole = 0; hole < rules->holes; hole++)
        course.row_ones[hole / 8] |= (uint64_t)1 << 8 * (hole % 8);
    return course;
}

INLINE row16 load(const uint8_t *from)
{
    row16 row;
    memcpy(&row, from, sizeof row);
    return row;
}

/* Running counts of the filled ones among eight holes: byte i counts those up to hole i. */
INLINE uint64_t running_count(const uint8_t *from, uint64_t ones)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return (hy_row_filled(word) & ones) * HY_EACH_BYTE(1);
}

/* A filled hole of the mover, or `size` where there is none. */
INLINE unsigned choose(const hy_course *course, hy_playout *playout, unsigned rows)
{
    unsigned first = playout->mover ? course->holes : 0, words = rows == 1 ? 1 : 2 * (rows / 2);
    const uint8_t *row = playout->board + first;
    uint64_t running[HY_MAX_HOLES / 8];
    unsigned num = 0, index = 0;
    for (unsigned i = 0; i < words; i++) {
        running[i] = running_count(row + 8 * i, course->row_ones[i]);
        num += (unsigned)(running[i] >> 56);
    }
    if (__builtin_expect(num == 0, 0))
        return course->size;
    playout->num_holes = num;
    if (num > 1) {
        bool opening = playout->record->plies < course->terms->opening_plies;
        index =
            hy_stream_below(playout->streams[opening ? HY_PURPOSE_OPENING : playout->mover], num);
    }
    for (unsigned i = 0;; i++) {
        unsigned here = (unsigned)(running[i] >> 56);
        if (i + 1 == words || index < here)
            return first + 8 * i + hy_row_find(running[i], index);
        index -= here;
    }
}

/* A lap of a round or more, counter by counter; returns where it ends. */
COLD unsigned long_lap(uint8_t *board, unsigned size, unsigned hole, unsigned hand)
{
    board[hole] = 0;
    while (hand-- > 0) {
        hole = hole + 1 < size ? hole + 1 : 0;
        board[hole]++;
    }
    return hole;
}

INLINE unsigned lap(uint8_t *board, unsigned size, unsigned hole, unsigned hand, unsigned rows,
                    unsigned *count)
{
    int over = (int)(hole + hand) - (int)size, before_end = over >> 31;
    unsigned landing = (unsigned)(over + ((int)size & before_end));
    const uint8_t *keep = all_but_one + (HY_MAX_BOARD - 1 - hole);
    const uint8_t *subtract = ones_then_zeros + (HY_MAX_BOARD - 1 - hole);
    const uint8_t *add = ones_then_zeros + ((int)(HY_MAX_BOARD - size) - ((over + 1) & before_end));
    const uint8_t *wrapped = ones_then_zeros + ((int)HY_MAX_BOARD - 1 - (over | before_end));
    *count = board[landing] + 1u;
    for (unsigned i = 0; i < ROW * rows; i += ROW) {
        row16 rest = (load(board + i) & load(keep + i)) - load(subtract + i);
        row16 sum = rest + load(add + i) + load(wrapped + i);
        memcpy(board + i, &sum, sizeof sum);
    }
    return landing;
}

/* Sows as long as the sowing is short. `sowing->ending` is HY_ENDING_UNRESOLVED where it is not. */
INLINE unsigned sow(const hy_course *course, hy_playout *playout, unsigned hole, unsigned rows,
                    hy_sowing *sowing)
{
    const bool *may_capture = course->may_capture[playout->mover];
    unsigned size = course->size, casa = course->casa, hand = playout->board[hole];
    unsigned laps = 0, counters = 0, count;
    uint64_t max_laps = course->terms->max_laps;
    unsigned limit = max_laps < SHORT_SOWING ? (unsigned)max_laps : SHORT_SOWING;
    bool relay = course->rules->relay;
    sowing->ending = HY_ENDING_UNRESOLVED;
    do {
        laps++;
        counters += hand;
        if (__builtin_expect(hand >= size, 0)) {
            hole = long_lap(playout->board, size, hole, hand);
            count = playout->board[hole];
        } else {
            hole = lap(playout->board, size, hole, hand, rows, &count);
        }
        hand = count;
        if (count == 1) {
            sowing->ending = HY_ENDING_EMPTY;
            break;
        }
        if (count == casa && may_capture[hole >= course->holes]) {
            sowing->ending = HY_ENDING_CAPTURE;
            break;
        }
        if (!relay) {
            sowing->ending = HY_ENDING_OCCUPIED;
            break;
        }
    } while (laps < limit);
    sowing->laps = laps;
    sowing->counters = counters;
    return hole;
}

/* The sowing that was too long, from its beginning. */
COLD void sow_long(const hy_course *course, hy_playout *playout, unsigned hole, hy_sowing *sowing)
{
    uint16_t before[HY_MAX_BOARD], after[HY_MAX_BOARD];
    for (unsigned i = 0; i < HY_MAX_BOARD; i++)
        before[i] = playout->before[i];
    hy_sow(course->rules, before, hole, playout->mover, course->terms->max_laps, after, sowing);
    for (unsigned i = 0; i < HY_MAX_BOARD; i++)
        playout->board[i] = (uint8_t)after[i];
}

/* Takes the casa at `hole` and the chain before it. */
static unsigned take_casas(const hy_course *course, hy_playout *playout, unsigned hole)
{
    const bool *may_capture = course->may_capture[playout->mover];
    unsigned casas = 0;
    do {
        playout->board[hole] = 0;
        casas++;
        hole = hole > 0 ? hole - 1 : course->size - 1;
    } while (course->rules->chain_capture && playout->board[hole] == course->casa &&
             may_capture[hole >= course->holes]);
    return casas;
}

/* Who leads is looked at once a ply, when everything that it won has been booked. */
static void note_lead(hy_playout *playout)
{
    hy_game_record *record = playout->record;
    playout->scored = false;
    if (record->score[HY_SOUTH] == record->score[HY_NORTH])
        return;
    unsigned leader = record->score[HY_SOUTH] > record->score[HY_NORTH] ? HY_SOUTH : HY_NORTH;
    record->lead_changes += playout->leader != NOBODY && playout->leader != leader;
    playout->leader = leader;
}

static void give(hy_playout *playout, unsigned player, unsigned counters)
{
    playout->record->score[player] += counters;
    playout->left -= counters;
    playout->scored = true;
}

/* Whether one player leads by more than there is left to win. */
static bool is_decided(const hy_playout *playout)
{
    const uint32_t *score = playout->record->score;
    return score[HY_SOUTH] > score[HY_NORTH] + playout->left ||
           score[HY_NORTH] > score[HY_SOUTH] + playout->left;
}

/* Books a capture of the mover; steps (b) to (e) of rules/ply.h. */
static hy_termination capture(const hy_course *course, hy_playout *playout, unsigned casas)
{
    const hy_rules *rules = course->rules;
    hy_game_record *record = playout->record;
    record->captures++;
    record->south_captures += playout->mover == HY_SOUTH;
    record->casas += casas;
    if (casas > 1) {
        record->chains++;
        record->south_chains += playout->mover == HY_SOUTH;
        record->chain_count[casas - 1]++;
        if (casas - 1 > record->longest_chain)
            record->longest_chain = casas - 1;
    }
    give(playout, playout->mover, casas * rules->casa);
    if (playout->left > 0 && playout->left <= rules->claim) {
        record->claimed = playout->left;
        give(playout, rules->claim_by == HY_CLAIM_STARTER ? HY_SOUTH : playout->mover,
             playout->left);
        return HY_CLAIMED;
    }
    if (playout->left < rules->casa)
        return HY_EXHAUSTED;
    return course->terms->until_decided && is_decided(playout) ? HY_TRUNCATED : HY_GOES_ON;
}

/* Step (g): the mover has no hole to play. The opponent has one: there are counters left, and where
 * every filled hole is legal nobody is stuck. */
COLD hy_termination no_move(const hy_course *course, hy_playout *playout)
{
    playout->mover = !playout->mover;
    playout->turn_length = 0;
    if (course->rules->no_move == HY_NO_MOVE_SWEEP) {
        give(playout, playout->mover, playout->left);
        return HY_SWEPT;
    }
    playout->record->passes++;
    return HY_GOES_ON;
}

INLINE void count_ply(hy_playout *playout, unsigned hole)
{
    hy_game_record *record = playout->record;
    record->plies++;
    record->legal_holes += playout->num_holes;
    record->decision_plies += playout->num_holes > 1;
    record->move_hash = hy_fnv1a_step(record->move_hash, (uint8_t)hole);
    record->turns += playout->turn_length == 0;
    playout->turn_length++;
    if (playout->turn_length > record->longest_turn)
        record->longest_turn = playout->turn_length;
}

/* Plays a hole, up to step (f). */
INLINE hy_termination ply(const hy_course *course, hy_playout *playout, unsigned hole,
                          unsigned rows)
{
    hy_sowing sowing;
    memcpy(playout->before, playout->board, ROW * rows);
    count_ply(playout, hole);
    unsigned landing = sow(course, playout, hole, rows, &sowing);
    bool is_long = sowing.ending == HY_ENDING_UNRESOLVED;
    if (__builtin_expect(is_long, 0)) {
        sow_long(course, playout, hole, &sowing);
        if (sowing.ending == HY_ENDING_ENDLESS || sowing.ending == HY_ENDING_UNRESOLVED)
            return sowing.ending == HY_ENDING_ENDLESS ? HY_ENDLESS : HY_UNRESOLVED;
    }
    playout->record->laps += sowing.laps;
    playout->record->counters += sowing.counters;
    if (sowing.ending == HY_ENDING_CAPTURE) {
        unsigned casas = is_long ? sowing.casas : take_casas(course, playout, landing);
        hy_termination termination = capture(course, playout, casas);
        if (termination != HY_GOES_ON || course->rules->extra_turn)
            return termination;
    }
    playout->mover = !playout->mover;
    playout->turn_length = 0;
    return HY_GOES_ON;
}

INLINE hy_status play(const hy_course *course, hy_playout *playout, unsigned rows,
                      hy_hole_list *holes, hy_error *error)
{
    hy_game_record *record = playout->record;
    hy_termination termination = playout->left < course->rules->casa ? HY_EXHAUSTED : HY_GOES_ON;
    for (;;) {
        unsigned hole = termination == HY_GOES_ON ? choose(course, playout, rows) : 0;
        while (hole == course->size && termination == HY_GOES_ON) {
            termination = no_move(course, playout);
            hole = termination == HY_GOES_ON ? choose(course, playout, rows) : 0;
        }
        if (playout->scored)
            note_lead(playout);
        if (termination == HY_GOES_ON && record->plies >= course->terms->max_plies)
            termination = HY_TRUNCATED;
        if (termination != HY_GOES_ON)
            break;
        if (holes) {
            hy_status status = hy_hole_list_add(holes, hole, error);
            if (status != HY_OK)
                return status;
        }
        termination = ply(course, playout, hole, rows);
    }
    record->termination = termination;
    return HY_OK;
}

static hy_status play16(const hy_course *course, hy_playout *playout, hy_hole_list *holes,
                        hy_error *error)
{
    return play(course, playout, 1, holes, error);
}

static hy_status play32(const hy_course *course, hy_playout *playout, hy_hole_list *holes,
                        hy_error *error)
{
    return play(course, playout, 2, holes, error);
}

static hy_status play64(const hy_course *course, hy_playout *playout, hy_hole_list *holes,
                        hy_error *error)
{
    return play(course, playout, 4, holes, error);
}

/* Where a playout begins; `record` is reset. */
static hy_playout playout_from(const hy_course *course, const hy_position *start,
                               hy_stream *const streams[3], hy_game_record *record)
{
    hy_playout playout = {
        .streams = {streams[0], streams[1], streams[2]},
        .left = start->left,
        .mover = start->mover,
        .leader = NOBODY,
        .record = record,
    };
    for (unsigned hole = 0; hole < course->size; hole++)
        playout.board[hole] = (uint8_t)start->board[hole];
    *record = (hy_game_record){
        .move_hash = HY_FNV1A_START,
        .score = {start->score[HY_SOUTH], start->score[HY_NORTH]},
    };
    note_lead(&playout);
    return playout;
}

hy_status hy_playout_play(const hy_playout_terms *terms, const hy_position *start,
                          hy_stream *const streams[3], hy_hole_list *holes, hy_game_record *record,
                          hy_error *error)
{
    hy_course course = course_of(terms);
    hy_playout playout = playout_from(&course, start, streams, record);
    hy_status status = course.size <= 16   ? play16(&course, &playout, holes, error)
                       : course.size <= 32 ? play32(&course, &playout, holes, error)
                                           : play64(&course, &playout, holes, error);
    hy_position end = {
        .score = {(uint16_t)record->score[HY_SOUTH], (uint16_t)record->score[HY_NORTH]}};
    record->result = hy_game_result(terms->rules, &end, record->termination);
    return status;
}
