#include "base/words.h"

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORD 48

bool hy_parse_u64(const char *text, uint64_t *value)
{
    if (!isdigit((unsigned char)text[0]) || (text[0] == '0' && text[1] != '\0'))
        return false;
    uint64_t number = 0;
    for (const char *c = text; *c; c++) {
        if (!isdigit((unsigned char)*c) || __builtin_mul_overflow(number, (uint64_t)10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*c - '0'), &number))
            return false;
    }
    *value = number;
    return true;
}

/* strtod and printf follow LC_NUMERIC; a library cannot know what its caller has set. */
static char decimal_point(void)
{
    return localeconv()->decimal_point[0];
}

static bool is_plain_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    const char *rest = text + digits;
    if (digits == 0 || (text[0] == '0' && digits > 1))
        return false;
    if (*rest == '.') {
        size_t fraction = strspn(rest + 1, "0123456789");
        if (fraction == 0)
            return false;
        rest += 1 + fraction;
    }
    if (*rest == 'e') {
        rest += 1 + (rest[1] == '-' || rest[1] == '+');
        size_t exponent = strspn(rest, "0123456789");
        if (exponent == 0)
            return false;
        rest += exponent;
    }
    return *rest == '\0';
}

bool hy_parse_real(const char *text, double *value)
{
    char copy[MAX_WORD];
    if (!is_plain_number(text) || strlen(text) >= sizeof copy)
        return false;
    memcpy(copy, text, strlen(text) + 1);
    char *point = strchr(copy, '.');
    if (point)
        *point = decimal_point();
    *value = strtod(copy, NULL);
    return isfinite(*value);
}

void hy_print_real(double value, char *buffer, size_t size)
{
    for (int digits = DBL_DIG; digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    char *point = strchr(buffer, decimal_point());
    if (point)
        *point = '.';
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

/* Optimal string alignment distance (Damerau 1964, restricted to one swap a place). */
static unsigned distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    unsigned d[MAX_WORD + 1][MAX_WORD + 1];
    if (m > MAX_WORD || n > MAX_WORD)
        return (unsigned)(m + n);
    for (size_t i = 0; i <= m; i++)
        d[i][0] = (unsigned)i;
    for (size_t j = 0; j <= n; j++)
        d[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        for (size_t j = 1; j <= n; j++) {
            unsigned change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, change);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    }
    return d[m][n];
}

const char *hy_nearest_word(const char *word, const char *const *words, size_t num_words)
{
    const char *nearest = NULL;
    unsigned best = (unsigned)(strlen(word) + 2) / 3 + 1;
    for (size_t i = 0; i < num_words; i++) {
        unsigned d = distance(word, words[i]);
        if (d < best) {
            best = d;
            nearest = words[i];
        }
    }
    return nearest;
}
