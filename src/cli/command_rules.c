/* hoyito rules: variants listed, explained and checked. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/rules_json.h"
#include "config/config.h"
#include "report/report.h"
#include "report/state_space.h"

static const char doc[] =
    "Lists the presets; explains or checks one variant; prints the JSON "
    "Schema of experiment files.\n\n"
    "  hoyito rules\n"
    "  hoyito rules hoyito-ii\n"
    "  hoyito rules configs/rules/ba-awa.yaml --json\n"
    "  hoyito rules --schema > hoyito-experiment.schema.json\n\n"
    "VARIANT is the name of a preset or a rules file, which is taken for a file where it has "
    "a slash or ends in .yaml or .yml. Without one, the presets are listed.";

static const struct argp_option options[] = {
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {"schema", HY_KEY_SCHEMA, NULL, 0,
     "print the JSON Schema of experiment files (that of rules files is in it: "
     "#/$defs/variant)",
     0},
    {0},
};

typedef struct rules_arguments {
    const char *variant;
    bool json;
    bool schema;
} rules_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    rules_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case HY_KEY_SCHEMA:
        arguments->schema = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->variant)
            argp_error(state, "one variant at a time; '%s' is too many", text);
        arguments->variant = text;
        return 0;
    case ARGP_KEY_END:
        if (arguments->schema && arguments->variant)
            argp_error(state, "--schema takes no variant");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static hy_status print_schema(hy_error *error)
{
    char *schema;
    hy_status status = hy_config_schema(&schema, error);
    if (status != HY_OK)
        return status;
    puts(schema);
    free(schema);
    return HY_OK;
}

static json_t *variant_json(const hy_variant *variant)
{
    hy_state_space space = hy_state_space_of(&variant->rules);
    return json_pack("{s:s, s:s, s:o, s:{s:s, s:f}}", "name", variant->name, "source",
                     variant->source, "rules", hy_rules_json(&variant->rules), "state_space",
                     "positions", space.digits, "log10", space.log10);
}

/* The fields that are not at their default, or "the defaults". */
static void print_differences(const hy_rules *rules)
{
    hy_rules defaults = hy_rules_default();
    const char *separator = "";
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        char text[HY_FIELD_TEXT_SIZE];
        unsigned value = hy_field_get(field, rules);
        if (value == hy_field_get(field, &defaults))
            continue;
        printf("%s%s: %s", separator, field->key, hy_field_text(field, value, text));
        separator = ", ";
    }
    puts(separator[0] == '\0' ? "the default of every field" : "");
}

static hy_status list_presets(bool json, hy_error *error)
{
    json_t *array = json_array();
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && i < hy_num_presets(); i++) {
        hy_variant variant;
        status = hy_preset(i, &variant, error);
        if (status != HY_OK)
            break;
        if (json) {
            json_array_append_new(array, variant_json(&variant));
            continue;
        }
        printf("%-24s ", variant.name);
        print_differences(&variant.rules);
    }
    if (status == HY_OK && json)
        return hy_print_json(array, JSON_INDENT(2), error);
    json_decref(array);
    return status;
}

static void explain(const hy_variant *variant)
{
    hy_rules defaults = hy_rules_default();
    printf("%s\nsource: %s\n\n", variant->name, variant->source);
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        char text[HY_FIELD_TEXT_SIZE], allowed[HY_FIELD_TEXT_SIZE];
        unsigned value = hy_field_get(field, &variant->rules);
        printf("%c %-14s %-9s %s (%s)\n", value == hy_field_get(field, &defaults) ? ' ' : '*',
               field->key, hy_field_text(field, value, text), field->meaning,
               hy_field_allowed(field, allowed));
    }
    puts("\n* differs from the default");
    hy_state_space space = hy_state_space_of(&variant->rules);
    printf("\npositions: %s (10^%.2f): ways in which counters can stand while the game goes on\n",
           space.digits, space.log10);
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "[VARIANT]",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    HY_EXIT_FAILED,
    {"2", "wrong usage, or an error in the rules file"},
    HY_EXIT_STORAGE,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    rules_arguments arguments = {0};
    hy_variant variant;
    hy_parse_arguments(&hy_command_rules, argc, argv, &arguments);
    if (arguments.schema)
        return print_schema(error);
    if (!arguments.variant)
        return list_presets(arguments.json, error);
    hy_status status = hy_config_variant(arguments.variant, &variant, error);
    if (status != HY_OK)
        return status;
    if (arguments.json)
        return hy_print_json(variant_json(&variant), JSON_INDENT(2), error);
    explain(&variant);
    return HY_OK;
}

const hy_command hy_command_rules = {
    .name = "rules",
    .summary = "list, explain and check variants",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
