#include "cli/exact_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUM_QUANTILES 7

static const double quantile_shares[NUM_QUANTILES] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
static const char *const quantile_keys[NUM_QUANTILES] = {"p01", "p05", "p25", "median",
                                                         "p75", "p95", "p99"};
static const char *const reward_words[HY_NUM_REWARDS] = {"plies", "turns", "captures"};
static const char why_null[] = "some games never end, so the expectation is infinite";

static double result_share(const hy_exact *exact, hy_result result)
{
    double sum = 0;
    for (unsigned t = 0; t < HY_NUM_TERMINATIONS; t++)
        sum += exact->random.share[t][result];
    return sum;
}

static double termination_share(const hy_exact *exact, hy_termination termination)
{
    double sum = 0;
    for (unsigned r = 0; r < HY_NUM_RESULTS; r++)
        sum += exact->random.share[termination][r];
    return sum;
}

/* A win 1, a draw one half, over the games with a result; NaN where there are none. */
static double first_player_score(const hy_exact *exact)
{
    double south = result_share(exact, HY_RESULT_SOUTH),
           north = result_share(exact, HY_RESULT_NORTH);
    double draw = result_share(exact, HY_RESULT_DRAW), sum = south + north + draw;
    return sum > 0 ? (south + draw / 2) / sum : NAN;
}

static void print_random(const hy_exact *exact)
{
    const hy_markov *random = &exact->random;
    static const char *const words[HY_NUM_RESULTS] = {"south wins", "north wins", "draws",
                                                      "without a result"};
    printf("\nrandom play against random play\n");
    printf("  positions            %" PRIu64 " with the score\n", random->states);
    for (unsigned r = 0; r < HY_NUM_RESULTS; r++)
        printf("  %-20s %.12g %%\n", words[r], 100 * result_share(exact, (hy_result)r));
    if (random->never > 0)
        printf("  never ends           %.12g %%  a simulation truncates such games\n",
               100 * random->never);
    printf("  first-player score   %.12g  over games with a result\n", first_player_score(exact));
    for (unsigned t = 0; t < HY_NUM_TERMINATIONS; t++) {
        double share = termination_share(exact, (hy_termination)t);
        if (share > 0)
            printf("  ended %-14s %.12g %%\n", hy_termination_words[t], 100 * share);
    }
    for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
        if (random->never > 0)
            printf("  mean %-15s infinite: some games never end\n", reward_words[r]);
        else
            printf("  mean %-15s %.12g %s a game; standard deviation %.12g\n", reward_words[r],
                   random->mean[r], reward_words[r], random->sd[r]);
    }
    printf("  error at most        %.1e for a probability", random->probability_error);
    if (random->never == 0)
        printf(", %.1e plies for the mean length", random->mean_error[HY_REWARD_PLIES]);
    putchar('\n');
}

static void print_lengths(const hy_lengths *lengths)
{
    printf("  plies, quantiles    ");
    for (unsigned i = 0; i < NUM_QUANTILES; i++) {
        int64_t quantile = hy_lengths_quantile(lengths, quantile_shares[i]);
        printf(i > 0 ? ", %s " : " %s ", quantile_keys[i]);
        if (quantile >= 0)
            printf("%" PRId64, quantile);
        else
            fputs("-", stdout);
    }
    printf("\n\nlength in plies, followed to %zu plies: %.12g %% of all games\n", lengths->num - 1,
           100 * lengths->ended);
    for (size_t i = 0; i < lengths->num; i++) {
        if (lengths->probability[i] > 0)
            printf("  %6zu  %.10f %%\n", i, 100 * lengths->probability[i]);
    }
}

static void print_perfect(const hy_exact *exact)
{
    const hy_line *line = &exact->line;
    int value = exact->value;
    printf("\nperfect play\n");
    printf("  positions            %" PRIu64 "\n", exact->positions);
    printf("  value                %+d counters to south: %s\n", value,
           value > 0   ? "south wins"
           : value < 0 ? "north wins"
                       : "nobody wins");
    printf("  line                ");
    for (unsigned i = 0; i < line->num; i++)
        printf(" %u", line->hole[i]);
    if (line->termination != HY_GOES_ON)
        printf("; %s after %u plies\n", hy_termination_words[line->termination], line->num);
    else if (line->repeats)
        printf("; from ply %u on it goes round for ever, every %u plies\n", line->back_to + 1,
               line->num - line->back_to);
    else
        printf(" …; longer than %u plies\n", line->num);
}

