#include "rules/prover.h"

#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#define FOR_REGISTERS __attribute__((target("avx2")))
typedef __m256i row;
#define HAS_REGISTERS (__builtin_cpu_supports("avx2") != 0)
#define SOWN(from, rows)                                                                           \
    _mm256_add_epi8(_mm256_shuffle_epi8(from, *(const __m256i *)(const void *)&(rows)->order),     \
                    *(const __m256i *)(const void *)&(rows)->sown)
#define FIRST_EIGHT(from) ((uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(from)))
#else /* not there yet */
#define FOR_REGISTERS
typedef hy_turned_board row;
#define HAS_REGISTERS false
#define SOWN(from, rows) (rows)->sown
#define FIRST_EIGHT(from) ((uint64_t)(from).holes[0])
#endif

#define BLOCK 64u /* laps between looking whether a sowing has ended */

_Static_assert(sizeof(row) == sizeof(hy_turned_board), "a board is a register");

bool hy_prover_handles(const hy_rules *rules)
{
    return HAS_REGISTERS && 2u * rules->holes <= HY_PROVER_BOARD &&
           hy_rules_total(rules) <= UINT8_MAX && rules->relay && !rules->skip_origin &&
           rules->en_passant == HY_EN_PASSANT_NONE && rules->capture_side == HY_SIDE_ANY;
}

static bool ends_at(const hy_prover *prover, unsigned hand)
{
    return hand <= 1 || hand == prover->casa;
}

/* A sowing that has ended stays as it is. */
void hy_prover_init(hy_prover *prover, const hy_rules *rules, uint64_t max_laps)
{
    unsigned size = 2u * rules->holes;
    *prover = (hy_prover){
        .size = size, .casa = rules->final_capture ? rules->casa : 0, .max_laps = max_laps};
    for (unsigned hand = 0; hand <= UINT8_MAX; hand++) {
        hy_lap_rows *rows = &prover->rows[hand];
        memset(&rows->order, 0x80, sizeof rows->order);
        for (unsigned hole = 0; hole < size; hole++) {
            bool ends = ends_at(prover, hand);
            unsigned from = (hole + hand) % size, moved = (hole + hand) % size;
            bool sown = from > 0 && from <= hand % size;
            rows->order.holes[hole] = (uint8_t)(ends ? hole : from > 0 ? from : 0x80);
            rows->sown.holes[hole] = (uint8_t)(ends ? 0 : hand / size + sown);
            rows->order.turn[moved] = (uint8_t)hole;
        }
    }
}

void hy_prover_add(hy_prover *prover, unsigned place, const uint16_t *board, unsigned hole,
                   uint64_t laps)
{
    hy_proof *proof = &prover->proofs[place];
    *proof = (hy_proof){.before = laps, .used = true};
    for (unsigned i = 0; i < prover->size; i++)
        proof->start.holes[i] = (uint8_t)board[(hole + i) % prover->size];
    proof->start.turn[0] = 1;
    proof->board = proof->start;
    proof->mark = proof->start;
    proof->rare = proof->start;
}

static unsigned common_divisor(unsigned a, unsigned b)
{
    return b > 0 ? common_divisor(b, a % b) : a;
}

static unsigned turn_of(const hy_turned_board *board)
{
    const uint8_t *one = memchr(board->turn, 1, sizeof board->turn);
    return one ? (unsigned)(one - board->turn) : 0;
}

/* Whether the board first comes back, perhaps turned, at most `most` laps after a start from which
 * on `period` laps bring it back: two walkers, a period apart, meet where that begins. */
FOR_REGISTERS static bool begins_within(const hy_prover *prover, const hy_proof *proof,
                                        uint64_t period, uint64_t most)
{
    row ahead, behind;
    memcpy(&ahead, &proof->start, sizeof ahead);
    memcpy(&behind, &proof->start, sizeof behind);
    for (uint64_t lap = 0; lap < period; lap++)
        ahead = SOWN(ahead, &prover->rows[(uint8_t)FIRST_EIGHT(ahead)]);
    for (uint64_t lap = 0; lap <= most; lap++) {
        if (FIRST_EIGHT(ahead) == FIRST_EIGHT(behind)) {
            hy_turned_board a, b;
            memcpy(&a, &ahead, sizeof a);
            memcpy(&b, &behind, sizeof b);
            if (memcmp(a.holes, b.holes, sizeof a.holes) == 0)
                return true;
        }
        ahead = SOWN(ahead, &prover->rows[(uint8_t)FIRST_EIGHT(ahead)]);
        behind = SOWN(behind, &prover->rows[(uint8_t)FIRST_EIGHT(behind)]);
    }
    return false;
}

/* The board is that of the mark, perhaps turned, `laps` laps after it and not before. A board that
 * comes back turned by d of N holes comes back in full after N / gcd(N, d) times as many laps. */
