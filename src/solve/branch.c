#include "solve/branch.h"

hy_status hy_branch_check(const hy_rules *rules, hy_error *error)
{
    const char *field = NULL;
    if (rules->claim > 0 && rules->claim_by != HY_CLAIM_CAPTURER)
        field = "claim_by: starter";
    else if (rules->repetition > 0)
        field = "repetition";
    else if (rules->unfinished != HY_UNFINISHED_SCORE)
        field = "unfinished: void";
    if (!field)
        return HY_OK;
    return hy_fail(error, HY_INVALID,
                   "'%s': the value of a position would depend on more than its board, and is not "
                   "computed",
                   field);
}

static int modulo(int a, int b)
{
    return (a % b + b) % b;
}

/* Wins are whole casas, but for a claim of what is left, which is whole casas and the rest. */
int hy_value_up(const hy_rules *rules, unsigned left, int value)
{
    int casa = rules->casa, rest = (int)left % casa, up = casa;
    const int ways[3] = {0, rest, -rest};
    for (unsigned i = 0; i < 3; i++) {
        int step = modulo(ways[i] - value, casa);
        up = step < up ? step : up;
    }
    return value + up;
}

int hy_value_down(const hy_rules *rules, unsigned left, int value)
{
    return -hy_value_up(rules, left, -value);
}

static bool has_filled_hole(const hy_rules *rules, const hy_position *position)
{
    unsigned first = position->mover == HY_SOUTH ? 0 : rules->holes;
    for (unsigned i = first; i < first + rules->holes; i++) {
        if (position->board[i] > 0)
            return true;
    }
    return false;
}

/* Passes or sweeps where the mover has no hole; false: that ends the game. */
static bool settle(const hy_rules *rules, uint64_t max_laps, hy_position *position)
{
    if (rules->endless == HY_ENDLESS_ANNUL && has_filled_hole(rules, position))
        return true;
    hy_moves moves;
    uint32_t passes = 0;
    return hy_settle(rules, max_laps, position, &moves, &passes) == HY_GOES_ON;
}

hy_ending hy_branch_make(const hy_rules *rules, const hy_position *position, unsigned hole,
                         uint64_t max_laps, hy_branch *branch)
{
    hy_ply ply;
    hy_player mover = position->mover, other = hy_opponent(mover);
    hy_position *after = &branch->position;
    hy_ply_play(rules, position, hole, max_laps, after, &ply);
    if (ply.sowing.ending == HY_ENDING_UNRESOLVED ||
        (ply.sowing.ending == HY_ENDING_ENDLESS && rules->endless == HY_ENDLESS_FORBID))
        return ply.sowing.ending;
    branch->hole = (uint8_t)hole;
    branch->captured = ply.captured;
    branch->over = ply.termination != HY_GOES_ON || !settle(rules, max_laps, after);
    branch->gain = (after->score[mover] - position->score[mover]) -
                   (after->score[other] - position->score[other]);
    branch->same_mover = after->mover == mover;
    return ply.sowing.ending;
}
