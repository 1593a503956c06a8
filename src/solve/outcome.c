#include "solve/outcome.h"

#include "base/clock.h"

#define OUTCOME_NODES 200000u

/* Whether south wins at least `claim` from a settled position; HY_UNPROVED: not found out. */
static hy_status ask(const hy_contest *contest, const hy_position *position, int claim,
                     uint64_t node_limit, hy_proof *proof, hy_verdict *verdict, hy_error *error)
{
    hy_prove_options options = *contest->options;
    options.progress = NULL;
    hy_contest question = {
        .rules = contest->rules,
        .source = contest->source,
        .options = &options,
        .position = position,
        .table = contest->table,
        .goal = HY_GOAL_CLAIM,
        .claim = claim,
        .max_laps = contest->max_laps,
        .max_level = contest->max_level,
        .started = hy_now(),
        .deadline = contest->deadline,
        .node_limit = node_limit,
    };
    hy_contest_reset(&question);
    if (pthread_mutex_init(&question.lock, NULL) != 0)
        return hy_fail(error, HY_FAILED, "cannot make a lock");
    hy_status status = hy_contest_run(&question, error);
    pthread_mutex_destroy(&question.lock);
    proof->all_nodes += question.nodes;
    *verdict = hy_contest_lower(&question) >= claim  ? HY_PROVED
               : hy_contest_upper(&question) < claim ? HY_REFUTED
                                                     : HY_UNPROVED;
    return status;
}

/* Whether a ply keeps the mover's value. */
static hy_status ask_branch(const hy_contest *contest, hy_player mover, const hy_branch *branch,
                            int wins, uint64_t node_limit, hy_proof *proof, hy_verdict *verdict,
                            hy_error *error)
{
    int rest = wins - branch->gain; /* to be won by the mover */
    *verdict = hy_force_settled(contest->source, branch, mover, rest);
    if (*verdict != HY_UNPROVED)
        return HY_OK;
    int claim = mover == HY_SOUTH ? rest : 1 - rest;
    hy_status status = ask(contest, &branch->position, claim, node_limit, proof, verdict, error);
    if (mover == HY_NORTH && *verdict != HY_UNPROVED)
        *verdict = *verdict == HY_PROVED ? HY_REFUTED : HY_PROVED;
    return status;
}

static hy_status find_best(const hy_contest *contest, hy_proof *proof, hy_error *error)
{
    const hy_position *position = contest->position;
    hy_player mover = position->mover;
    hy_moves moves;
    int wins = mover == HY_SOUTH ? proof->lower : -proof->lower;
    uint64_t limit = proof->nodes > OUTCOME_NODES ? proof->nodes : OUTCOME_NODES;
    hy_legal_moves(contest->rules, position, contest->max_laps, &moves);
    for (unsigned i = 0; i < moves.num; i++) {
        hy_branch branch;
        hy_verdict verdict;
        if (hy_branch_make(contest->rules, position, moves.hole[i], contest->max_laps, &branch) ==
            HY_ENDING_UNRESOLVED) {
            proof->open[proof->num_open++] = moves.hole[i];
            continue;
        }
        hy_status status = ask_branch(contest, mover, &branch, wins, limit, proof, &verdict, error);
        if (status != HY_OK)
            return status;
        if (verdict == HY_PROVED)
            proof->best[proof->num_best++] = moves.hole[i];
        else if (verdict == HY_UNPROVED)
            proof->open[proof->num_open++] = moves.hole[i];
    }
    return HY_OK;
}

static uint8_t any_hole(const hy_forcing *search, const hy_position *position)
{
    hy_moves moves;
    hy_legal_moves(search->rules, position, search->max_laps, &moves);
    return moves.hole[0];
}

/* A hole by which the mover is proved to keep the value; HY_NO_HOLE: not found. */
static uint8_t keeping_hole(hy_forcing *search, const hy_position *position, int wins,
                            unsigned max_level)
{
    if (wins <= -(int)position->left)
        return any_hole(search, position);
    search->node_limit = search->nodes + OUTCOME_NODES;
    for (unsigned level = 0; level <= max_level; level++) {
        hy_verdict verdict = hy_force(search, position, position->mover, wins, level);
        if (search->stopped || verdict == HY_REFUTED)
            break;
        if (verdict == HY_PROVED)
            return search->best_hole;
    }
    return HY_NO_HOLE;
}

static bool was_on_line(const hy_position *seen, unsigned num, const hy_position *position)
{
    for (unsigned i = 0; i < num; i++) {
        if (hy_positions_are_equal(&seen[i], position))
            return true;
    }
    return false;
}

/* Both play holes that keep the value, until a table or the end is reached, a position comes again,
 * or no such hole is found quickly. */
static void follow_line(const hy_contest *contest, hy_forcing *search, hy_proof *proof)
{
    hy_position seen[HY_MAX_PROOF_LINE];
    hy_branch branch = {.position = *contest->position};
    int value = proof->lower; /* still to be won by south */
    while (proof->line_length < HY_MAX_PROOF_LINE && !branch.over) {
        hy_position position = branch.position;
        hy_player mover = position.mover;
        if (contest->source->has(contest->source->context, position.left) ||
            was_on_line(seen, proof->line_length, &position))
            return;
        seen[proof->line_length] = position;
        uint8_t hole =
            keeping_hole(search, &position, mover == HY_SOUTH ? value : -value, contest->max_level);
        if (hole == HY_NO_HOLE)
            return;
        if (hy_branch_make(contest->rules, &position, hole, contest->max_laps, &branch) ==
            HY_ENDING_UNRESOLVED)
            return;
        proof->line[proof->line_length++] = hole;
        value -= mover == HY_SOUTH ? branch.gain : -branch.gain;
    }
}

hy_status hy_outcome_find(hy_contest *contest, hy_proof *proof, hy_error *error)
{
    hy_forcing search;
    hy_status status = find_best(contest, proof, error);
    if (status != HY_OK)
        return status;
    status = hy_forcing_init(&search, contest->rules, contest->max_laps, contest->source,
                             contest->table, error);
    if (status == HY_OK)
        follow_line(contest, &search, proof);
    proof->all_nodes += search.nodes;
    hy_forcing_clean_up(&search);
    return status;
}
