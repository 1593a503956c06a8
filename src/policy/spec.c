/* Policy specs: from text, to text, one parameter at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "policy/policy.h"

/* Lists words for a message: "a, b, c". */
static void list(char *buffer, size_t size, const char *const *words, size_t num_words)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < num_words && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? ", " : "", words[i]);
}

static hy_status unknown(const char *kind, const char *word, const char *const *words,
                         size_t num_words, hy_error *error)
{
    char known[256];
    const char *near = hy_nearest_word(word, words, num_words);
    list(known, sizeof known, words, num_words);
    if (near)
        return hy_fail(error, HY_INVALID, "unknown %s '%.40s'; known: %s; did you mean '%s'?", kind,
                       word, known, near);
    return hy_fail(error, HY_INVALID, "unknown %s '%.40s'; known: %s", kind, word, known);
}

hy_status hy_policy_type_find(const char *name, const hy_policy_type **type, hy_error *error)
{
    const char *names[16];
    for (size_t i = 0; i < hy_num_policy_types; i++) {
        names[i] = hy_policy_types[i]->name;
        if (strcmp(names[i], name) == 0) {
            *type = hy_policy_types[i];
            return HY_OK;
        }
    }
    return unknown("policy", name, names, hy_num_policy_types, error);
}

hy_status hy_parameter_find(const hy_policy_type *type, const char *key, size_t *index,
                            hy_error *error)
{
    const char *keys[HY_MAX_PARAMETERS];
    for (size_t i = 0; i < type->num_parameters; i++) {
        keys[i] = type->parameters[i].key;
        if (strcmp(keys[i], key) == 0) {
            *index = i;
            return HY_OK;
        }
    }
    if (type->num_parameters == 0)
        return hy_fail(error, HY_INVALID, "policy '%s' has no parameters, so no '%.40s'",
                       type->name, key);
    char kind[64];
    snprintf(kind, sizeof kind, "parameter of '%s'", type->name);
    return unknown(kind, key, keys, type->num_parameters, error);
}

hy_status hy_policy_spec_new(const hy_policy_type *type, hy_policy_spec **spec, hy_error *error)
{
    hy_policy_spec *made = hy_new_array(1, sizeof *made);
    if (!made)
        return hy_fail_memory(error);
    made->type = type;
    for (size_t i = 0; i < type->num_parameters; i++)
        made->values[i] = type->parameters[i].preset;
    *spec = made;
    return HY_OK;
}

void hy_policy_spec_destroy(hy_policy_spec *spec)
{
    if (!spec)
        return;
    hy_policy_spec_destroy(spec->inner);
    free(spec->text);
    free(spec);
}

static size_t num_words(const hy_parameter *parameter)
{
    size_t num = 0;
    while (num < HY_MAX_PARAMETER_WORDS && parameter->words[num])
        num++;
    return num;
}

const char *hy_parameter_allowed(const hy_parameter *parameter, char buffer[HY_FIELD_TEXT_SIZE])
{
    char low[32], high[32];
    switch (parameter->kind) {
    case HY_PARAMETER_POLICY:
        return "a policy";
    case HY_PARAMETER_TEXT:
        return "printable ASCII without , ( )";
    case HY_PARAMETER_WORD:
        list(buffer, HY_FIELD_TEXT_SIZE, parameter->words, num_words(parameter));
        return buffer;
    case HY_PARAMETER_INTEGER:
    case HY_PARAMETER_REAL:
        break;
    }
    hy_print_real(parameter->min, low, sizeof low);
    hy_print_real(parameter->max, high, sizeof high);
    snprintf(buffer, HY_FIELD_TEXT_SIZE, "%.24s … %.24s", low, high);
    return buffer;
}

static bool read_value(const hy_parameter *parameter, const char *text, double *value)
{
    uint64_t integer;
    switch (parameter->kind) {
    case HY_PARAMETER_INTEGER:
        if (!hy_parse_u64(text, &integer))
            return false;
        *value = (double)integer;
        return *value >= parameter->min && *value <= parameter->max;
    case HY_PARAMETER_REAL:
        return hy_parse_real(text, value) && *value >= parameter->min && *value <= parameter->max;
    case HY_PARAMETER_WORD:
        for (size_t i = 0; i < num_words(parameter); i++) {
            *value = (double)i;
            if (strcmp(parameter->words[i], text) == 0)
                return true;
        }
        return false;
    case HY_PARAMETER_POLICY:
    case HY_PARAMETER_TEXT:
        break;
    }
    return false;
}

