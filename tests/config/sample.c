#include "config/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "rules/rules.h"

static const sample_line head[] = {
    {0, false, "experiment", "game_length"}, {0, false, "question", "How long is the game?"},
    {0, false, "seed", "20261129"},          {0, false, "games", "20000"},
    {0, false, "max_plies", "5000"},         {0, false, "max_laps", "7000"},
    {0, false, "record", "moves"},           {0, false, "rules", ""},
    {2, false, "preset", "hoyito-ii"},
};

static const sample_line tail[] = {
    {0, false, "policies", ""},    {2, true, "south", "random"},    {4, false, "north", ""},
    {6, false, "epsilon", ""},     {8, false, "rate", "0.25"},      {8, false, "policy", ""},
    {10, false, "greedy", ""},     {12, false, "ties", "first"},    {4, false, "swap", "true"},
    {0, false, "opening", ""},     {2, false, "random_plies", "2"}, {0, false, "stop", ""},
    {2, false, "metric", "plies"}, {2, false, "half_width", "0.5"}, {2, false, "confidence", "0.9"},
    {2, false, "every", "300"},
};

#define NUM(array) (sizeof(array) / sizeof(array)[0])

size_t sample_make(sample_line lines[SAMPLE_MAX_LINES])
{
    static char values[64][HY_FIELD_TEXT_SIZE];
    size_t num = 0;
    for (size_t i = 0; i < NUM(head); i++)
        lines[num++] = head[i];
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        lines[num++] =
            (sample_line){2, false, field->key, hy_field_text(field, field->preset, values[i])};
    }
    for (size_t i = 0; i < NUM(tail); i++)
        lines[num++] = tail[i];
    return num;
}

void sample_print(const sample_line *lines, size_t num_lines, char text[SAMPLE_TEXT_SIZE])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < num_lines; i++) {
        used += (size_t)snprintf(text + used, SAMPLE_TEXT_SIZE - used, "%*s%s%s:%s%s\n",
                                 (int)lines[i].indent, "", lines[i].item ? "- " : "", lines[i].key,
                                 lines[i].value[0] ? " " : "", lines[i].value);
        assert_true(used < SAMPLE_TEXT_SIZE);
    }
}

unsigned sample_key_column(const sample_line *line)
{
    return line->indent + (line->item ? 2 : 0) + 1;
}

unsigned sample_value_column(const sample_line *line)
{
    return sample_key_column(line) + (unsigned)strlen(line->key) + 2;
}

size_t sample_find(const sample_line *lines, size_t num_lines, const char *key)
{
    for (size_t i = 0; i < num_lines; i++) {
        if (strcmp(lines[i].key, key) == 0)
            return i;
    }
    fail_msg("no key '%s' in the sample", key);
    return 0;
}
