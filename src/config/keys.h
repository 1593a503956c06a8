/* The keys of the files, stated once: the loader and the JSON Schema read these tables. */
#ifndef HY_CONFIG_KEYS_H
#define HY_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/yaml_tree.h"

typedef enum hy_key_kind {
    HY_KEY_NAME, /* letters, digits and some signs */
    HY_KEY_TEXT,
    HY_KEY_SEED,
    HY_KEY_INTEGER,
    HY_KEY_BOOLEAN,
    HY_KEY_RECORD,
    HY_KEY_REAL,
    HY_KEY_METRIC,
    HY_KEY_ELO_SCALE,
    HY_KEY_PRESET,
    HY_KEY_RULES,
    HY_KEY_POLICY,
    HY_KEY_POLICY_LIST,
    HY_KEY_POLICIES,
    HY_KEY_OPENING,
    HY_KEY_STOP,
    HY_KEY_SPRT,
} hy_key_kind;

typedef struct hy_key {
    const char *key;
    hy_key_kind kind;
    bool required;     /* else `preset` holds */
    uint64_t min, max; /* of an integer; characters of a name, bytes of a text */
    const char *signs; /* of a name: allowed beside letters and digits */
    uint64_t preset;   /* of an integer, a boolean or the index of a word */
    double low, high;  /* of a real number */
    double real_preset;
    const char *meaning;
} hy_key;

/* A kind of mapping. */
typedef struct hy_key_set {
    const char *where; /* for messages */
    const hy_key *keys;
    size_t num_keys;
    bool fields; /* the fields of rules.h are keys of it as well */
} hy_key_set;

enum {
    HY_EXPERIMENT_NAME,
    HY_EXPERIMENT_QUESTION,
    HY_EXPERIMENT_SEED,
    HY_EXPERIMENT_GAMES,
    HY_EXPERIMENT_MAX_PLIES,
    HY_EXPERIMENT_MAX_LAPS,
    HY_EXPERIMENT_RECORD,
    HY_EXPERIMENT_RULES,
    HY_EXPERIMENT_POLICIES,
    HY_EXPERIMENT_OPENING,
    HY_EXPERIMENT_STOP,
    HY_NUM_EXPERIMENT_KEYS,
};
extern const hy_key_set hy_experiment_keys;

enum { HY_VARIANT_NAME, HY_VARIANT_SOURCE, HY_VARIANT_PRESET, HY_NUM_VARIANT_KEYS };
extern const hy_key_set hy_variant_keys;

enum { HY_GRID_PRESET, HY_NUM_GRID_KEYS };
extern const hy_key_set hy_grid_keys;

enum { HY_MATCH_SOUTH, HY_MATCH_NORTH, HY_MATCH_SWAP, HY_NUM_MATCH_KEYS };
extern const hy_key_set hy_match_keys;

enum { HY_ROUND_ROBIN_LIST, HY_ROUND_ROBIN_SELF, HY_NUM_ROUND_ROBIN_KEYS };
extern const hy_key_set hy_round_robin_keys;

enum { HY_OPENING_PLIES, HY_NUM_OPENING_KEYS };
extern const hy_key_set hy_opening_keys;

enum {
    HY_STOP_KEY_METRIC,
    HY_STOP_KEY_HALF_WIDTH,
    HY_STOP_KEY_CONFIDENCE,
    HY_STOP_KEY_SPRT,
    HY_STOP_KEY_EVERY,
    HY_NUM_STOP_KEYS,
};
extern const hy_key_set hy_stop_keys;

enum {
    HY_SPRT_KEY_ELO0,
    HY_SPRT_KEY_ELO1,
    HY_SPRT_KEY_ALPHA,
    HY_SPRT_KEY_BETA,
    HY_SPRT_KEY_MODEL,
    HY_NUM_SPRT_KEYS,
};
extern const hy_key_set hy_sprt_keys;

/* Checks that `node` is a mapping with keys of the set only and all those required; values[i]
 * receives the value of set->keys[i], or NULL. */
HY_MUST_CHECK hy_status hy_keys_read(const hy_key_set *set, const hy_yaml_node *node,
                                     const hy_yaml_node **values, hy_error *error);

#endif