void hy_policy_spec_set_inner(hy_policy_spec *spec, size_t index, hy_policy_spec *inner)
{
    hy_policy_spec_destroy(spec->inner);
    spec->inner = inner;
    spec->given[index] = true;
}

static hy_status refuse_value(const hy_policy_spec *spec, size_t index, const char *text,
                              hy_error *error)
{
    const hy_parameter *parameter = &spec->type->parameters[index];
    char allowed[HY_FIELD_TEXT_SIZE];
    return hy_fail(error, HY_INVALID, "'%s' of policy '%s' cannot be '%.40s'; allowed: %s",
                   parameter->key, spec->type->name, text,
                   hy_parameter_allowed(parameter, allowed));
}

/* A text has to survive in the text of the policy. */
static hy_status set_text(hy_policy_spec *spec, size_t index, const char *text, hy_error *error)
{
    bool fits = text[0] != '\0' && strlen(text) < HY_MAX_PARAMETER_TEXT;
    for (const char *at = text; fits && *at; at++)
        fits = *at >= ' ' && *at <= '~' && !strchr(",()", *at);
    if (!fits)
        return refuse_value(spec, index, text, error);
    char *copy = strdup(text);
    if (!copy)
        return hy_fail_memory(error);
    free(spec->text);
    spec->text = copy;
    spec->given[index] = true;
    return HY_OK;
}

static hy_status parse_within(const char *text, unsigned depth, hy_policy_spec **spec,
                              hy_error *error);

static hy_status set_within(hy_policy_spec *spec, size_t index, const char *text, unsigned depth,
                            hy_error *error)
{
    const hy_parameter *parameter = &spec->type->parameters[index];
    if (parameter->kind == HY_PARAMETER_POLICY) {
        hy_policy_spec *inner;
        hy_status status = parse_within(text, depth + 1, &inner, error);
        if (status == HY_OK)
            hy_policy_spec_set_inner(spec, index, inner);
        return status;
    }
    if (parameter->kind == HY_PARAMETER_TEXT)
        return set_text(spec, index, text, error);
    double value;
    if (!read_value(parameter, text, &value))
        return refuse_value(spec, index, text, error);
    spec->values[index] = value;
    spec->given[index] = true;
    return HY_OK;
}

hy_status hy_policy_spec_set(hy_policy_spec *spec, size_t index, const char *text, hy_error *error)
{
    return set_within(spec, index, text, 0, error);
}

hy_status hy_policy_spec_check(const hy_policy_spec *spec, hy_error *error)
{
    for (size_t i = 0; i < spec->type->num_parameters; i++) {
        const hy_parameter *parameter = &spec->type->parameters[i];
        if (parameter->required && !spec->given[i])
            return hy_fail(error, HY_INVALID, "policy '%s' needs its parameter '%s' (%s)",
                           spec->type->name, parameter->key, parameter->meaning);
    }
    return HY_OK;
}

bool hy_policy_spec_is_reproducible(const hy_policy_spec *spec)
{
    for (size_t i = 0; i < spec->type->num_parameters; i++) {
        if (spec->type->parameters[i].unrepeatable && spec->values[i] > 0)
            return false;
    }
    return !spec->inner || hy_policy_spec_is_reproducible(spec->inner);
}

/* Cuts the next "key=value" off *rest; parentheses around the value are taken away. */
static hy_status cut_pair(char **rest, char **key, char **value, hy_error *error)
{
    int open = 0;
    char *end = *rest;
    for (; *end && (*end != ',' || open > 0); end++)
        open += (*end == '(') - (*end == ')');
    bool more = *end == ',';
    *end = '\0';
    *key = *rest;
    *value = strchr(*key, '=');
    *rest = more ? end + 1 : end;
    if (!*value || open != 0 || (more && **rest == '\0'))
        return hy_fail(error, HY_INVALID,
                       "'%.60s' is not of the form key=value (a policy with parameters in "
                       "parentheses)",
                       *key);
    *(*value)++ = '\0';
    size_t length = strlen(*value);
    if (length >= 2 && (*value)[0] == '(' && (*value)[length - 1] == ')') {
        (*value)[length - 1] = '\0';
        ++*value;
    }
    return HY_OK;
}

