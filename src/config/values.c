#include "config/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"
#include "base/words.h"

static hy_status refuse(const hy_yaml_node *node, const char *key, const char *allowed,
                        const char *near, hy_error *error)
{
    char shown[HY_SHOWN_SIZE];
    if (near)
        return hy_yaml_fail(node, error, "'%s' cannot be %s; allowed: %s; did you mean '%s'?", key,
                            hy_yaml_shown(node, shown), allowed, near);
    return hy_yaml_fail(node, error, "'%s' cannot be %s; allowed: %s", key,
                        hy_yaml_shown(node, shown), allowed);
}

static bool is_plain(const hy_yaml_node *node)
{
    return node->kind == HY_YAML_SCALAR && node->plain;
}

hy_status hy_value_integer(const hy_yaml_node *node, const hy_key *key, uint64_t *value,
                           hy_error *error)
{
    char allowed[64];
    *value = key->preset;
    if (!node)
        return HY_OK;
    if (is_plain(node) && hy_parse_u64(node->text, value) && *value >= key->min &&
        *value <= key->max)
        return HY_OK;
    snprintf(allowed, sizeof allowed, "%" PRIu64 " … %" PRIu64, key->min, key->max);
    return refuse(node, key->key, allowed, NULL, error);
}

hy_status hy_value_real(const hy_yaml_node *node, const hy_key *key, double *value, hy_error *error)
{
    char allowed[64];
    *value = key->real_preset;
    if (!node)
        return HY_OK;
    bool negative = node->kind == HY_YAML_SCALAR && node->text[0] == '-';
    if (is_plain(node) && hy_parse_real(node->text + negative, value)) {
        *value = negative ? -*value : *value;
        if (*value >= key->low && *value <= key->high)
            return HY_OK;
    }
    snprintf(allowed, sizeof allowed, "%.9g … %.9g", key->low, key->high);
    return refuse(node, key->key, allowed, NULL, error);
}

hy_status hy_value_boolean(const hy_yaml_node *node, const hy_key *key, bool *value,
                           hy_error *error)
{
    static const char *const words[] = {"false", "true"};
    *value = key->preset != 0;
    if (!node)
        return HY_OK;
    if (!is_plain(node))
        return refuse(node, key->key, "true, false", NULL, error);
    *value = strcmp(node->text, "true") == 0;
    if (*value || strcmp(node->text, "false") == 0)
        return HY_OK;
    return refuse(node, key->key, "true, false", hy_nearest_word(node->text, words, 2), error);
}

hy_status hy_value_word(const hy_yaml_node *node, const hy_key *key, const char *const *words,
                        size_t num_words, size_t *index, hy_error *error)
{
    char allowed[256];
    size_t used = 0;
    *index = (size_t)key->preset;
    if (!node)
        return HY_OK;
    for (*index = 0; node->kind == HY_YAML_SCALAR && *index < num_words; ++*index) {
        if (strcmp(words[*index], node->text) == 0)
            return HY_OK;
    }
    for (size_t i = 0; i < num_words && used < sizeof allowed; i++)
        used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", i > 0 ? ", " : "",
                                 words[i]);
    const char *near =
        node->kind == HY_YAML_SCALAR ? hy_nearest_word(node->text, words, num_words) : NULL;
    return refuse(node, key->key, allowed, near, error);
}

hy_status hy_value_seed(const hy_yaml_node *node, const hy_key *key, uint64_t *seed, bool *is_auto,
                        hy_error *error)
{
    static const char *const words[] = {"auto"};
    char allowed[64];
    *seed = 0;
    *is_auto = node->kind == HY_YAML_SCALAR && strcmp(node->text, words[0]) == 0;
    if (*is_auto || (is_plain(node) && hy_parse_u64(node->text, seed)))
        return HY_OK;
    snprintf(allowed, sizeof allowed, "%" PRIu64 " … %" PRIu64 ", auto", key->min, key->max);
    const char *near = node->kind == HY_YAML_SCALAR ? hy_nearest_word(node->text, words, 1) : NULL;
    return refuse(node, key->key, allowed, near, error);
}

static bool is_text(const hy_yaml_node *node)
{
    static const char *const others[] = {"",     "~",    "null",  "Null",  "NULL", "true",
                                         "True", "TRUE", "false", "False", "FALSE"};
    double number;
    if (node->kind != HY_YAML_SCALAR)
        return false;
    for (size_t i = 0; node->plain && i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(node->text, others[i]) == 0)
            return false;
    }
    return !node->plain || !hy_parse_real(node->text, &number);
}

static bool is_name(const char *text, const char *signs)
{
    for (const char *c = text; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!letter && !(*c >= '0' && *c <= '9') && !strchr(signs, *c))
            return false;
    }
    return true;
}

hy_status hy_value_text(const hy_yaml_node *node, const hy_key *key, const char **text,
                        hy_error *error)
{
    char allowed[128];
    *text = "";
    if (!node)
        return HY_OK;
    if (!is_text(node))
        return refuse(node, key->key, "a text (in quotes where it looks like a number)", NULL,
                      error);
    *text = node->text;
    size_t size = strlen(*text);
    if (size < key->min || size > key->max) {
        snprintf(allowed, sizeof allowed, "a text of %" PRIu64 " … %" PRIu64 " bytes", key->min,
                 key->max);
        return refuse(node, key->key, allowed, NULL, error);
    }
    if (!hy_text_is_plain(*text))
        return refuse(node, key->key, "a text without control characters", NULL, error);
    if (key->kind != HY_KEY_NAME || is_name(*text, key->signs))
        return HY_OK;
    snprintf(allowed, sizeof allowed, "letters (a … z, A … Z), digits and '%.1s'%s%s%s", key->signs,
             key->signs[1] ? ", '" : "", key->signs + 1, key->signs[1] ? "'" : "");
    return refuse(node, key->key, allowed, NULL, error);
}

hy_status hy_value_field(const hy_yaml_node *node, const hy_field *field, hy_rules *rules,
                         hy_error *error)
{
    char buffer[HY_FIELD_TEXT_SIZE], brief[HY_BRIEF_SIZE];
    bool words = field->kind == HY_FIELD_WORD && node->kind == HY_YAML_SCALAR;
    if (!words && !is_plain(node))
        return refuse(node, field->key, hy_field_allowed(field, buffer), NULL, error);
    /* No field takes a text that must be cut short for its message. */
    hy_status status = hy_field_set(field, hy_yaml_brief(node->text, brief), rules, error);
    return hy_yaml_locate(node, status, error);
}
