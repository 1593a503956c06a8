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
