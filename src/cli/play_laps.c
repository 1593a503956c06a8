#include "cli/play_laps.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/board_text.h"
#include "rules/trace.h"

#define FIRST_LAPS 12u

typedef struct hy_lap_printer {
    const hy_rules *rules;
    hy_board_marks marks;
    hy_trace trace;
} hy_lap_printer;

static void print_capture(const hy_rules *rules, const hy_lap *lap)
{
    unsigned size = 2u * rules->holes;
    printf("a casa, taken");
    if (lap->casas > 1)
        printf(" with %u before it (hole%s", lap->casas - 1u, lap->casas > 2 ? "s" : "");
    for (unsigned i = 1; i < lap->casas; i++)
        printf(" %u", (lap->landing + size - i) % size);
    printf("%s", lap->casas > 1 ? ")" : "");
}

static void print_what_follows(const hy_rules *rules, const hy_lap *lap)
{
    if (lap->casas > 0)
        print_capture(rules, lap);
    else if (lap->landed == 1)
        printf("empty before");
    else
        printf("%u there then%s", lap->landed, lap->last ? "" : ", picked up");
    for (int player = HY_SOUTH; player <= HY_NORTH; player++) {
        unsigned casas = lap->en_passant[player];
        if (casas > 0)
            printf("; on the way %s takes %u casa%s", hy_player_words[player], casas,
                   casas == 1 ? "" : "s");
    }
}

static bool print_lap(void *context, const hy_lap *lap)
{
    const hy_lap_printer *printer = context;
    const hy_sowing *sowing = &printer->trace.sowing;
    if (lap->number > FIRST_LAPS && !lap->last) {
        if (lap->number == FIRST_LAPS + 1 && sowing->laps > 0)
            printf("... %" PRIu64 " lap%s not shown\n", sowing->laps - lap->number,
                   sowing->laps - lap->number == 1 ? "" : "s");
        return sowing->laps > 0;
    }
    printf("lap %" PRIu64 ": %u from hole %u to hole %u: ", lap->number, lap->counters, lap->origin,
           lap->landing);
    print_what_follows(printer->rules, lap);
    putchar('\n');
    hy_print_rows(printer->rules, lap->board, &printer->marks);
    return true;
}

static void print_recurrence(const hy_trace *trace, unsigned hole)
{
    printf("hole %u never ends: after %" PRIu64
           " laps the board and the hole to pick up are those ",
           hole, trace->recurrence);
    if (trace->recurrence == trace->period)
        printf("of the beginning");
    else
        printf("after lap %" PRIu64, trace->recurrence - trace->period);
    printf(", and so on every %" PRIu64 " laps\n", trace->period);
}

void hy_print_laps(const hy_rules *rules, const hy_position *position, unsigned hole, bool colour)
{
    hy_lap_printer printer = {.rules = rules, .marks = {.colour = colour}};
    const hy_sowing *sowing = &printer.trace.sowing;
    printf("%s sows hole %u:\n", hy_player_words[position->mover], hole);
    hy_sow_trace(rules, position->board, hole, position->mover, HY_DEFAULT_MAX_LAPS, print_lap,
                 &printer, &printer.trace);
    if (sowing->ending == HY_ENDING_ENDLESS)
        print_recurrence(&printer.trace, hole);
    else if (sowing->ending == HY_ENDING_UNRESOLVED)
        printf("hole %u is not over after %u laps, and nothing has come again by then\n", hole,
               HY_DEFAULT_MAX_LAPS);
    else
        printf("%" PRIu64 " lap%s, %" PRIu64 " counter%s, ends %s\n", sowing->laps,
               sowing->laps == 1 ? "" : "s", sowing->counters, sowing->counters == 1 ? "" : "s",
               hy_ending_words[sowing->ending]);
}

void hy_print_endless(const hy_rules *rules, const hy_position *position, unsigned hole)
{
    hy_trace trace;
    hy_sow_trace(rules, position->board, hole, position->mover, HY_DEFAULT_MAX_LAPS, NULL, NULL,
                 &trace);
    if (trace.sowing.ending == HY_ENDING_ENDLESS)
        print_recurrence(&trace, hole);
}
