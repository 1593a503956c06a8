#include "sim/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define FIRST_CAPACITY 256u

const char *const hy_quantity_words[HY_NUM_QUANTITIES] = {
    "plies",          "turns",          "passes",       "laps",        "counters",    "captures",
    "casas",          "chains",         "lead_changes", "south_score", "north_score", "legal_holes",
    "decision_plies", "south_captures", "south_chains", "claimed",
};

const char *const hy_product_words[HY_NUM_PRODUCTS] = {
    "plies*plies",
    "turns*turns",
    "passes*passes",
    "laps*laps",
    "captures*captures",
    "casas*casas",
    "chains*chains",
    "lead_changes*lead_changes",
    "south_score*south_score",
    "north_score*north_score",
    "legal_holes*legal_holes",
    "decision_plies*decision_plies",
    "south_captures*south_captures",
    "south_chains*south_chains",
    "claimed*claimed",
    "turns*plies",
    "passes*plies",
    "laps*plies",
    "captures*plies",
    "casas*plies",
    "chains*plies",
    "lead_changes*plies",
    "legal_holes*plies",
    "decision_plies*plies",
    "legal_holes*decision_plies",
    "captures*turns",
    "casas*captures",
    "chains*captures",
    "south_captures*captures",
    "south_chains*chains",
    "south_score*north_score",
};

void hy_summary_clean_up(hy_summary *summary)
{
    free(summary->lengths);
    *summary = (hy_summary){0};
}

void hy_summary_clear(hy_summary *summary)
{
    hy_length_count *lengths = summary->lengths;
    size_t capacity = summary->length_capacity;
    memset(summary, 0, sizeof *summary);
    if (capacity > 0)
        memset(lengths, 0, capacity * sizeof lengths[0]);
    summary->lengths = lengths;
    summary->length_capacity = capacity;
}

static hy_length_count *find_length(const hy_summary *summary, uint8_t termination, uint32_t plies)
{
    size_t mask = summary->length_capacity - 1;
    for (size_t i = (plies * 16u + termination) * 0x9e3779b1u >> 4 & mask;; i = (i + 1) & mask) {
        hy_length_count *length = &summary->lengths[i];
        if (length->termination == 0 ||
            (length->plies == plies && length->termination == termination))
            return length;
    }
}

static hy_status grow_lengths(hy_summary *summary, hy_error *error)
{
    hy_summary grown = {
        .length_capacity = summary->length_capacity ? 2 * summary->length_capacity : FIRST_CAPACITY,
    };
    grown.lengths = hy_new_array(grown.length_capacity, sizeof grown.lengths[0]);
    if (!grown.lengths)
        return hy_fail_memory(error);
    for (size_t i = 0; i < summary->length_capacity; i++) {
        const hy_length_count *old = &summary->lengths[i];
        if (old->termination > 0)
            *find_length(&grown, old->termination, old->plies) = *old;
    }
    free(summary->lengths);
    summary->lengths = grown.lengths;
    summary->length_capacity = grown.length_capacity;
    return HY_OK;
}

hy_status hy_summary_add_length(hy_summary *summary, hy_termination termination, uint32_t plies,
                                uint64_t games, hy_error *error)
{
    if (2 * summary->num_lengths >= summary->length_capacity) {
        hy_status status = grow_lengths(summary, error);
        if (status != HY_OK)
            return status;
    }
    hy_length_count *length = find_length(summary, (uint8_t)termination, plies);
    summary->num_lengths += length->termination == 0;
    length->termination = (uint8_t)termination;
    length->plies = plies;
    length->games += games;
    return HY_OK;
}

void hy_sketch_add(hy_sketch *sketch, uint64_t hash)
{
    bool full = sketch->num == HY_SKETCH_SIZE;
    if (full && hash > sketch->hashes[HY_SKETCH_SIZE - 1]) {
        sketch->overflowed = true;
        return;
    }
    size_t low = 0, high = sketch->num;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sketch->hashes[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < sketch->num && sketch->hashes[low] == hash)
        return;
    sketch->overflowed |= full;
    sketch->num += !full;
    memmove(sketch->hashes + low + 1, sketch->hashes + low,
            (sketch->num - low - 1) * sizeof sketch->hashes[0]);
    sketch->hashes[low] = hash;
}