void hy_print_exact(const hy_variant *variant, const hy_exact *exact)
{
    printf("%s: 2×%u, %u counters a hole\n", variant->name, variant->rules.holes,
           variant->rules.seeds);
    printf("  positions            %" PRIu64 " that can be reached, %" PRIu64 " plies from them\n",
           exact->positions, exact->plies);
    if (exact->history_positions > 0)
        printf("  with what occurred   %" PRIu64 "\n", exact->history_positions);
    printf("  memory               %.1f MiB\n", (double)exact->peak / (1 << 20));
    print_perfect(exact);
    print_random(exact);
    print_lengths(&exact->lengths);
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Fields that are not at their default, but for those that have keys of their own. */
static json_t *differences(const hy_rules *rules)
{
    hy_rules defaults = hy_rules_default();
    json_t *list = json_array();
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        char text[HY_FIELD_TEXT_SIZE];
        unsigned value = hy_field_get(field, rules);
        if (strcmp(field->key, "holes") == 0 || strcmp(field->key, "seeds") == 0 ||
            value == hy_field_get(field, &defaults))
            continue;
        json_array_append_new(list,
                              json_sprintf("%s=%s", field->key, hy_field_text(field, value, text)));
    }
    return list;
}

static void add_moments(json_t *object, const hy_markov *random)
{
    for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
        bool known = random->never == 0;
        char key[64];
        snprintf(key, sizeof key, "mean_%s", reward_words[r]);
        json_object_set_new(object, key, known ? number(random->mean[r]) : json_null());
        snprintf(key, sizeof key, "sd_%s", reward_words[r]);
        json_object_set_new(object, key, known ? number(random->sd[r]) : json_null());
        snprintf(key, sizeof key, "error_mean_%s", reward_words[r]);
        json_object_set_new(object, key, known ? number(random->mean_error[r]) : json_null());
    }
    if (random->never > 0)
        json_object_set_new(object, "why_null", json_string(why_null));
}

static json_t *terminations_json(const hy_exact *exact)
{
    json_t *all = json_object();
    for (unsigned t = HY_CLAIMED; t <= HY_ENDLESS; t++) {
        json_t *one = json_object();
        for (unsigned r = 0; r < HY_NUM_RESULTS; r++)
            json_object_set_new(one, hy_result_words[r], number(exact->random.share[t][r]));
        json_object_set_new(one, "all", number(termination_share(exact, (hy_termination)t)));
        json_object_set_new(all, hy_termination_words[t], one);
    }
    return all;
}

static json_t *lengths_json(const hy_lengths *lengths)
{
    json_t *quantiles = json_object(), *probabilities = json_array();
    for (unsigned i = 0; i < NUM_QUANTILES; i++) {
        int64_t quantile = hy_lengths_quantile(lengths, quantile_shares[i]);
        json_object_set_new(quantiles, quantile_keys[i],
                            quantile < 0 ? json_null() : json_integer(quantile));
    }
    for (size_t i = 0; i < lengths->num; i++)
        json_array_append_new(probabilities, number(lengths->probability[i]));
    return json_pack("{s:o, s:o, s:o}", "mass", number(lengths->ended), "quantiles", quantiles,
                     "probabilities", probabilities);
}

static json_t *random_json(const hy_exact *exact)
{
    const hy_markov *random = &exact->random;
    json_t *object = json_pack(
        "{s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f}", "states", (json_int_t)random->states,
        "p_south", result_share(exact, HY_RESULT_SOUTH), "p_north",
        result_share(exact, HY_RESULT_NORTH), "p_draw", result_share(exact, HY_RESULT_DRAW),
        "p_none", result_share(exact, HY_RESULT_NONE), "p_endless",
        termination_share(exact, HY_ENDLESS), "p_never", random->never, "first_player_score",
        number(first_player_score(exact)), "error_p", random->probability_error);
    if (!object)
        return NULL;
    add_moments(object, random);
    json_object_set_new(object, "terminations", terminations_json(exact));
    json_object_set_new(object, "length", lengths_json(&exact->lengths));
    return object;
}

static json_t *perfect_json(const hy_exact *exact)
{
    const hy_line *line = &exact->line;
    json_t *holes = json_array();
    for (unsigned i = 0; i < line->num; i++)
        json_array_append_new(holes, json_integer(line->hole[i]));
    bool over = line->termination != HY_GOES_ON;
    return json_pack("{s:I, s:i, s:o, s:o, s:o}", "states", (json_int_t)exact->positions, "value",
                     exact->value, "line", holes, "termination",
                     over ? json_string(hy_termination_words[line->termination]) : json_null(),
                     "repeats_from",
                     line->repeats ? json_integer((json_int_t)line->back_to + 1) : json_null());
}

json_t *hy_exact_json(const hy_variant *variant, const hy_exact *exact)
{
    json_t *object =
        json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:I, s:I, s:I}", "name", variant->name, "holes",
                  (int)variant->rules.holes, "seeds", (int)variant->rules.seeds, "rules",
                  differences(&variant->rules), "random", random_json(exact), "perfect",
                  perfect_json(exact), "positions", (json_int_t)exact->positions, "plies",
                  (json_int_t)exact->plies, "memory_bytes", (json_int_t)exact->peak);
    if (object && exact->history_positions > 0)
        json_object_set_new(object, "history_positions",
                            json_integer((json_int_t)exact->history_positions));
    if (object && exact->score_positions > 0)
        json_object_set_new(object, "score_positions",
                            json_integer((json_int_t)exact->score_positions));
    return object;
}
