#include "cli/filter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "cli/cli.h"

/* Of a row; the holes of the longest game fit. What JSON makes of it can take twenty times that. */
#define MAX_LINE ((size_t)32 << 20)

/* A line of standard input, without its end. */
typedef struct input_line {
    char *text;
    size_t length, capacity;
    bool too_long; /* `text` has its beginning */
} input_line;

/* False in *found: there is none left. */
static hy_status read_line(input_line *line, bool *found, hy_error *error)
{
    int next = getc_unlocked(stdin);
    *found = next != EOF;
    line->length = 0;
    line->too_long = false;
    for (; next != EOF && next != '\n'; next = getc_unlocked(stdin)) {
        line->too_long |= line->length == MAX_LINE;
        if (line->too_long)
            continue;
        if (line->length == line->capacity) {
            hy_status status = hy_reserve(&line->text, &line->capacity, line->length + 1, 1, error);
            if (status != HY_OK)
                return status;
        }
        line->text[line->length++] = (char)next;
    }
    return HY_OK;
}

static bool is_blank(const input_line *line)
{
    size_t i = 0;
    while (i < line->length && strchr(" \t\r", line->text[i]) && line->text[i])
        i++;
    return i == line->length;
}

static hy_status answer_line(const input_line *line, hy_answer_with *answer, const void *context,
                             json_t **row, hy_error *error)
{
    json_error_t fault;
    if (line->too_long)
        return hy_fail(error, HY_INVALID, "a row is longer than %zu MiB", MAX_LINE >> 20);
    *row = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &fault);
    if (!*row)
        return hy_fail(error, HY_INVALID, "no JSON: %s (column %d)", fault.text, fault.column);
    if (!json_is_object(*row))
        return hy_fail(error, HY_INVALID, "a row is a JSON object");
    return answer(*row, context, error);
}

/* The keys of positions and of games, in and out. */
static bool is_known(const char *key)
{
    static const char *const known[] = {"rules", "board",     "score",    "mover",  "hole",
                                        "after", "holes",     "max_laps", "plies",  "turns",
                                        "seed",  "max_plies", "passes",   "result", "termination"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(key, known[i]) == 0)
            return true;
    }
    return false;
}

hy_status hy_refuse_misspelt(const json_t *row, const char *const *optional, size_t num,
                             hy_error *error)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)row, key, value)
    {
        for (size_t i = 0; i < num; i++) {
            if (!is_known(key) && !json_object_get(row, optional[i]) &&
                hy_nearest_word(key, &optional[i], 1))
                return hy_fail(error, HY_INVALID, "unknown key '%.40s'; did you mean '%s'?", key,
                               optional[i]);
        }
    }
    return HY_OK;
}

static hy_status print_fault(const hy_error *fault, uint64_t line, hy_error *error)
{
    return hy_print_json(
        json_pack("{s:o, s:I}", "error", hy_json_text(fault->text), "line", (json_int_t)line),
        JSON_COMPACT, error);
}

hy_status hy_filter_with(hy_answer_with *answer, const void *context, hy_error *error)
{
    input_line line = {0};
    bool found = true;
    uint64_t number = 0, num_faults = 0;
    hy_status status = HY_OK;
    while (status == HY_OK) {
        status = read_line(&line, &found, error);
        if (status != HY_OK || !found)
            break;
        json_t *row = NULL;
        hy_error fault = {0};
        number++;
        if (is_blank(&line))
            continue;
        if (answer_line(&line, answer, context, &row, &fault) == HY_OK) {
            status = hy_print_json(row, JSON_COMPACT, error);
            continue;
        }
        json_decref(row);
        num_faults++;
        status = print_fault(&fault, number, error);
    }
    if (status == HY_OK && ferror(stdin))
        status = hy_fail(error, HY_STORAGE, "cannot read standard input");
    free(line.text);
    if (status == HY_OK && num_faults > 0)
        status = hy_fail(error, HY_FAILED, "%" PRIu64 " of %" PRIu64 " rows could not be answered",
                         num_faults, number);
    return status;
}

typedef struct plain_answer {
    hy_answer *answer;
} plain_answer;

static hy_status answer_plainly(json_t *row, const void *context, hy_error *error)
{
    const plain_answer *plain = context;
    return plain->answer(row, error);
}

hy_status hy_filter(hy_answer *answer, hy_error *error)
{
    const plain_answer plain = {answer};
    return hy_filter_with(answer_plainly, &plain, error);
}