hy_distinct hy_sketch_distinct(const hy_sketch *sketch)
{
    if (!sketch->overflowed)
        return (hy_distinct){.estimate = (double)sketch->num};
    double k = HY_SKETCH_SIZE;
    double share = ((double)sketch->hashes[HY_SKETCH_SIZE - 1] + 1) * 0x1p-64;
    double estimate = (k - 1) / share;
    return (hy_distinct){.estimate = estimate, .standard_error = estimate / sqrt(k - 2)};
}

void hy_quantities_of(const hy_game_record *record, uint64_t values[HY_NUM_QUANTITIES])
{
    values[HY_QUANTITY_PLIES] = record->plies;
    values[HY_QUANTITY_TURNS] = record->turns;
    values[HY_QUANTITY_PASSES] = record->passes;
    values[HY_QUANTITY_LAPS] = record->laps;
    values[HY_QUANTITY_COUNTERS] = record->counters;
    values[HY_QUANTITY_CAPTURES] = record->captures;
    values[HY_QUANTITY_CASAS] = record->casas;
    values[HY_QUANTITY_CHAINS] = record->chains;
    values[HY_QUANTITY_LEAD_CHANGES] = record->lead_changes;
    values[HY_QUANTITY_SOUTH_SCORE] = record->score[HY_SOUTH];
    values[HY_QUANTITY_NORTH_SCORE] = record->score[HY_NORTH];
    values[HY_QUANTITY_LEGAL_HOLES] = record->legal_holes;
    values[HY_QUANTITY_DECISION_PLIES] = record->decision_plies;
    values[HY_QUANTITY_SOUTH_CAPTURES] = record->south_captures;
    values[HY_QUANTITY_SOUTH_CHAINS] = record->south_chains;
    values[HY_QUANTITY_CLAIMED] = record->claimed;
}

