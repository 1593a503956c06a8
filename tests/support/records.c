#include "support/records.h"

#include <string.h>

#define COMPARE(field)                                                                             \
    if (a->field != b->field)                                                                      \
    return #field

const char *record_difference(const hy_game_record *a, const hy_game_record *b)
{
    COMPARE(termination);
    COMPARE(result);
    COMPARE(score[HY_SOUTH]);
    COMPARE(score[HY_NORTH]);
    COMPARE(plies);
    COMPARE(turns);
    COMPARE(passes);
    COMPARE(laps);
    COMPARE(counters);
    COMPARE(captures);
    COMPARE(casas);
    COMPARE(chains);
    COMPARE(longest_chain);
    COMPARE(longest_turn);
    COMPARE(lead_changes);
    COMPARE(legal_holes);
    COMPARE(decision_plies);
    COMPARE(south_captures);
    COMPARE(south_chains);
    COMPARE(claimed);
    COMPARE(move_hash);
    return memcmp(a->chain_count, b->chain_count, sizeof a->chain_count) == 0 ? NULL
                                                                              : "chain_count";
}
