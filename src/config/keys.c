#include "config/keys.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "config/config.h"
#include "rules/rules.h"
#include "rules/sowing.h"
#include "sim/experiment.h"

static const hy_key experiment_keys[HY_NUM_EXPERIMENT_KEYS] = {
    [HY_EXPERIMENT_NAME] = {.key = "experiment",
                            .kind = HY_KEY_NAME,
                            .required = true,
                            .min = 1,
                            .max = 64,
                            .signs = "_-",
                            .meaning = "name of the experiment"},
    [HY_EXPERIMENT_QUESTION] = {.key = "question",
                                .kind = HY_KEY_TEXT,
                                .max = 4096,
                                .meaning = "what the experiment is to answer"},
    [HY_EXPERIMENT_SEED] = {.key = "seed",
                            .kind = HY_KEY_SEED,
                            .required = true,
                            .max = UINT64_MAX,
                            .meaning = "seed of all random numbers, below 2^64, or auto: drawn, "
                                       "printed and stored"},
    [HY_EXPERIMENT_GAMES] = {.key = "games",
                             .kind = HY_KEY_INTEGER,
                             .required = true,
                             .min = 1,
                             .max = HY_LIMIT_GAMES,
                             .meaning = "games per condition and seating"},
    [HY_EXPERIMENT_MAX_PLIES] = {.key = "max_plies",
                                 .kind = HY_KEY_INTEGER,
                                 .min = 1,
                                 .max = HY_LIMIT_MAX_PLIES,
                                 .preset = HY_DEFAULT_MAX_PLIES,
                                 .meaning = "a game that is not over by then is truncated"},
    [HY_EXPERIMENT_MAX_LAPS] = {.key = "max_laps",
                                .kind = HY_KEY_INTEGER,
                                .min = 1,
                                .max = HY_LIMIT_MAX_LAPS,
                                .preset = HY_DEFAULT_MAX_LAPS,
                                .meaning = "a sowing that is not over by then is unresolved"},
    [HY_EXPERIMENT_RECORD] = {.key = "record",
                              .kind = HY_KEY_RECORD,
                              .preset = HY_RECORD_GAMES,
                              .meaning = "what is stored: sums and histograms, a row a game, or a "
                                         "row a game and its moves"},
    [HY_EXPERIMENT_RULES] = {.key = "rules",
                             .kind = HY_KEY_RULES,
                             .required = true,
                             .meaning = "the variants; every list is an axis of the grid"},
    [HY_EXPERIMENT_POLICIES] = {.key = "policies",
                                .kind = HY_KEY_POLICIES,
                                .required = true,
                                .meaning = "who plays whom, as a list or a round robin; every pair "
                                           "plays every variant"},
    [HY_EXPERIMENT_OPENING] = {.key = "opening",
                               .kind = HY_KEY_OPENING,
                               .meaning = "how every game begins"},
    [HY_EXPERIMENT_STOP] = {.key = "stop",
                            .kind = HY_KEY_STOP,
                            .meaning = "ends a condition as soon as its games answer the question; "
                                       "'games' is then the most that are played"},
};

static const hy_key variant_keys[HY_NUM_VARIANT_KEYS] = {
    [HY_VARIANT_NAME] = {.key = "name",
                         .kind = HY_KEY_NAME,
                         .required = true,
                         .min = 1,
                         .max = HY_VARIANT_NAME_SIZE - 1,
                         .signs = "-",
                         .meaning = "name of the variant"},
    [HY_VARIANT_SOURCE] = {.key = "source",
                           .kind = HY_KEY_TEXT,
                           .required = true,
                           .min = 1,
                           .max = HY_VARIANT_SOURCE_SIZE - 1,
                           .meaning = "where the rules come from"},
    [HY_VARIANT_PRESET] = {.key = "preset",
                           .kind = HY_KEY_PRESET,
                           .meaning = "the variant to start from: a preset's name, or a rules file "
                                      "beside this file"},
};

static const hy_key grid_keys[HY_NUM_GRID_KEYS] = {
    [HY_GRID_PRESET] = {.key = "preset",
                        .kind = HY_KEY_PRESET,
                        .meaning = "the variant to start from: a preset's name, or a rules file "
                                   "beside this file"},
};