static hy_verdict judge(const hy_prover *prover, const hy_proof *proof, uint64_t laps)
{
    unsigned size = prover->size;
    unsigned turn = (turn_of(&proof->board) + size - turn_of(&proof->mark)) % size;
    uint64_t period = laps * (size / common_divisor(size, turn)), max_laps = prover->max_laps;
    if (proof->before + proof->mark_laps + period <= max_laps)
        return HY_VERDICT_ENDLESS;
    if (period > max_laps)
        return HY_VERDICT_UNRESOLVED;
    if (proof->before + period > max_laps)
        return HY_VERDICT_UNCLEAR;
    return begins_within(prover, proof, laps, max_laps - period - proof->before)
               ? HY_VERDICT_ENDLESS
               : HY_VERDICT_UNRESOLVED;
}

static bool same_holes(const hy_turned_board *a, const hy_turned_board *b)
{
    return memcmp(a->holes, b->holes, sizeof a->holes) == 0;
}

/* The rare mark has been met; the cycle is walked once more for its length. */
FOR_REGISTERS static void judge_rare(const hy_prover *prover, hy_proof *proof)
{
    row board;
    uint64_t laps = 0;
    memcpy(&board, &proof->rare, sizeof board);
    do {
        board = SOWN(board, &prover->rows[(uint8_t)FIRST_EIGHT(board)]);
        memcpy(&proof->board, &board, sizeof board);
        laps++;
    } while (!same_holes(&proof->board, &proof->rare));
    proof->mark = proof->rare;
    proof->mark_laps = proof->rare_laps;
    proof->verdict = judge(prover, proof, laps);
}

/* What there is to say of a sowing after `laps` more laps. `met`: the first eight holes are those
 * of the mark. */
static void end_block(const hy_prover *prover, hy_proof *proof, unsigned laps, bool met)
{
    proof->laps += laps;
    if (!proof->used || proof->verdict != HY_VERDICT_OPEN)
        return;
    if (ends_at(prover, proof->board.holes[0])) {
        bool late = proof->before + proof->laps - laps > prover->max_laps;
        proof->verdict = late ? HY_VERDICT_UNRESOLVED : HY_VERDICT_UNCLEAR;
    } else if (met && same_holes(&proof->board, &proof->mark)) {
        proof->verdict = judge(prover, proof, proof->laps - proof->mark_laps);
    } else if (proof->laps >= prover->max_laps && proof->mark_laps == 0) {
        proof->mark = proof->board;
        proof->mark_laps = proof->laps;
    } else if (proof->mark_laps > 0 && proof->laps - proof->mark_laps >= prover->max_laps) {
        proof->verdict = HY_VERDICT_UNRESOLVED;
    } else if (same_holes(&proof->board, &proof->rare)) {
        judge_rare(prover, proof);
    } else if (proof->laps >= 2 * proof->rare_laps) {
        proof->rare = proof->board;
        proof->rare_laps = proof->laps;
    }
}

/* A block of laps of every sowing; shorter where a mark may have been met. */
FOR_REGISTERS static void run_block(hy_prover *prover)
{
    row boards[HY_PROVER_CHAINS];
    uint64_t words[HY_PROVER_CHAINS], marks[HY_PROVER_CHAINS];
    unsigned laps = 0, met = 0;
    for (unsigned i = 0; i < HY_PROVER_CHAINS; i++) {
        const hy_proof *proof = &prover->proofs[i];
        memcpy(&boards[i], &proof->board, sizeof boards[i]);
        memcpy(&words[i], &proof->board, sizeof words[i]);
        memcpy(&marks[i], &proof->mark, sizeof marks[i]);
        if (!proof->used)
            marks[i] = ~(uint64_t)0; /* which no board is */
    }
    do {
        laps++;
#pragma GCC unroll 8
        for (unsigned i = 0; i < HY_PROVER_CHAINS; i++) {
            boards[i] = SOWN(boards[i], &prover->rows[(uint8_t)words[i]]);
            words[i] = FIRST_EIGHT(boards[i]);
            if (__builtin_expect_with_probability(words[i] == marks[i], 0, 1.0))
                met |= 1u << i;
        }
    } while (laps < BLOCK && met == 0);
    for (unsigned i = 0; i < HY_PROVER_CHAINS; i++) {
        memcpy(&prover->proofs[i].board, &boards[i], sizeof boards[i]);
        end_block(prover, &prover->proofs[i], laps, met >> i & 1);
    }
}

static bool has_verdict(const hy_prover *prover)
{
    for (unsigned i = 0; i < HY_PROVER_CHAINS; i++) {
        if (prover->proofs[i].used && prover->proofs[i].verdict != HY_VERDICT_OPEN)
            return true;
    }
    return false;
}

void hy_prover_run(hy_prover *prover)
{
    while (!has_verdict(prover))
        run_block(prover);
}
