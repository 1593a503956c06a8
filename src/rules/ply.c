#include "rules/ply.h"

const char *const hy_termination_words[HY_NUM_TERMINATIONS] = {
    "none",       "claimed", "exhausted",  "swept",     "stuck",
    "repetition", "endless", "unresolved", "truncated",
};

const char *const hy_result_words[HY_NUM_RESULTS] = {"south", "north", "draw", "none"};

static bool is_endless(const hy_rules *rules, const hy_position *position, unsigned hole,
                       uint64_t max_laps)
{
    uint16_t after[HY_MAX_BOARD];
    hy_sowing sowing;
    hy_sow(rules, position->board, hole, position->mover, max_laps, after, &sowing);
    return sowing.ending == HY_ENDING_ENDLESS;
}

static void forbid_endless(const hy_rules *rules, const hy_position *position, uint64_t max_laps,
                           hy_moves *moves)
{
    uint8_t num = 0;
    for (uint8_t i = 0; i < moves->num; i++) {
        if (!is_endless(rules, position, moves->hole[i], max_laps))
            moves->hole[num++] = moves->hole[i];
    }
    moves->num = num;
}

void hy_legal_moves(const hy_rules *rules, const hy_position *position, uint64_t max_laps,
                    hy_moves *moves)
{
    unsigned first = position->mover == HY_SOUTH ? 0 : rules->holes;
    unsigned num = 0;
    for (unsigned hole = first; hole < first + rules->holes; hole++) {
        moves->hole[num] = (uint8_t)hole;
        num += position->board[hole] > 0;
    }
    moves->num = (uint8_t)num;
    if (rules->endless == HY_ENDLESS_FORBID)
        forbid_endless(rules, position, max_laps, moves);
}

bool hy_is_playable(const hy_rules *rules, const hy_position *position, unsigned hole)
{
    return hole < 2u * rules->holes && hy_owner(rules, hole) == position->mover &&
           position->board[hole] > 0;
}

static void take(hy_position *position, hy_player player, unsigned counters)
{
    position->score[player] = (uint16_t)(position->score[player] + counters);
    position->left = (uint16_t)(position->left - counters);
}

/* What is on the board goes to `player`. */
static void take_all(hy_position *position, hy_player player)
{
    take(position, player, position->left);
    for (unsigned hole = 0; hole < HY_MAX_BOARD; hole++)
        position->board[hole] = 0;
}

/* Steps (c), (d) and (e). */
static hy_termination end_of_counters(const hy_rules *rules, hy_player mover, hy_position *after,
                                      hy_ply *ply)
{
    if (ply->captured && after->left > 0 && after->left <= rules->claim) {
        ply->claimed = after->left;
        take_all(after, rules->claim_by == HY_CLAIM_STARTER ? HY_SOUTH : mover);
        return HY_CLAIMED;
    }
    return after->left < rules->casa ? HY_EXHAUSTED : HY_GOES_ON;
}

void hy_ply_play(const hy_rules *rules, const hy_position *before, unsigned hole, uint64_t max_laps,
                 hy_position *after, hy_ply *ply)
{
    hy_player mover = before->mover;
    const hy_sowing *sowing = &ply->sowing;
    hy_sow(rules, before->board, hole, mover, max_laps, after->board, &ply->sowing);
    after->score[HY_SOUTH] = before->score[HY_SOUTH];
    after->score[HY_NORTH] = before->score[HY_NORTH];
    after->left = before->left;
    after->mover = (uint8_t)hy_opponent(mover);
    ply->captured = false;
    ply->sower_captured = false;
    ply->again = false;
    ply->claimed = 0;
    ply->termination = HY_GOES_ON;
    if (sowing->ending == HY_ENDING_ENDLESS || sowing->ending == HY_ENDING_UNRESOLVED) {
        ply->termination = sowing->ending == HY_ENDING_ENDLESS ? HY_ENDLESS : HY_UNRESOLVED;
        return;
    }
    unsigned casas[2] = {sowing->en_passant[HY_SOUTH], sowing->en_passant[HY_NORTH]};
    casas[mover] += sowing->casas;
    ply->sower_captured = casas[mover] > 0;
    ply->captured = casas[HY_SOUTH] + casas[HY_NORTH] > 0;
    if (ply->captured) {
        take(after, HY_SOUTH, casas[HY_SOUTH] * rules->casa);
        take(after, HY_NORTH, casas[HY_NORTH] * rules->casa);
    }
    ply->termination = end_of_counters(rules, mover, after, ply);
    if (ply->sower_captured && rules->extra_turn) {
        after->mover = (uint8_t)mover;
        ply->again = ply->termination == HY_GOES_ON;
    }
}

hy_termination hy_settle(const hy_rules *rules, uint64_t max_laps, hy_position *position,
                         hy_moves *moves, uint32_t *passes)
{
    hy_legal_moves(rules, position, max_laps, moves);
    if (__builtin_expect(moves->num > 0, 1))
        return HY_GOES_ON;
    hy_player waiting = hy_opponent(position->mover);
    if (rules->no_move == HY_NO_MOVE_SWEEP) {
        take_all(position, waiting);
        return HY_SWEPT;
    }
    position->mover = (uint8_t)waiting;
    hy_legal_moves(rules, position, max_laps, moves);
    if (moves->num == 0) {
        position->mover = (uint8_t)hy_opponent(waiting);
        return HY_STUCK;
    }
    ++*passes;
    return HY_GOES_ON;
}

hy_result hy_game_result(const hy_rules *rules, const hy_position *position,
                         hy_termination termination)
{
    switch (termination) {
    case HY_CLAIMED:
    case HY_EXHAUSTED:
    case HY_SWEPT:
        break;
    case HY_STUCK:
    case HY_REPETITION:
    case HY_ENDLESS:
        if (rules->unfinished == HY_UNFINISHED_VOID)
            return HY_RESULT_NONE;
        break;
    case HY_GOES_ON:
    case HY_UNRESOLVED:
    case HY_TRUNCATED:
    case HY_NUM_TERMINATIONS:
        return HY_RESULT_NONE;
    }
    if (position->score[HY_SOUTH] == position->score[HY_NORTH])
        return HY_RESULT_DRAW;
    return position->score[HY_SOUTH] > position->score[HY_NORTH] ? HY_RESULT_SOUTH
                                                                 : HY_RESULT_NORTH;
}
