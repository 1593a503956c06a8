#include "solve/prove.h"

#include "base/clock.h"
#include "solve/contest.h"
#include "solve/outcome.h"
#include "solve/verify_claim.h"

#define DEFAULT_MEMORY ((uint64_t)256 << 20)

static void take_bounds(const hy_contest *contest, hy_proof *proof)
{
    proof->lower = hy_contest_lower(contest);
    proof->upper = hy_contest_upper(contest);
    proof->proved = proof->lower == proof->upper;
    proof->sign_proved = proof->proved || proof->lower > 0 || proof->upper < 0;
    proof->level[HY_SOUTH] = contest->side[HY_SOUTH].at;
    proof->level[HY_NORTH] = contest->side[HY_NORTH].at;
    proof->nodes = proof->all_nodes = contest->nodes;
    proof->unresolved = contest->unresolved;
    proof->seconds = hy_now() - contest->started;
}

static hy_status verify(hy_contest *contest, hy_proof *proof, hy_error *error)
{
    hy_status status = HY_OK;
    for (int side = HY_SOUTH; side <= HY_NORTH && status == HY_OK; side++) {
        uint64_t positions = 0;
        status = hy_verify_claim(contest, (hy_player)side, contest->side[side].proved, &positions,
                                 error);
        proof->verified_positions += positions;
    }
    proof->verified = status == HY_OK;
    return status;
}

/* A position that has a table needs no search. */
static bool look_up(hy_contest *contest)
{
    const hy_value_source *source = contest->source;
    const hy_position *position = contest->position;
    if (!source->has(source->context, position->left))
        return false;
    int value = source->value(source->context, position);
    int south = position->mover == HY_SOUTH ? value : -value;
    contest->side[HY_SOUTH].proved = south;
    contest->side[HY_NORTH].proved = -south;
    return true;
}

static hy_status prove(hy_contest *contest, hy_proof *proof, hy_error *error)
{
    hy_status status = HY_OK;
    hy_contest_reset(contest);
    bool has_table = look_up(contest);
    if (!has_table)
        status = hy_contest_run(contest, error);
    take_bounds(contest, proof);
    if (status == HY_OK && contest->options->verify && !has_table)
        status = verify(contest, proof, error);
    if (status == HY_OK && proof->proved)
        status = hy_outcome_find(contest, proof, error);
    const atomic_int *stop = contest->options->stop;
    if (status == HY_OK && stop && atomic_load(stop) != 0)
        status = hy_fail(error, HY_INTERRUPTED, "interrupted with the value from %d to %d",
                         proof->lower, proof->upper);
    return status;
}

hy_status hy_prove(const hy_rules *rules, const hy_value_source *source,
                   const hy_position *position, const hy_prove_options *options, hy_proof *proof,
                   hy_error *error)
{
    hy_proof_table table;
    hy_contest contest = {
        .rules = rules,
        .source = source,
        .options = options,
        .position = position,
        .goal = options->sign ? HY_GOAL_SIGN : HY_GOAL_VALUE,
        .table = &table,
        .max_laps = options->max_laps > 0 ? options->max_laps : HY_DEFAULT_MAX_LAPS,
        .max_level = options->max_level > 0 ? options->max_level : HY_MAX_LEVEL,
        .started = hy_now(),
    };
    *proof = (hy_proof){.lower = -(int)position->left, .upper = (int)position->left};
    hy_status status = hy_branch_check(rules, error);
    if (status != HY_OK)
        return status;
    if (options->seconds > 0)
        contest.deadline = contest.started + options->seconds;
    uint64_t memory = options->memory > 0 ? options->memory : DEFAULT_MEMORY;
    status = hy_proof_table_init(&table, memory, error);
    if (status != HY_OK)
        return status;
    if (pthread_mutex_init(&contest.lock, NULL) != 0) {
        hy_proof_table_clean_up(&table);
        return hy_fail(error, HY_FAILED, "cannot make a lock");
    }
    status = prove(&contest, proof, error);
    pthread_mutex_destroy(&contest.lock);
    hy_proof_table_clean_up(&table);
    return status;
}
