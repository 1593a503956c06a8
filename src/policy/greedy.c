/* greedy: the hole whose ply brings the mover the most counters, a claim included. */
#include "policy/types.h"

enum { TIES };
enum { TIES_RANDOM, TIES_FIRST };

static const hy_parameter parameters[] = {
    [TIES] = {.key = "ties",
              .kind = HY_PARAMETER_WORD,
              .words = {[TIES_RANDOM] = "random", [TIES_FIRST] = "first"},
              .preset = TIES_RANDOM,
              .meaning = "among equally good holes: one at random, or the lowest number"},
};

static unsigned counters_won(const hy_choice *choice, unsigned hole)
{
    hy_position after;
    hy_ply ply;
    const hy_position *before = choice->position;
    hy_ply_play(choice->rules, before, hole, choice->max_laps, &after, &ply);
    return (unsigned)(after.score[before->mover] - before->score[before->mover]);
}

static unsigned choose(hy_policy *policy, const hy_choice *choice)
{
    hy_moves best = {0};
    unsigned most = 0;
    for (unsigned i = 0; i < choice->moves->num; i++) {
        unsigned won = counters_won(choice, choice->moves->hole[i]);
        if (won > most) {
            most = won;
            best.num = 0;
        }
        if (won == most)
            best.hole[best.num++] = choice->moves->hole[i];
    }
    return hy_break_tie(choice, &best, policy->spec->values[TIES] > 0);
}

const hy_policy_type hy_greedy_policy = {
    .name = "greedy",
    .meaning = "the hole whose ply brings the mover the most counters",
    .parameters = parameters,
    .num_parameters = sizeof parameters / sizeof parameters[0],
    .choose = choose,
};