static hy_status set_pairs(char *pairs, hy_policy_spec *spec, unsigned depth, hy_error *error)
{
    while (*pairs) {
        char *key, *value;
        size_t index;
        hy_status status = cut_pair(&pairs, &key, &value, error);
        if (status == HY_OK)
            status = hy_parameter_find(spec->type, key, &index, error);
        if (status == HY_OK && spec->given[index])
            status = hy_fail(error, HY_INVALID, "'%s' of policy '%s' is given twice", key,
                             spec->type->name);
        if (status == HY_OK)
            status = set_within(spec, index, value, depth, error);
        if (status != HY_OK)
            return status;
    }
    return hy_policy_spec_check(spec, error);
}

static hy_status parse_within(const char *text, unsigned depth, hy_policy_spec **spec,
                              hy_error *error)
{
    char copy[HY_POLICY_TEXT_SIZE];
    const hy_policy_type *type = NULL;
    if (strlen(text) >= sizeof copy)
        return hy_fail(error, HY_INVALID, "a policy's text of more than %zu characters",
                       sizeof copy - 1);
    if (depth >= HY_MAX_POLICY_DEPTH)
        return hy_fail(error, HY_INVALID, "policies within policies more than %d deep",
                       HY_MAX_POLICY_DEPTH);
    memcpy(copy, text, strlen(text) + 1);
    char *colon = strchr(copy, ':');
    if (colon)
        *colon = '\0';
    hy_status status = hy_policy_type_find(copy, &type, error);
    if (status == HY_OK && colon && colon[1] == '\0')
        status = hy_fail(error, HY_INVALID, "parameters are missing behind '%.40s:'", copy);
    if (status == HY_OK)
        status = hy_policy_spec_new(type, spec, error);
    if (status != HY_OK)
        return status;
    status = colon ? set_pairs(colon + 1, *spec, depth, error) : hy_policy_spec_check(*spec, error);
    if (status != HY_OK) {
        hy_policy_spec_destroy(*spec);
        *spec = NULL;
    }
    return status;
}

hy_status hy_policy_spec_parse(const char *text, hy_policy_spec **spec, hy_error *error)
{
    return parse_within(text, 0, spec, error);
}

static bool is_at_preset(const hy_policy_spec *spec, size_t index)
{
    const hy_parameter *parameter = &spec->type->parameters[index];
    return parameter->kind != HY_PARAMETER_POLICY && !parameter->required &&
           !parameter->always_shown &&
           !(spec->values[index] < parameter->preset || spec->values[index] > parameter->preset);
}

static void print_value(const hy_policy_spec *spec, size_t index, char *buffer, size_t size)
{
    const hy_parameter *parameter = &spec->type->parameters[index];
    char inner[HY_POLICY_TEXT_SIZE];
    switch (parameter->kind) {
    case HY_PARAMETER_INTEGER:
        snprintf(buffer, size, "%.0f", spec->values[index]);
        return;
    case HY_PARAMETER_REAL:
        hy_print_real(spec->values[index], buffer, size);
        return;
    case HY_PARAMETER_WORD:
        snprintf(buffer, size, "%s", parameter->words[(size_t)spec->values[index]]);
        return;
    case HY_PARAMETER_POLICY:
        hy_policy_spec_print(spec->inner, inner);
        snprintf(buffer, size, strchr(inner, ':') ? "(%s)" : "%s", inner);
        return;
    case HY_PARAMETER_TEXT:
        snprintf(buffer, size, "%s", spec->text);
        return;
    }
}

void hy_policy_spec_print(const hy_policy_spec *spec, char buffer[HY_POLICY_TEXT_SIZE])
{
    size_t used = (size_t)snprintf(buffer, HY_POLICY_TEXT_SIZE, "%s", spec->type->name);
    char separator = ':';
    for (size_t i = 0; i < spec->type->num_parameters; i++) {
        char value[HY_POLICY_TEXT_SIZE];
        if (is_at_preset(spec, i) || used >= HY_POLICY_TEXT_SIZE)
            continue;
        print_value(spec, i, value, sizeof value);
        used += (size_t)snprintf(buffer + used, HY_POLICY_TEXT_SIZE - used, "%c%s=%s", separator,
                                 spec->type->parameters[i].key, value);
        separator = ',';
    }
}
