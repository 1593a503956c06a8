#include "rules/rules.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"

#define INTEGER(name, low, high, start, zero, text)                                                \
    {                                                                                              \
        .key = #name, .kind = HY_FIELD_INTEGER, .offset = offsetof(hy_rules, name), .min = (low),  \
        .max = (high), .or_zero = (zero), .preset = (start), .meaning = (text)                     \
    }
#define BOOLEAN(name, start, text)                                                                 \
    {                                                                                              \
        .key = #name, .kind = HY_FIELD_BOOLEAN, .offset = offsetof(hy_rules, name), .max = 1,      \
        .words = {"false", "true"}, .preset = (start), .meaning = (text)                           \
    }
#define WORD(name, last, text, ...)                                                                \
    {                                                                                              \
        .key = #name, .kind = HY_FIELD_WORD, .offset = offsetof(hy_rules, name), .max = (last),    \
        .words = {__VA_ARGS__}, .preset = 0, .meaning = (text)                                     \
    }

const hy_field hy_fields[] = {
    INTEGER(holes, 1, HY_MAX_HOLES, 6, false, "holes per row"),
    INTEGER(seeds, 1, HY_MAX_SEEDS, 4, false, "counters per hole at the start"),
    BOOLEAN(relay, true, "false: a final counter in an occupied hole ends the turn"),
    BOOLEAN(skip_origin, false,
            "true: the hole that a lap was picked up from gets none of that lap's counters"),
    INTEGER(casa, 2, 16, 4, false, "counters that make a casa"),
    BOOLEAN(final_capture, true, "the final counter captures the casa that it makes"),
    BOOLEAN(chain_capture, true, "the final counter's capture takes the chain before it as well"),
    WORD(en_passant, HY_EN_PASSANT_OWNER,
         "who takes, at once, a casa that a counter which is not final makes", "none", "sower",
         "owner"),
    WORD(capture_side, HY_SIDE_OWN, "holes that the sower may capture", "any", "opponent", "own"),
    BOOLEAN(extra_turn, true,
            "a ply in which the sower captured is followed by another of the same player"),
    INTEGER(claim, 0, 32, 4, false,
            "after a capture that leaves this many counters or fewer, the claimant takes them and "
            "the game ends; 0: never"),
    WORD(claim_by, HY_CLAIM_STARTER, "the claimant: the player who moved, or south", "capturer",
         "starter"),
    WORD(no_move, HY_NO_MOVE_SWEEP,
         "a player without a move passes, or the opponent takes all that is left and the game ends",
         "pass", "sweep"),
    WORD(endless, HY_ENDLESS_FORBID,
         "a sowing that can never end: choosing it ends the game, or it is no legal move", "annul",
         "forbid"),
    INTEGER(repetition, 2, 255, 0, true,
            "the game ends when the same board with the same player to move occurs this many "
            "times; 0: never"),
    WORD(unfinished, HY_UNFINISHED_VOID,
         "a game ended by endless, stuck or repetition: captured counters decide, or it has no "
         "result",
         "score", "void"),
};

const size_t hy_num_fields = sizeof hy_fields / sizeof hy_fields[0];

_Static_assert(sizeof hy_fields / sizeof hy_fields[0] == sizeof(hy_rules),
               "every field of hy_rules stands in the table");
_Static_assert(sizeof(hy_rules) <= 64, "a word has a bit for each field");

static void put(const hy_field *field, hy_rules *rules, unsigned value)
{
    ((uint8_t *)rules)[field->offset] = (uint8_t)value;
}

unsigned hy_field_get(const hy_field *field, const hy_rules *rules)
{
    return ((const uint8_t *)rules)[field->offset];
}

hy_rules hy_rules_default(void)
{
    hy_rules rules = {0};
    for (size_t i = 0; i < hy_num_fields; i++)
        put(&hy_fields[i], &rules, hy_fields[i].preset);
    return rules;
}

const hy_field *hy_field_find(const char *key)
{
    for (size_t i = 0; i < hy_num_fields; i++) {
        if (strcmp(hy_fields[i].key, key) == 0)
            return &hy_fields[i];
    }
    return NULL;
}

const char *hy_field_text(const hy_field *field, unsigned value, char buffer[HY_FIELD_TEXT_SIZE])
{
    if (field->kind != HY_FIELD_INTEGER)
        return field->words[value];
    snprintf(buffer, HY_FIELD_TEXT_SIZE, "%u", value);
    return buffer;
}

