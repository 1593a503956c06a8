/* Standard input of the filters and of `play`: the first line is the command (ply, replay, play, or
 * stats and a name), what follows is what it reads. */
#include <string.h>

#include "cli/stats_table.h"
#include "fuzz/fuzz.h"

#define MAX_NAME 64

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static void run_stats(const char *name, size_t length, const char *rest, size_t size)
{
    char text[MAX_NAME];
    if (length >= sizeof text)
        return;
    memcpy(text, name, length);
    text[length] = '\0';
    if (!hy_statistic_find(text))
        return;
    const char *const arguments[] = {text, NULL};
    (void)hy_fuzz_command(&hy_command_stats, rest, size, arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const none[] = {NULL};
    static const char *const people[] = {"--south",     "human", "--north", "random",
                                         "--seed",      "1",     "--hint",  "greedy",
                                         "--max-plies", "60",    NULL};
    const char *text = (const char *)data;
    const char *end = size > 0 ? memchr(text, '\n', size) : NULL;
    if (!end)
        return 0;
    size_t length = (size_t)(end - text), left = size - length - 1;
    if (is_word(text, length, "ply"))
        (void)hy_fuzz_command(&hy_command_ply, end + 1, left, none);
    else if (is_word(text, length, "replay"))
        (void)hy_fuzz_command(&hy_command_replay, end + 1, left, none);
    else if (is_word(text, length, "play"))
        (void)hy_fuzz_command(&hy_command_play, end + 1, left, people);
    else if (length > 6 && memcmp(text, "stats ", 6) == 0)
        run_stats(text + 6, length - 6, end + 1, left);
    return 0;
}
