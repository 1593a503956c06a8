#include "manual/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define MAX_COLUMNS 78

/* The code point at `text`, and its bytes; UTF-8 of our own tables is right. */
static unsigned decode(const char *text, size_t *length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (bytes[0] < 0x80) {
        *length = 1;
        return bytes[0];
    }
    *length = bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
    unsigned code = bytes[0] & (0xffu >> (*length + 1));
    for (size_t i = 1; i < *length; i++)
        code = code << 6 | (bytes[i] & 0x3fu);
    return code;
}

/* `literal`: a hyphen is a minus sign, to be copied. */
static void print_character(FILE *out, unsigned code, bool literal)
{
    switch (code) {
    case '\\':
        fputs("\\e", out);
        return;
    case '-':
        fputs(literal ? "\\-" : "-", out);
        return;
    case '\'':
        fputs("\\(aq", out);
        return;
    case '`':
        fputs("\\(ga", out);
        return;
    case '^':
        fputs("\\(ha", out);
        return;
    case '~':
        fputs("\\(ti", out);
        return;
    default:
        if (code < 0x80)
            fputc((int)code, out);
        else
            fprintf(out, "\\[u%04X]", code);
    }
}

void hy_roff_literal(FILE *out, const char *text, size_t length)
{
    size_t bytes;
    if (length > 0 && text[0] == '.')
        fputs("\\&", out);
    for (size_t i = 0; i < length; i += bytes)
        print_character(out, decode(text + i, &bytes), true);
}

static void print_word(FILE *out, const char *word, size_t length, bool *code)
{
    size_t bytes;
    bool option = word[0] == '-' || (length > 1 && word[0] == '(' && word[1] == '-');
    if (word[0] == '.')
        fputs("\\&", out);
    for (size_t i = 0; i < length; i += bytes) {
        unsigned character = decode(word + i, &bytes);
        if (character == '`') {
            *code = !*code;
            fputs(*code ? "\\fB" : "\\fR", out);
        } else {
            print_character(out, character, option || *code);
        }
    }
}

/* About how many bytes a word becomes. */
static size_t word_width(const char *word, size_t length)
{
    size_t bytes, width = 0;
    for (size_t i = 0; i < length; i += bytes) {
        unsigned code = decode(word + i, &bytes);
        width += code >= 0x80 ? 8 : strchr("\\-'`^~", (int)code) ? 4 : 1;
    }
    return width;
}

/* Whether a sentence ends with the word, so that the next one begins a line. */
static bool ends_sentence(const char *word, size_t length)
{
    return length > 1 && strchr(".?!", word[length - 1]) != NULL;
}

void hy_roff_text(FILE *out, const char *text, size_t length)
{
    size_t column = 0, used;
    bool code = false, ended = false;
    for (size_t i = 0; i < length; i += used) {
        const char *word = text + i;
        used = strspn(word, " \n");
        if (used > 0)
            continue;
        used = strcspn(word, " \n");
        used = used < length - i ? used : length - i;
        size_t width = word_width(word, used);
        if (column > 0) {
            bool fresh = column + 1 + width > MAX_COLUMNS || ended;
            fputc(fresh ? '\n' : ' ', out);
            column = fresh ? 0 : column + 1;
        }
        print_word(out, word, used, &code);
        column += width;
        ended = !code && ends_sentence(word, used);
    }
    fputc('\n', out);
}

void hy_roff_section(FILE *out, const char *title)
{
    fputs(".SH ", out);
    bool quoted = strchr(title, ' ') != NULL;
    if (quoted)
        fputc('"', out);
    for (; *title; title++)
        fputc(toupper((unsigned char)*title), out);
    fputs(quoted ? "\"\n" : "\n", out);
}

void hy_roff_row(FILE *out, const char *word, const char *meaning)
{
    fputs(".TP\n\\fB", out);
    hy_roff_literal(out, word, strlen(word));
    fputs("\\fR\n", out);
    hy_roff_text(out, meaning, strlen(meaning));
}
