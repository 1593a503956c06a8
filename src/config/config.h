/* What the user asked for, from YAML files: variants and experiments.
 *
 * A file is read as a whole before anything is done with it, and every fault is an error that names
 * file:line:column, the key, and what is allowed. */
#ifndef HY_CONFIG_CONFIG_H
#define HY_CONFIG_CONFIG_H

#include "rules/rules.h"
#include "sim/experiment.h"

#define HY_VARIANT_NAME_SIZE 64
#define HY_VARIANT_SOURCE_SIZE 512

/* Rules with a name and where they come from. */
typedef struct hy_variant {
    char name[HY_VARIANT_NAME_SIZE];
    char source[HY_VARIANT_SOURCE_SIZE];
    hy_rules rules;
} hy_variant;

/* The presets: the files of configs/rules/, built into the program, ordered by name. */
size_t hy_num_presets(void);
HY_MUST_CHECK hy_status hy_preset(size_t index, hy_variant *variant, hy_error *error);

/* A variant by a preset's name, or from a rules file where `name_or_path` has a '/' or ends in
 * .yaml or .yml. A rules file has the fields of rules.h at its top level, beside `name` and
 * `source` (required), and may start from a `preset`. */
HY_MUST_CHECK hy_status hy_config_variant(const char *name_or_path, hy_variant *variant,
                                          hy_error *error);

/* Reads an experiment file and expands its grid. On success the caller owns what `experiment`
 * holds (hy_experiment_clean_up). */
HY_MUST_CHECK hy_status hy_config_experiment(const char *path, hy_experiment *experiment,
                                             hy_error *error);

/* Writes the JSON Schema of experiment files (rules files: under "$defs"/"variant") as text that
 * the caller releases with free(). */
HY_MUST_CHECK hy_status hy_config_schema(char **json, hy_error *error);

#endif