const uint8_t hy_product_factors[HY_NUM_PRODUCTS][2] = {
    [HY_PRODUCT_PLIES_PLIES] = {HY_QUANTITY_PLIES, HY_QUANTITY_PLIES},
    [HY_PRODUCT_TURNS_TURNS] = {HY_QUANTITY_TURNS, HY_QUANTITY_TURNS},
    [HY_PRODUCT_PASSES_PASSES] = {HY_QUANTITY_PASSES, HY_QUANTITY_PASSES},
    [HY_PRODUCT_LAPS_LAPS] = {HY_QUANTITY_LAPS, HY_QUANTITY_LAPS},
    [HY_PRODUCT_CAPTURES_CAPTURES] = {HY_QUANTITY_CAPTURES, HY_QUANTITY_CAPTURES},
    [HY_PRODUCT_CASAS_CASAS] = {HY_QUANTITY_CASAS, HY_QUANTITY_CASAS},
    [HY_PRODUCT_CHAINS_CHAINS] = {HY_QUANTITY_CHAINS, HY_QUANTITY_CHAINS},
    [HY_PRODUCT_LEAD_CHANGES_LEAD_CHANGES] = {HY_QUANTITY_LEAD_CHANGES, HY_QUANTITY_LEAD_CHANGES},
    [HY_PRODUCT_SOUTH_SCORE_SOUTH_SCORE] = {HY_QUANTITY_SOUTH_SCORE, HY_QUANTITY_SOUTH_SCORE},
    [HY_PRODUCT_NORTH_SCORE_NORTH_SCORE] = {HY_QUANTITY_NORTH_SCORE, HY_QUANTITY_NORTH_SCORE},
    [HY_PRODUCT_LEGAL_HOLES_LEGAL_HOLES] = {HY_QUANTITY_LEGAL_HOLES, HY_QUANTITY_LEGAL_HOLES},
    [HY_PRODUCT_DECISION_PLIES_DECISION_PLIES] = {HY_QUANTITY_DECISION_PLIES,
                                                  HY_QUANTITY_DECISION_PLIES},
    [HY_PRODUCT_SOUTH_CAPTURES_SOUTH_CAPTURES] = {HY_QUANTITY_SOUTH_CAPTURES,
                                                  HY_QUANTITY_SOUTH_CAPTURES},
    [HY_PRODUCT_SOUTH_CHAINS_SOUTH_CHAINS] = {HY_QUANTITY_SOUTH_CHAINS, HY_QUANTITY_SOUTH_CHAINS},
    [HY_PRODUCT_CLAIMED_CLAIMED] = {HY_QUANTITY_CLAIMED, HY_QUANTITY_CLAIMED},
    [HY_PRODUCT_TURNS_PLIES] = {HY_QUANTITY_TURNS, HY_QUANTITY_PLIES},
    [HY_PRODUCT_PASSES_PLIES] = {HY_QUANTITY_PASSES, HY_QUANTITY_PLIES},
    [HY_PRODUCT_LAPS_PLIES] = {HY_QUANTITY_LAPS, HY_QUANTITY_PLIES},
    [HY_PRODUCT_CAPTURES_PLIES] = {HY_QUANTITY_CAPTURES, HY_QUANTITY_PLIES},
    [HY_PRODUCT_CASAS_PLIES] = {HY_QUANTITY_CASAS, HY_QUANTITY_PLIES},
    [HY_PRODUCT_CHAINS_PLIES] = {HY_QUANTITY_CHAINS, HY_QUANTITY_PLIES},
    [HY_PRODUCT_LEAD_CHANGES_PLIES] = {HY_QUANTITY_LEAD_CHANGES, HY_QUANTITY_PLIES},
    [HY_PRODUCT_LEGAL_HOLES_PLIES] = {HY_QUANTITY_LEGAL_HOLES, HY_QUANTITY_PLIES},
    [HY_PRODUCT_DECISION_PLIES_PLIES] = {HY_QUANTITY_DECISION_PLIES, HY_QUANTITY_PLIES},
    [HY_PRODUCT_LEGAL_HOLES_DECISION_PLIES] = {HY_QUANTITY_LEGAL_HOLES, HY_QUANTITY_DECISION_PLIES},
    [HY_PRODUCT_CAPTURES_TURNS] = {HY_QUANTITY_CAPTURES, HY_QUANTITY_TURNS},
    [HY_PRODUCT_CASAS_CAPTURES] = {HY_QUANTITY_CASAS, HY_QUANTITY_CAPTURES},
    [HY_PRODUCT_CHAINS_CAPTURES] = {HY_QUANTITY_CHAINS, HY_QUANTITY_CAPTURES},
    [HY_PRODUCT_SOUTH_CAPTURES_CAPTURES] = {HY_QUANTITY_SOUTH_CAPTURES, HY_QUANTITY_CAPTURES},
    [HY_PRODUCT_SOUTH_CHAINS_CHAINS] = {HY_QUANTITY_SOUTH_CHAINS, HY_QUANTITY_CHAINS},
    [HY_PRODUCT_SOUTH_SCORE_NORTH_SCORE] = {HY_QUANTITY_SOUTH_SCORE, HY_QUANTITY_NORTH_SCORE},
};

