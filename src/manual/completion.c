#include "manual/completion.h"

#include <string.h>

void hy_print_argument_words(FILE *out, const hy_argument *argument)
{
    const char *word, *meaning;
    if (!argument || !argument->word)
        return;
    for (size_t i = 0; (word = argument->word(i, &meaning)); i++)
        fprintf(out, "%s%s", i == 0 ? "" : " ", word);
}

const char *hy_files_suffix(hy_argument_files files)
{
    switch (files) {
    case HY_FILES_DATABASE:
        return ".db";
    case HY_FILES_YAML:
        return ".yaml";
    case HY_FILES_NONE:
    case HY_FILES_ANY:
    case HY_FILES_FOLDER:
        break;
    }
    return NULL;
}

void hy_print_quoted(FILE *out, const char *text, size_t length, const char *quote,
                     const char *escaped)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'') {
            fputs(quote, out);
            continue;
        }
        if (strchr(escaped, text[i]))
            fputc('\\', out);
        fputc(text[i], out);
    }
}

size_t hy_brief_length(const char *text)
{
    return strcspn(text, ";");
}
