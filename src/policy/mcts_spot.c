/* Positions on the way down the tree, in rows. */
#include "policy/mcts_rows.h"

hy_mcts_spot hy_mcts_spot_of(const hy_rules *rules, const hy_position *position)
{
    return (hy_mcts_spot){
        .rows = hy_rows_of(rules, position->board),
        .score = {position->score[HY_SOUTH], position->score[HY_NORTH]},
        .left = position->left,
        .mover = position->mover,
    };
}

hy_position hy_mcts_spot_unpack(const hy_rules *rules, const hy_mcts_spot *spot)
{
    hy_position position = {
        .score = {spot->score[HY_SOUTH], spot->score[HY_NORTH]},
        .left = spot->left,
        .mover = spot->mover,
    };
    hy_rows_unpack(rules, spot->rows, position.board);
    return position;
}

static void give(hy_mcts_spot *spot, unsigned player, unsigned counters)
{
    spot->score[player] = (uint16_t)(spot->score[player] + counters);
    spot->left = (uint16_t)(spot->left - counters);
}

/* Step (g) of rules/ply.h, where the player to move has no hole. */
static hy_termination settle(const hy_rules *rules, hy_mcts_spot *spot)
{
    uint8_t waiting = !spot->mover;
    if (rules->no_move == HY_NO_MOVE_SWEEP) {
        give(spot, waiting, spot->left);
        return HY_SWEPT;
    }
    if (hy_rows_row(spot->rows, waiting) == 0)
        return HY_STUCK;
    spot->mover = waiting;
    return HY_GOES_ON;
}

hy_termination hy_mcts_spot_play(const hy_rows_sower *sower, uint64_t max_laps,
                                 const hy_mcts_spot *before, unsigned hole, hy_mcts_spot *after)
{
    const hy_rules *rules = &sower->rules;
    const uint8_t mover = before->mover;
    hy_rows rows = before->rows;
    unsigned casas;
    hy_ending ending =
        hy_rows_sow(sower, &rows, mover, hy_rows_place(rules, hole), max_laps, &casas);
    *after = *before;
    after->rows = rows;
    after->captured = casas > 0;
    after->mover = casas > 0 && rules->extra_turn ? mover : !mover;
    if (ending == HY_ENDING_ENDLESS || ending == HY_ENDING_UNRESOLVED)
        return ending == HY_ENDING_ENDLESS ? HY_ENDLESS : HY_UNRESOLVED;
    give(after, mover, casas * rules->casa);
    if (casas > 0 && after->left > 0 && after->left <= rules->claim) {
        give(after, rules->claim_by == HY_CLAIM_STARTER ? HY_SOUTH : mover, after->left);
        return HY_CLAIMED;
    }
    if (after->left < rules->casa)
        return HY_EXHAUSTED;
    return hy_rows_row(rows, after->mover) == 0 ? settle(rules, after) : HY_GOES_ON;
}