static void raise_to(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

#define LOW_BITS 63

hy_wide hy_summary_product(const hy_summary *summary, hy_product product)
{
    return (hy_wide)summary->carries[product] << LOW_BITS | summary->products[product];
}

static void add_to_product(hy_summary *summary, size_t product, hy_wide value)
{
    value += summary->products[product];
    summary->products[product] = (uint64_t)value & INT64_MAX;
    summary->carries[product] += (uint64_t)(value >> LOW_BITS);
}

static void add_products(hy_summary *summary, const uint64_t values[HY_NUM_QUANTITIES])
{
    for (size_t i = 0; i < HY_NUM_PRODUCTS; i++)
        add_to_product(summary, i,
                       (hy_wide)values[hy_product_factors[i][0]] *
                           values[hy_product_factors[i][1]]);
}

/* The same where all values are below 2^31, so that no sum passes 64 bits. */
static void add_small_products(hy_summary *summary, const uint64_t values[HY_NUM_QUANTITIES])
{
    uint64_t bits = 0, *sums = summary->products;
#pragma GCC unroll 64
    for (size_t i = 0; i < HY_NUM_PRODUCTS; i++) {
        sums[i] += values[hy_product_factors[i][0]] * values[hy_product_factors[i][1]];
        bits |= sums[i];
    }
    for (size_t i = 0; bits > INT64_MAX && i < HY_NUM_PRODUCTS; i++) {
        summary->carries[i] += sums[i] >> LOW_BITS;
        sums[i] &= INT64_MAX;
    }
}

hy_status hy_summary_add(hy_summary *summary, const hy_game_record *record, hy_error *error)
{
    uint64_t values[HY_NUM_QUANTITIES], bits = 0;
    hy_quantities_of(record, values);
    summary->games++;
    summary->results[record->result]++;
    summary->terminations[record->termination]++;
    for (size_t i = 0; i < HY_NUM_QUANTITIES; i++) {
        summary->sums[i] += values[i];
        bits |= values[i];
    }
    if (bits <= INT32_MAX)
        add_small_products(summary, values);
    else
        add_products(summary, values);
    raise_to(&summary->max_plies, record->plies);
    raise_to(&summary->longest_turn, record->longest_turn);
    raise_to(&summary->longest_chain, record->longest_chain);
    for (size_t i = 1; i <= record->longest_chain; i++)
        summary->chain_count[i] += record->chain_count[i];
    hy_sketch_add(&summary->sketch, hy_mix64(record->move_hash));
    return hy_summary_add_length(summary, record->termination, record->plies, 1, error);
}

/* Whether no sum overflowed. */
static bool add_all(uint64_t *sums, const uint64_t *others, size_t num)
{
    bool overflow = false;
    for (size_t i = 0; i < num; i++)
        overflow |= __builtin_add_overflow(sums[i], others[i], &sums[i]);
    return !overflow;
}

hy_status hy_summary_merge(hy_summary *summary, const hy_summary *other, hy_error *error)
{
    summary->games += other->games;
    bool fits = add_all(summary->results, other->results, HY_NUM_RESULTS) &&
                add_all(summary->terminations, other->terminations, HY_NUM_TERMINATIONS) &&
                add_all(summary->sums, other->sums, HY_NUM_QUANTITIES) &&
                add_all(summary->carries, other->carries, HY_NUM_PRODUCTS) &&
                add_all(summary->chain_count, other->chain_count, HY_MAX_CHAIN + 1);
    if (!fits)
        return hy_fail(error, HY_FAILED, "a sum over games does not fit into 64 bits");
    for (size_t i = 0; i < HY_NUM_PRODUCTS; i++)
        add_to_product(summary, i, other->products[i]);
    raise_to(&summary->max_plies, other->max_plies);
    raise_to(&summary->longest_turn, other->longest_turn);
    raise_to(&summary->longest_chain, other->longest_chain);
    summary->sketch.overflowed |= other->sketch.overflowed;
    for (size_t i = 0; i < other->sketch.num; i++)
        hy_sketch_add(&summary->sketch, other->sketch.hashes[i]);
    for (size_t i = 0; i < other->length_capacity; i++) {
        const hy_length_count *length = &other->lengths[i];
        if (length->termination == 0)
            continue;
        hy_status status = hy_summary_add_length(summary, length->termination, length->plies,
                                                 length->games, error);
        if (status != HY_OK)
            return status;
    }
    return HY_OK;
}

static int compare_lengths(const void *a, const void *b)
{
    const hy_length_count *x = a, *y = b;
    if (x->termination != y->termination)
        return x->termination < y->termination ? -1 : 1;
    return (x->plies > y->plies) - (x->plies < y->plies);
}

hy_status hy_summary_lengths(const hy_summary *summary, hy_length_count **lengths, hy_error *error)
{
    hy_length_count *rows = hy_new_array(summary->num_lengths, sizeof *rows);
    if (!rows)
        return hy_fail_memory(error);
    size_t num = 0;
    for (size_t i = 0; i < summary->length_capacity; i++) {
        if (summary->lengths[i].termination > 0)
            rows[num++] = summary->lengths[i];
    }
    qsort(rows, num, sizeof *rows, compare_lengths);
    *lengths = rows;
    return HY_OK;
}
