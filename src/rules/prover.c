#include "rules/prover.h"

#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#define BLOCK 64u /* laps between looking whether a sowing has ended */

#if defined __x86_64__
#define FOR_REGISTERS __attribute__((target("avx2,bmi,bmi2")))
typedef __m128i row;

INLINE bool has_registers(void)
{
    return __builtin_cpu_supports("avx2");
}

#define SOWN(from, rows)                                                                           \
    _mm_add_epi8(_mm_shuffle_epi8(from, *(const __m128i *)(const void *)(rows)->order),            \
                 *(const __m128i *)(const void *)(rows)->sown)
#define FIRST_EIGHT(from) ((uint64_t)_mm_cvtsi128_si64(from))
#elif defined __aarch64__
#define FOR_REGISTERS
typedef uint8x16_t row;

INLINE bool has_registers(void)
{
    return true;
}

#define SOWN(from, rows) vaddq_u8(vqtbl1q_u8(from, vld1q_u8((rows)->order)), vld1q_u8((rows)->sown))
#define FIRST_EIGHT(from) vgetq_lane_u64(vreinterpretq_u64_u8(from), 0)
#else
#define FOR_REGISTERS
typedef uint8_t row __attribute__((vector_size(16)));

INLINE bool has_registers(void)
{
    return false;
}

#define SOWN(from, rows) (from)
#define FIRST_EIGHT(from) ((uint64_t)(from)[0])
#endif

_Static_assert(sizeof(row) == HY_PROVER_BOARD, "a board is a register");

bool hy_prover_handles(const hy_rules *rules)
{
    return has_registers() && 2u * rules->holes <= HY_PROVER_BOARD &&
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
        memset(rows->order, 0x80, sizeof rows->order);
        for (unsigned hole = 0; hole < size; hole++) {
            unsigned from = (hole + hand) % size;
            bool sown = from > 0 && from <= hand % size;
            rows->order[hole] = (uint8_t)(from > 0 ? from : 0x80);
            rows->sown[hole] = (uint8_t)(hand / size + sown);
            if (ends_at(prover, hand)) {
                rows->order[hole] = (uint8_t)hole;
                rows->sown[hole] = 0;
            }
        }
    }
}

void hy_prover_add(hy_prover *prover, unsigned place, const uint16_t *board, unsigned hole,
                   uint64_t laps)
{
    hy_proof *proof = &prover->proofs[place];
    *proof = (hy_proof){.renewed = BLOCK, .before = laps, .used = true};
    for (unsigned i = 0; i < prover->size; i++)
        proof->board[i] = (uint8_t)board[(hole + i) % prover->size];
    memcpy(proof->mark, proof->board, sizeof proof->mark);
}

static unsigned common_divisor(unsigned a, unsigned b)
{
    return b > 0 ? common_divisor(b, a % b) : a;
}

/* By how many holes the board is turned when it comes back after `laps` laps. */
FOR_REGISTERS static unsigned turn_after(const hy_prover *prover, const hy_proof *proof,
                                         uint64_t laps)
{
    row board;
    uint64_t counters = 0;
    memcpy(&board, proof->mark, sizeof board);
    for (uint64_t i = 0; i < laps; i++) {
        unsigned hand = (uint8_t)FIRST_EIGHT(board);
        counters += hand;
        board = SOWN(board, &prover->rows[hand]);
    }
    return (unsigned)(counters % prover->size);
}

/* The board is that of the mark, perhaps turned, `laps` laps after it. A board that comes back
 * turned by d of N holes comes back in full after N / gcd(N, d) times as many laps. */
static hy_verdict judge(const hy_prover *prover, const hy_proof *proof, uint64_t laps)
{
    uint64_t marked = proof->before + proof->marked;
    if (marked + laps * prover->size <= prover->max_laps)
        return HY_VERDICT_ENDLESS;
    if (laps > prover->max_laps)
        return HY_VERDICT_UNRESOLVED;
    unsigned turn = turn_after(prover, proof, laps);
    uint64_t period = laps * (prover->size / common_divisor(prover->size, turn));
    if (marked + period <= prover->max_laps)
        return HY_VERDICT_ENDLESS;
    return period > prover->max_laps ? HY_VERDICT_UNRESOLVED : HY_VERDICT_UNCLEAR;
}

/* What there is to say of a sowing that did not come back to its mark in a block. */
static void end_block(const hy_prover *prover, hy_proof *proof)
{
    proof->laps += BLOCK;
    if (!proof->used || proof->verdict != HY_VERDICT_OPEN)
        return;
    if (ends_at(prover, proof->board[0])) {
        bool long_over = proof->before + proof->laps - BLOCK > prover->max_laps;
        proof->verdict = long_over ? HY_VERDICT_UNRESOLVED : HY_VERDICT_UNCLEAR;
    } else if (proof->laps >= proof->renewed) {
        if (proof->marked >= prover->max_laps) {
            proof->verdict = HY_VERDICT_UNRESOLVED;
            return;
        }
        memcpy(proof->mark, proof->board, sizeof proof->mark);
        proof->marked = proof->laps;
        proof->renewed = 2 * proof->laps;
        if (proof->marked >= prover->max_laps)
            proof->renewed = proof->marked + prover->max_laps;
        else if (proof->renewed > prover->max_laps)
            proof->renewed = prover->max_laps;
    }
}

/* One block of laps of every sowing. */
FOR_REGISTERS static void run_block(hy_prover *prover)
{
    row boards[HY_PROVER_CHAINS], marks[HY_PROVER_CHAINS];
    uint64_t first[HY_PROVER_CHAINS];
    for (unsigned i = 0; i < HY_PROVER_CHAINS; i++) {
        memcpy(&boards[i], prover->proofs[i].board, sizeof boards[i]);
        memcpy(&marks[i], prover->proofs[i].mark, sizeof marks[i]);
        bool open = prover->proofs[i].used && prover->proofs[i].verdict == HY_VERDICT_OPEN;
        first[i] = open ? FIRST_EIGHT(marks[i]) : ~(uint64_t)0; /* which no board is */
    }
    for (unsigned lap = 1; lap <= BLOCK; lap++) {
#pragma GCC unroll 8
        for (unsigned i = 0; i < HY_PROVER_CHAINS; i++) {
            boards[i] = SOWN(boards[i], &prover->rows[(uint8_t)FIRST_EIGHT(boards[i])]);
            if (__builtin_expect(FIRST_EIGHT(boards[i]) == first[i], 0)) {
                hy_proof *proof = &prover->proofs[i];
                uint8_t board[HY_PROVER_BOARD];
                memcpy(board, &boards[i], sizeof board);
                if (proof->verdict == HY_VERDICT_OPEN && !ends_at(prover, board[0]) &&
                    memcmp(board, proof->mark, sizeof board) == 0)
                    proof->verdict = judge(prover, proof, proof->laps + lap - proof->marked);
            }
        }
    }
    for (unsigned i = 0; i < HY_PROVER_CHAINS; i++) {
        memcpy(prover->proofs[i].board, &boards[i], sizeof boards[i]);
        end_block(prover, &prover->proofs[i]);
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