static const hy_key match_keys[HY_NUM_MATCH_KEYS] = {
    [HY_MATCH_SOUTH] = {.key = "south",
                        .kind = HY_KEY_POLICY,
                        .required = true,
                        .meaning = "the first policy, which moves first"},
    [HY_MATCH_NORTH] = {.key = "north",
                        .kind = HY_KEY_POLICY,
                        .required = true,
                        .meaning = "the second policy"},
    [HY_MATCH_SWAP] = {.key = "swap",
                       .kind = HY_KEY_BOOLEAN,
                       .meaning = "true: every game is played once more with the seats swapped"},
};

static const hy_key round_robin_keys[HY_NUM_ROUND_ROBIN_KEYS] = {
    [HY_ROUND_ROBIN_LIST] = {.key = "round_robin",
                             .kind = HY_KEY_POLICY_LIST,
                             .required = true,
                             .meaning = "different policies; each plays each, with swap: true"},
    [HY_ROUND_ROBIN_SELF] = {.key = "self",
                             .kind = HY_KEY_BOOLEAN,
                             .meaning = "true: each policy also plays against itself"},
};

static const hy_key opening_keys[HY_NUM_OPENING_KEYS] = {
    [HY_OPENING_PLIES] = {.key = "random_plies",
                          .kind = HY_KEY_INTEGER,
                          .max = HY_LIMIT_OPENING_PLIES,
                          .meaning = "plies played at random before the policies play"},
};

static const hy_key stop_keys[HY_NUM_STOP_KEYS] = {
    [HY_STOP_KEY_METRIC] = {.key = "metric",
                            .kind = HY_KEY_METRIC,
                            .meaning = "what is to be known; intervals of first_player_score, "
                                       "draws and endless hold at all looks together, those of "
                                       "chains, captures and plies are nominal"},
    [HY_STOP_KEY_HALF_WIDTH] = {.key = "half_width",
                                .kind = HY_KEY_REAL,
                                .low = 1e-9,
                                .high = 1e6,
                                .meaning = "half the width of the metric's interval at which a "
                                           "condition is ended, in each of its seatings"},
    [HY_STOP_KEY_CONFIDENCE] = {.key = "confidence",
                                .kind = HY_KEY_REAL,
                                .low = 0.5,
                                .high = 0.999999,
                                .real_preset = 0.95,
                                .meaning = "level of that interval"},
    [HY_STOP_KEY_SPRT] = {.key = "sprt",
                          .kind = HY_KEY_SPRT,
                          .meaning = "sequential test of the first policy's strength against the "
                                     "second one's, from pairs of games with the seats swapped"},
    [HY_STOP_KEY_EVERY] = {.key = "every",
                           .kind = HY_KEY_INTEGER,
                           .min = 1,
                           .max = HY_LIMIT_GAMES,
                           .preset = HY_DEFAULT_LOOK_GAMES,
                           .meaning = "games per seating to the first look; the others come as "
                                      "many games later, or a tenth of the games where that is "
                                      "more"},
};

static const hy_key sprt_keys[HY_NUM_SPRT_KEYS] = {
    [HY_SPRT_KEY_ELO0] = {.key = "elo0",
                          .kind = HY_KEY_REAL,
                          .required = true,
                          .low = -HY_LIMIT_ELO,
                          .high = HY_LIMIT_ELO,
                          .meaning = "difference in strength under H0"},
    [HY_SPRT_KEY_ELO1] = {.key = "elo1",
                          .kind = HY_KEY_REAL,
                          .required = true,
                          .low = -HY_LIMIT_ELO,
                          .high = HY_LIMIT_ELO,
                          .meaning = "difference in strength under H1, above elo0"},
    [HY_SPRT_KEY_ALPHA] = {.key = "alpha",
                           .kind = HY_KEY_REAL,
                           .low = 1e-6,
                           .high = 0.49,
                           .real_preset = 0.05,
                           .meaning = "how often H1 may be accepted where H0 holds"},
    [HY_SPRT_KEY_BETA] = {.key = "beta",
                          .kind = HY_KEY_REAL,
                          .low = 1e-6,
                          .high = 0.49,
                          .real_preset = 0.05,
                          .meaning = "how often H0 may be accepted where H1 holds"},
    [HY_SPRT_KEY_MODEL] = {.key = "model",
                           .kind = HY_KEY_ELO_SCALE,
                           .preset = HY_SCALE_NORMALIZED,
                           .meaning = "scale of elo0 and elo1: logistic (of the score), or "
                                      "normalized (of its distance from 1/2 in standard deviations "
                                      "of a game)"},
};