const char *hy_field_allowed(const hy_field *field, char buffer[HY_FIELD_TEXT_SIZE])
{
    switch (field->kind) {
    case HY_FIELD_BOOLEAN:
        return "true, false";
    case HY_FIELD_INTEGER:
        snprintf(buffer, HY_FIELD_TEXT_SIZE, "%s%u … %u", field->or_zero ? "0, " : "", field->min,
                 field->max);
        return buffer;
    case HY_FIELD_WORD:
        break;
    }
    buffer[0] = '\0';
    for (size_t i = 0; i < HY_MAX_WORDS && field->words[i]; i++) {
        size_t used = strlen(buffer);
        snprintf(buffer + used, HY_FIELD_TEXT_SIZE - used, "%s%s", i > 0 ? ", " : "",
                 field->words[i]);
    }
    return buffer;
}

static bool read_value(const hy_field *field, const char *text, unsigned *value)
{
    if (field->kind == HY_FIELD_INTEGER) {
        uint64_t number;
        if (!hy_parse_u64(text, &number) || number > field->max)
            return false;
        *value = (unsigned)number;
        return number >= field->min || (number == 0 && field->or_zero);
    }
    for (unsigned i = 0; i <= field->max; i++) {
        if (strcmp(field->words[i], text) == 0) {
            *value = i;
            return true;
        }
    }
    return false;
}

hy_status hy_field_set(const hy_field *field, const char *text, hy_rules *rules, hy_error *error)
{
    unsigned value;
    if (read_value(field, text, &value)) {
        put(field, rules, value);
        return HY_OK;
    }
    char buffer[HY_FIELD_TEXT_SIZE];
    const char *allowed = hy_field_allowed(field, buffer);
    const char *near = field->kind == HY_FIELD_INTEGER
                           ? NULL
                           : hy_nearest_word(text, field->words, (size_t)field->max + 1);
    if (near)
        return hy_fail(error, HY_INVALID, "'%s' cannot be '%.40s'; allowed: %s; did you mean '%s'?",
                       field->key, text, allowed, near);
    return hy_fail(error, HY_INVALID, "'%s' cannot be '%.40s'; allowed: %s", field->key, text,
                   allowed);
}

static hy_status refuse(const char **key, const char *name, hy_error *error, const char *text)
{
    if (key)
        *key = name;
    return hy_fail(error, HY_INVALID, "%s", text);
}

hy_status hy_rules_check(const hy_rules *rules, const char **key, hy_error *error)
{
    unsigned total = hy_rules_total(rules);
    char text[160];
    if (rules->chain_capture && !rules->final_capture)
        return refuse(key, "chain_capture", error,
                      "'chain_capture' needs 'final_capture': set 'chain_capture: false' as well");
    if (!rules->final_capture && rules->en_passant == HY_EN_PASSANT_NONE)
        return refuse(key, "final_capture", error,
                      "no way of capturing: 'final_capture' is false and 'en_passant' is none");
    if (total < rules->casa) {
        snprintf(text, sizeof text, "'casa' is %u, but the game has only %u counters in all",
                 rules->casa, total);
        return refuse(key, "casa", error, text);
    }
    if (total <= rules->claim) {
        snprintf(text, sizeof text,
                 "'claim' is %u, but must be below the %u counters that the game has in all",
                 rules->claim, total);
        return refuse(key, "claim", error, text);
    }
    return HY_OK;
}

void hy_rules_print(const hy_rules *rules, char buffer[HY_RULES_TEXT_SIZE])
{
    size_t used = 0;
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        char value[HY_FIELD_TEXT_SIZE];
        used +=
            (size_t)snprintf(buffer + used, HY_RULES_TEXT_SIZE - used, "%s%s=%s", i > 0 ? " " : "",
                             field->key, hy_field_text(field, hy_field_get(field, rules), value));
    }
}

/* `given` has a bit for each field before this one. */
static hy_status parse_pair(char *pair, uint64_t *given, hy_rules *rules, hy_error *error)
{
    char *equals = strchr(pair, '=');
    if (!equals)
        return hy_fail(error, HY_INVALID, "'%.40s' is not of the form key=value", pair);
    *equals = '\0';
    const hy_field *field = hy_field_find(pair);
    if (!field)
        return hy_fail(error, HY_INVALID, "unknown field '%.40s'", pair);
    uint64_t bit = (uint64_t)1 << (field - hy_fields);
    if (*given & bit)
        return hy_fail(error, HY_INVALID, "the field '%s' is given twice", field->key);
    *given |= bit;
    return hy_field_set(field, equals + 1, rules, error);
}

hy_status hy_rules_parse(const char *text, hy_rules *rules, hy_error *error)
{
    char copy[HY_RULES_TEXT_SIZE];
    if (strlen(text) >= sizeof copy)
        return hy_fail(error, HY_INVALID, "rules text of more than %zu characters",
                       sizeof copy - 1);
    memcpy(copy, text, strlen(text) + 1);
    *rules = hy_rules_default();
    char *rest = NULL;
    uint64_t given = 0;
    for (char *pair = strtok_r(copy, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
        hy_status status = parse_pair(pair, &given, rules, error);
        if (status != HY_OK)
            return status;
    }
    return hy_rules_check(rules, NULL, error);
}
