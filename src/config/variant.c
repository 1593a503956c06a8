#include "config/variant.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "config/keys.h"
#include "config/presets.h"
#include "config/values.h"

#define MAX_CHAIN 8 /* variants that start from each other */
#define MAX_PRESETS 64

/* The variants being read, each of which the one before it starts from. */
typedef struct chain {
    const char *name; /* a preset's name or a path */
    const struct chain *before;
} chain;

static bool ends_in(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);
    return size > end_size && strcmp(text + size - end_size, end) == 0;
}

static bool is_path(const char *text)
{
    return strchr(text, '/') || ends_in(text, ".yaml") || ends_in(text, ".yml");
}

static hy_status check_chain(const chain *names, hy_error *error)
{
    unsigned depth = 0;
    char brief[HY_BRIEF_SIZE];
    for (const chain *other = names->before; other; other = other->before) {
        if (strcmp(other->name, names->name) == 0)
            return hy_fail(error, HY_INVALID, "'%s' starts from itself",
                           hy_yaml_brief(names->name, brief));
        if (++depth >= MAX_CHAIN)
            return hy_fail(error, HY_INVALID, "more than %d variants that start from each other",
                           MAX_CHAIN);
    }
    return HY_OK;
}

static hy_status unknown_preset(const char *name, hy_error *error)
{
    const char *names[MAX_PRESETS];
    char list[512], brief[HY_BRIEF_SIZE];
    size_t used = 0, num = 0;
    for (; num < hy_num_embedded_presets && num < MAX_PRESETS && used < sizeof list; num++) {
        names[num] = hy_embedded_presets[num].name;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", num > 0 ? ", " : "",
                                 names[num]);
    }
    hy_yaml_brief(name, brief);
    const char *near = hy_nearest_word(name, names, num);
    if (near)
        return hy_fail(error, HY_INVALID, "unknown preset '%s'; known: %s; did you mean '%s'?",
                       brief, list, near);
    return hy_fail(error, HY_INVALID,
                   "unknown preset '%s'; known: %s (a rules file needs a '/' or .yaml in its name)",
                   brief, list);
}

static hy_status open_preset(const char *name, hy_yaml_document *document, hy_error *error)
{
    for (size_t i = 0; i < hy_num_embedded_presets; i++) {
        const hy_embedded_preset *preset = &hy_embedded_presets[i];
        if (strcmp(preset->name, name) == 0)
            return hy_yaml_parse((const char *)preset->text, preset->size, preset->file, document,
                                 error);
    }
    return unknown_preset(name, error);
}

static hy_status load(const chain *names, hy_variant *variant, hy_error *error);

/* Writes the path of `text`, which `file` names, or the name of a preset as it is. */
static hy_status from_folder(const char *file, const char *text, char path[PATH_MAX],
                             hy_error *error)
{
    const char *slash = strrchr(file, '/');
    int folder = slash && is_path(text) && text[0] != '/' ? (int)(slash - file) + 1 : 0;
    int size = snprintf(path, PATH_MAX, "%.*s%s", folder, file, text);
    if (size < 0 || size >= PATH_MAX)
        return hy_fail(error, HY_INVALID, "a path of more than %d bytes", PATH_MAX - 1);
    return HY_OK;
}

static hy_status resolve(const hy_yaml_node *node, const chain *before, hy_variant *variant,
                         hy_error *error)
{
    char path[PATH_MAX], shown[HY_SHOWN_SIZE];
    const chain names = {.name = path, .before = before};
    if (node->kind != HY_YAML_SCALAR)
        return hy_yaml_fail(node, error, "'preset' cannot be %s; allowed: a preset or a rules file",
                            hy_yaml_shown(node, shown));
    hy_status status = from_folder(node->file, node->text, path, error);
    if (status == HY_OK)
        status = check_chain(&names, error);
    if (status == HY_OK)
        status = load(&names, variant, error);
    return hy_yaml_locate(node, status, error);
}

hy_status hy_variant_resolve(const hy_yaml_node *node, hy_variant *variant, hy_error *error)
{
    return resolve(node, NULL, variant, error);
}

static hy_status read_fields(const hy_yaml_node *root, hy_rules *rules, hy_error *error)
{
    for (size_t i = 0; i < root->num_items; i++) {
        const hy_field *field = hy_field_find(root->items[i]->key->text);
        hy_status status = field ? hy_value_field(root->items[i], field, rules, error) : HY_OK;
        if (status != HY_OK)
            return status;
    }
    const char *key = NULL;
    hy_status status = hy_rules_check(rules, &key, error);
    if (status == HY_OK)
        return HY_OK;
    const hy_yaml_node *value = hy_yaml_get(root, key);
    return hy_yaml_locate(value ? value->key : root, status, error);
}

static hy_status read_variant(const hy_yaml_node *root, const chain *names, hy_variant *variant,
                              hy_error *error)
{
    const hy_yaml_node *values[HY_NUM_VARIANT_KEYS];
    const char *name, *source;
    variant->rules = hy_rules_default();
    hy_status status = hy_keys_read(&hy_variant_keys, root, values, error);
    if (status == HY_OK)
        status = hy_value_text(values[HY_VARIANT_NAME], &hy_variant_keys.keys[HY_VARIANT_NAME],
                               &name, error);
    if (status == HY_OK)
        status = hy_value_text(values[HY_VARIANT_SOURCE], &hy_variant_keys.keys[HY_VARIANT_SOURCE],
                               &source, error);
    if (status == HY_OK && values[HY_VARIANT_PRESET])
        status = resolve(values[HY_VARIANT_PRESET], names, variant, error);
    if (status == HY_OK)
        status = read_fields(root, &variant->rules, error);
    if (status != HY_OK)
        return status;
    snprintf(variant->name, sizeof variant->name, "%s", name);
    snprintf(variant->source, sizeof variant->source, "%s", source);
    return HY_OK;
}

static hy_status load(const chain *names, hy_variant *variant, hy_error *error)
{
    hy_yaml_document document;
    hy_status status = is_path(names->name) ? hy_yaml_read(names->name, &document, error)
                                            : open_preset(names->name, &document, error);
    if (status != HY_OK)
        return status;
    status = read_variant(document.root, names, variant, error);
    hy_yaml_clean_up(&document);
    return status;
}

hy_status hy_config_variant(const char *name_or_path, hy_variant *variant, hy_error *error)
{
    const chain names = {.name = name_or_path};
    *variant = (hy_variant){0};
    return load(&names, variant, error);
}

size_t hy_num_presets(void)
{
    return hy_num_embedded_presets;
}

hy_status hy_preset(size_t index, hy_variant *variant, hy_error *error)
{
    if (index >= hy_num_embedded_presets)
        return hy_fail(error, HY_INVALID, "there are only %zu presets", hy_num_embedded_presets);
    return hy_config_variant(hy_embedded_presets[index].name, variant, error);
}