const hy_key_set hy_experiment_keys = {
    .where = "the experiment file", .keys = experiment_keys, .num_keys = HY_NUM_EXPERIMENT_KEYS};
const hy_key_set hy_variant_keys = {
    .where = "a rules file", .keys = variant_keys, .num_keys = HY_NUM_VARIANT_KEYS, .fields = true};
const hy_key_set hy_grid_keys = {
    .where = "'rules'", .keys = grid_keys, .num_keys = HY_NUM_GRID_KEYS, .fields = true};
const hy_key_set hy_match_keys = {
    .where = "an entry of 'policies'", .keys = match_keys, .num_keys = HY_NUM_MATCH_KEYS};
const hy_key_set hy_round_robin_keys = {
    .where = "'policies'", .keys = round_robin_keys, .num_keys = HY_NUM_ROUND_ROBIN_KEYS};
const hy_key_set hy_opening_keys = {
    .where = "'opening'", .keys = opening_keys, .num_keys = HY_NUM_OPENING_KEYS};
const hy_key_set hy_stop_keys = {
    .where = "'stop'", .keys = stop_keys, .num_keys = HY_NUM_STOP_KEYS};
const hy_key_set hy_sprt_keys = {
    .where = "'sprt'", .keys = sprt_keys, .num_keys = HY_NUM_SPRT_KEYS};

#define MAX_KEYS 64

static size_t collect_words(const hy_key_set *set, const char *words[MAX_KEYS])
{
    size_t num = 0;
    for (size_t i = 0; i < set->num_keys; i++)
        words[num++] = set->keys[i].key;
    for (size_t i = 0; set->fields && i < hy_num_fields && num < MAX_KEYS; i++)
        words[num++] = hy_fields[i].key;
    return num;
}

static void list_words(const char *const *words, size_t num_words, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < num_words && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? ", " : "", words[i]);
}

static hy_status not_a_mapping(const hy_key_set *set, const hy_yaml_node *node, hy_error *error)
{
    const char *words[MAX_KEYS];
    char list[512], shown[HY_SHOWN_SIZE];
    list_words(words, collect_words(set, words), list, sizeof list);
    return hy_yaml_fail(node, error, "%s cannot be %s; it must be a mapping with keys of: %s",
                        set->where, hy_yaml_shown(node, shown), list);
}

static hy_status unknown_key(const hy_key_set *set, const hy_yaml_node *key, hy_error *error)
{
    const char *words[MAX_KEYS];
    char list[512], brief[HY_BRIEF_SIZE];
    size_t num = collect_words(set, words);
    list_words(words, num, list, sizeof list);
    hy_yaml_brief(key->text, brief);
    const char *near = hy_nearest_word(key->text, words, num);
    if (near)
        return hy_yaml_fail(key, error, "unknown key '%s' in %s; allowed: %s; did you mean '%s'?",
                            brief, set->where, list, near);
    return hy_yaml_fail(key, error, "unknown key '%s' in %s; allowed: %s", brief, set->where, list);
}

static bool is_known(const hy_key_set *set, const char *key)
{
    for (size_t i = 0; i < set->num_keys; i++) {
        if (strcmp(set->keys[i].key, key) == 0)
            return true;
    }
    return set->fields && hy_field_find(key);
}

hy_status hy_keys_read(const hy_key_set *set, const hy_yaml_node *node, const hy_yaml_node **values,
                       hy_error *error)
{
    if (node->kind != HY_YAML_MAPPING)
        return not_a_mapping(set, node, error);
    for (size_t i = 0; i < node->num_items; i++) {
        if (!is_known(set, node->items[i]->key->text))
            return unknown_key(set, node->items[i]->key, error);
    }
    for (size_t i = 0; i < set->num_keys; i++) {
        values[i] = hy_yaml_get(node, set->keys[i].key);
        if (!values[i] && set->keys[i].required)
            return hy_yaml_fail(node, error, "the key '%s' is missing in %s (%s)", set->keys[i].key,
                                set->where, set->keys[i].meaning);
    }
    return HY_OK;
}
