/* Policies for tests, from their text; the test fails where it is none. */
#ifndef HY_SUPPORT_POLICIES_H
#define HY_SUPPORT_POLICIES_H

#include "policy/policy.h"
#include "support/dice.h"

hy_policy_spec *spec_of(const char *text);

/* A policy and its spec. */
typedef struct player {
    hy_policy_spec *spec;
    hy_policy *policy;
} player;

player player_of(const char *text, const hy_rules *rules);
void player_clean_up(player *p);

/* A position with at least two legal holes, reached by random plies or made up. */
typedef struct scene {
    hy_rules rules;
    hy_position position;
    hy_moves moves;
} scene;

scene scene_random(dice *d);

/* One choice, checked to be legal. */
unsigned choose_in(const player *p, const scene *s, hy_stream *stream);

/* Counters that the hole brings the player to move at once. */
unsigned counters_won(const scene *s, unsigned hole);

#define SCENE_MAX_LAPS 500

#endif
