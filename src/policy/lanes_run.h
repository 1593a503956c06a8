/* Runs of policy/lanes.h, made for the commonest rules and sizes. Private to src/policy. */
#ifndef HY_POLICY_LANES_RUN_H
#define HY_POLICY_LANES_RUN_H

#include "base/memory.h"
#include "policy/lanes_engine.h"

static __attribute__((noinline)) void run_6(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    run(lanes,
        &(hy_lanes_terms){.holes = 6, .size = 12, .round = 12, .casa = terms->casa, .relay = true});
}

static __attribute__((noinline)) void run_12(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    run(lanes, &(hy_lanes_terms){
                   .holes = 12, .size = 24, .round = 24, .casa = terms->casa, .relay = true});
}

/* Any size; captures on either side, nothing en passant, and all holes sown. */
static __attribute__((noinline)) void run_usual(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    run(lanes, &(hy_lanes_terms){.holes = terms->holes,
                                 .size = terms->size,
                                 .round = terms->size,
                                 .casa = terms->casa,
                                 .relay = true});
}

static __attribute__((noinline)) void run_sided(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    hy_lanes_terms fixed = *terms;
    fixed.en_passant = HY_EN_PASSANT_NONE;
    run(lanes, &fixed);
}

static __attribute__((noinline)) void run_for_sower(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    hy_lanes_terms fixed = *terms;
    fixed.en_passant = HY_EN_PASSANT_SOWER;
    run(lanes, &fixed);
}

static __attribute__((noinline)) void run_for_owner(hy_lanes *lanes, const hy_lanes_terms *terms)
{
    hy_lanes_terms fixed = *terms;
    fixed.en_passant = HY_EN_PASSANT_OWNER;
    run(lanes, &fixed);
}

static void run_any(hy_lanes *lanes, const hy_rules *rules)
{
    hy_lanes_terms terms = {
        .holes = rules->holes,
        .size = 2u * rules->holes,
        .round = 2u * rules->holes - rules->skip_origin,
        .casa = rules->final_capture ? rules->casa : 0,
        .one_sided = rules->capture_side != HY_SIDE_ANY,
        .en_passant = (hy_en_passant)rules->en_passant,
        .relay = rules->relay,
    };
    switch (terms.en_passant) {
    case HY_EN_PASSANT_SOWER:
        run_for_sower(lanes, &terms);
        return;
    case HY_EN_PASSANT_OWNER:
        run_for_owner(lanes, &terms);
        return;
    case HY_EN_PASSANT_NONE:
        break;
    }
    if (rules->skip_origin || terms.one_sided || !rules->relay)
        run_sided(lanes, &terms);
    else if (rules->holes == 6)
        run_6(lanes, &terms);
    else if (rules->holes == 12)
        run_12(lanes, &terms);
    else
        run_usual(lanes, &terms);
}

static hy_status play(const hy_lanes_job *job, hy_error *error)
{
    size_t size = (sizeof(hy_lanes) + 63) / 64 * 64;
    hy_lanes *lanes = aligned_alloc(64, size);
    if (!lanes)
        return hy_fail_memory(error);
    memset(lanes, 0, size);
    lanes->error = error;
    lanes->job = job;
    lanes->terms = job->terms;
    lanes->rules = job->terms->rules;
    lanes->random.opening = job->terms->opening_plies > 0;
    lanes->random.keys = hy_philox_keys_of(job->seed);
    lanes->proofs.possible = hy_prover_handles(lanes->rules);
    if (lanes->proofs.possible)
        hy_prover_init(&lanes->proofs.prover, lanes->rules, job->terms->max_laps);
    hy_lane_image_begin(job->terms, &lanes->beginning);
    run_any(lanes, lanes->rules);
    hy_status status = lanes->status;
    for (unsigned lane = 0; lane < LANES; lane++)
        free(lanes->games[lane].holes.holes);
    for (unsigned place = 0; place < HY_PROVER_CHAINS; place++)
        free(lanes->proofs.games[place].game.holes.holes);
    free(lanes);
    return status;
}

#endif
