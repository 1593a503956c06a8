/* How libFuzzer changes an input of the fuzzer of databases: by whole lines that mean something,
 * and now and then by bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/bases.h"

#define LINE_SIZE 512
#define MAX_LINES 16

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static const char *const words[] = {"report", "json",    "html",   "compare", "effects",
                                    "ladder", "quality", "digest", "verify",  "replay",
                                    "plan",   "merge",   "into",   "run"};
static const char *const numbers[] = {"0",
                                      "1",
                                      "2",
                                      "3",
                                      "-1",
                                      "7",
                                      "8",
                                      "39",
                                      "40",
                                      "63",
                                      "64",
                                      "255",
                                      "256",
                                      "65535",
                                      "65536",
                                      "65537",
                                      "100000",
                                      "10000000",
                                      "2147483647",
                                      "2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "1000000000000",
                                      "4611686018427387904",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "-2147483648"};
static const char *const texts[] = {"",
                                    "south",
                                    "north",
                                    "none",
                                    "draw",
                                    "truncated",
                                    "unresolved",
                                    "endless",
                                    "summary",
                                    "games",
                                    "moves",
                                    "random",
                                    "greedy",
                                    "alphabeta:depth=60",
                                    "h0",
                                    "half_width",
                                    "{}",
                                    "[]",
                                    "[[1,1]]",
                                    "[[63,9223372036854775807]]",
                                    "{\"stuck\":[[1,1],[2,9223372036854775807]]}",
                                    "{\"truncated\":[[60,40]]}",
                                    "{\"south\":1,\"north\":1,\"draw\":0,\"none\":0}",
                                    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
                                    "0123456789abcdef",
                                    "<script>alert(1)</script>",
                                    "';\nset output '/tmp/x'",
                                    "%s%n%n"};

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

static unsigned draw(unsigned num)
{
    return (unsigned)rand() % num;
}

static void print_value(char *out, size_t size)
{
    size_t used;
    switch (draw(8)) {
    case 0:
    case 1:
    case 2:
        snprintf(out, size, "i%s", numbers[draw(NUM(numbers))]);
        break;
    case 3:
        snprintf(out, size, "i%u", draw(300));
        break;
    case 4:
    case 5:
        snprintf(out, size, "t%s", texts[draw(NUM(texts))]);
        break;
    case 6:
        used = (size_t)snprintf(out, size, "x");
        for (unsigned i = draw(80); i > 0; i--)
            used +=
                (size_t)snprintf(out + used, size - used, "%02x", draw(4) ? draw(8) : draw(256));
        break;
    default:
        snprintf(out, size, draw(2) ? "n" : "r-1e300");
    }
}

static void print_row(char *out, size_t size)
{
    if (draw(6) == 0)
        snprintf(out, size, "*");
    else
        snprintf(out, size, "%u", draw(draw(2) ? 3 : 50));
}

static void print_line(char line[LINE_SIZE])
{
    char row[16], value[256];
    size_t num;
    const hy_fuzz_column *columns = hy_fuzz_columns(&num);
    const hy_fuzz_column *column = &columns[draw((unsigned)num)];
    while (strcmp(column->table, "column_doc") == 0)
        column = &columns[draw((unsigned)num)];
    print_row(row, sizeof row);
    print_value(value, sizeof value);
    unsigned kind = draw(16);
    if (kind < 10)
        snprintf(line, LINE_SIZE, "set %s %s %s %s", column->table, row, column->column, value);
    else if (kind < 12)
        snprintf(line, LINE_SIZE, "copy %s %u %s %s", column->table, draw(3), column->column,
                 value);
    else if (kind < 13)
        snprintf(line, LINE_SIZE, "delete %s %s", column->table, row);
    else if (kind < 14)
        snprintf(line, LINE_SIZE, "schema view x%u CREATE VIEW x AS SELECT * FROM game", draw(9));
    else
        snprintf(line, LINE_SIZE, "byte %u %02x%02x", draw(draw(2) ? 8192 : 200000), draw(256),
                 draw(256));
}

static void print_head(char line[LINE_SIZE])
{
    size_t used =
        (size_t)snprintf(line, LINE_SIZE, "%s", hy_fuzz_bases()[draw(HY_FUZZ_NUM_BASES)].name);
    for (unsigned i = 1 + draw(3); i > 0; i--)
        used += (size_t)snprintf(line + used, LINE_SIZE - used, " %s", words[draw(NUM(words))]);
}

static void mutate_bytes(char line[LINE_SIZE])
{
    size_t size = LLVMFuzzerMutate((uint8_t *)line, strlen(line), LINE_SIZE - 1);
    line[size] = '\0';
    for (size_t i = 0; i < size; i++)
        line[i] = line[i] == '\n' || line[i] == '\0' ? ' ' : line[i];
}

static void mutate_lines(char lines[MAX_LINES][LINE_SIZE], unsigned *num)
{
    unsigned which = draw(*num);
    switch (draw(8)) {
    case 0:
        print_head(lines[0]);
        break;
    case 1:
        if (*num > 1)
            memmove(lines[1], lines[2], (--*num - 1) * sizeof lines[0]);
        break;
    case 2:
    case 3:
        if (which > 0)
            print_line(lines[which]);
        else
            print_head(lines[0]);
        break;
    case 4:
    case 5:
        mutate_bytes(lines[which]);
        break;
    default:
        if (*num < MAX_LINES)
            print_line(lines[(*num)++]);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static char lines[MAX_LINES][LINE_SIZE];
    unsigned num = 0;
    size_t used = 0;
    char *text = strndup((const char *)data, size), *rest = text;
    srand(seed);
    while (rest && num < MAX_LINES)
        snprintf(lines[num++], LINE_SIZE, "%s", strsep(&rest, "\n"));
    free(text);
    mutate_lines(lines, &num);
    for (unsigned i = 0; i < num; i++) {
        size_t length = strlen(lines[i]);
        if (used + length + 1 > max_size)
            break;
        used += i > 0;
        if (i > 0)
            data[used - 1] = '\n';
        memcpy(data + used, lines[i], length);
        used += length;
    }
    return used;
}
