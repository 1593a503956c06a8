#include "sim/course.h"

#include <math.h>

static const hy_portion no_part = {0, 0};

static bool has_winner(const hy_course *course)
{
    return course->plies > 0 &&
           (course->result == HY_RESULT_SOUTH || course->result == HY_RESULT_NORTH);
}

/* 1 where south won, −1 where north did. */
static int winner_sign(const hy_course *course)
{
    return course->result == HY_RESULT_SOUTH ? 1 : -1;
}

hy_portion hy_course_drama(const hy_course *course)
{
    double sum = 0;
    if (!has_winner(course))
        return no_part;
    for (uint32_t t = 1; t <= course->plies; t++)
        sum += fabs(course->value[t]) - winner_sign(course) * course->value[t];
    return (hy_portion){sum / course->plies, 1};
}

hy_portion hy_course_lead_changes(const hy_course *course)
{
    double leader = 0, changes = 0;
    for (uint32_t t = 1; t <= course->plies; t++) {
        double value = course->value[t];
        if (value == 0)
            continue;
        changes += leader * value < 0;
        leader = value > 0 ? 1 : -1;
    }
    return (hy_portion){changes, course->plies};
}

hy_portion hy_course_stability(const hy_course *course)
{
    double sum = 0, squares = 0, T = course->plies;
    if (course->plies == 0)
        return no_part;
    for (uint32_t t = 1; t <= course->plies; t++)
        sum += course->value[t];
    double mean = sum / T;
    for (uint32_t t = 1; t <= course->plies; t++)
        squares += (course->value[t] - mean) * (course->value[t] - mean);
    return (hy_portion){2 * squares / T, 1};
}

hy_portion hy_course_decisiveness_threshold(const hy_course *course)
{
    double highest = -INFINITY;
    if (course->plies == 0 || course->result == HY_RESULT_NONE)
        return no_part;
    for (uint32_t t = 1; t <= course->plies; t++) {
        double value = course->value[t];
        if (course->result != HY_RESULT_SOUTH)
            highest = fmax(highest, value);
        if (course->result != HY_RESULT_NORTH)
            highest = fmax(highest, -value);
    }
    return (hy_portion){highest + 0.0, 1}; /* no −0 */
}

hy_portion hy_course_decisiveness_plies(const hy_course *course)
{
    if (!has_winner(course))
        return no_part;
    double threshold = hy_course_decisiveness_threshold(course).y;
    for (uint32_t t = 1; t <= course->plies; t++) {
        if (winner_sign(course) * course->value[t] > threshold)
            return (hy_portion){(double)(t - 1) / course->plies, 1};
    }
    return (hy_portion){1, 1};
}

hy_portion hy_course_comeback(const hy_course *course)
{
    if (!has_winner(course))
        return no_part;
    return (hy_portion){winner_sign(course) * course->value[course->plies / 2] < 0, 1};
}

hy_portion hy_course_comeback_by_score(const hy_course *course)
{
    if (!has_winner(course))
        return no_part;
    return (hy_portion){winner_sign(course) * course->lead[course->plies / 2] < 0, 1};
}
