/* The course of a game: the values of its positions, and what they say of the game.
 *
 * e_p(t) is the value to player p of the position after ply t: the final difference that is
 * expected (captured so far and what is still to be won, less the same of the opponent) as a share
 * of all counters, −1 … 1. With two players e_north = −e_south. The measures are those of Browne,
 * "Automatic generation and evaluation of recombination games" (PhD thesis, Queensland University
 * of Technology, 2008), in the words of Ludii's evaluation code, without its faults: nothing is
 * divided as integers, and no maximum starts at 0. Positions after plies count, t = 1 … T; the
 * start does not, but where it is named. */
#ifndef HY_SIM_COURSE_H
#define HY_SIM_COURSE_H

#include "rules/ply.h"

/* Values of one game; the arrays are the caller's. */
typedef struct hy_course {
    const double *value; /* [plies + 1] e_south(t); [0] is the start */
    const int *lead;     /* [plies + 1] counters that south has captured more than north */
    uint32_t plies;      /* T */
    hy_result result;
} hy_course;

/* A quantity of one game, y of x: x is how much of the denominator the game has. Where it does not
 * take part (no winner where one is needed, no ply), both are 0. */
typedef struct hy_portion {
    double y, x;
} hy_portion;

/* Mean over the plies of (best e − e of the winner). Per game with a winner. */
hy_portion hy_course_drama(const hy_course *course);

/* Changes of the player whose e is positive, of plies; the first lead is none, and an e of 0
 * changes nothing. */
hy_portion hy_course_lead_changes(const hy_course *course);

/* Sum over the players of the variance (by T) of e. Per game with a ply. */
hy_portion hy_course_stability(const hy_course *course);

/* Highest e that a player who did not win ever had; below 0 where the winner always led. Per game
 * with a result and a ply; in a draw nobody won. */
hy_portion hy_course_decisiveness_threshold(const hy_course *course);

/* (s − 1) / T, where s is the first ply after which the winner's e exceeds the threshold; 1 where
 * it never does. Per game with a winner. */
hy_portion hy_course_decisiveness_plies(const hy_course *course);

/* 1 where the winner had e < 0 after ply T/2 (rounded down; 0 is the start), else 0. Per game with
 * a winner. */
hy_portion hy_course_comeback(const hy_course *course);

/* The same by the counters captured. */
hy_portion hy_course_comeback_by_score(const hy_course *course);

#endif
