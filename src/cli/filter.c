#include "cli/filter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "cli/cli.h"

static hy_status answer_line(const char *line, size_t length, hy_answer_with *answer,
                             const void *context, json_t **row, hy_error *error)
{
    json_error_t fault;
    *row = json_loadb(line, length, JSON_REJECT_DUPLICATES, &fault);
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
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    uint64_t number = 0, num_faults = 0;
    hy_status status = HY_OK;
    while (status == HY_OK && (length = getline(&line, &capacity, stdin)) >= 0) {
        json_t *row = NULL;
        hy_error fault = {0};
        number++;
        if (strspn(line, " \t\r\n") == (size_t)length)
            continue;
        if (answer_line(line, (size_t)length, answer, context, &row, &fault) == HY_OK) {
            status = hy_print_json(row, JSON_COMPACT, error);
            continue;
        }
        json_decref(row);
        num_faults++;
        status = print_fault(&fault, number, error);
    }
    if (status == HY_OK && !feof(stdin)) /* getline can fail without ferror */
        status = errno == ENOMEM ? hy_fail_memory(error)
                                 : hy_fail(error, HY_STORAGE, "cannot read standard input");
    free(line);
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
