#include "cli/board_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAIN "\033[0m"
#define BOLD "\033[1m"
#define YELLOW "\033[33m"

bool hy_colour_wanted(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_colour && no_colour[0] != '\0')
        return false;
    return terminal && strcmp(terminal, "dumb") != 0 && isatty(STDOUT_FILENO);
}

/* The hole in a column from the left. */
static unsigned hole_at(const hy_rules *rules, hy_player player, unsigned column)
{
    return player == HY_SOUTH ? column : 2u * rules->holes - 1 - column;
}

static bool is_among(const hy_moves *moves, unsigned hole)
{
    for (unsigned i = 0; moves && i < moves->num; i++) {
        if (moves->hole[i] == hole)
            return true;
    }
    return false;
}

static void print_cell(const char *text, const char *colour)
{
    printf(" %s%4s%s", colour, text, colour[0] != '\0' ? PLAIN : "");
}

static void print_row(const hy_rules *rules, const uint16_t *board, hy_player player,
                      const hy_board_marks *marks)
{
    printf("  %-5s", hy_player_words[player]);
    for (unsigned i = 0; i < rules->holes; i++) {
        char text[8];
        unsigned counters = board[hole_at(rules, player, i)];
        bool casa = marks && marks->colour && counters == rules->casa;
        snprintf(text, sizeof text, "%u", counters);
        print_cell(text, casa ? YELLOW : "");
    }
}

static void print_numbers(const hy_rules *rules, hy_player player, const hy_board_marks *marks)
{
    printf("  %-5s", "");
    for (unsigned i = 0; i < rules->holes; i++) {
        char text[8];
        unsigned hole = hole_at(rules, player, i);
        bool bold = marks && marks->colour && is_among(marks->moves, hole);
        snprintf(text, sizeof text, "(%u)", hole);
        print_cell(text, bold ? BOLD : "");
    }
    putchar('\n');
}

void hy_print_board(const hy_rules *rules, const hy_position *position, const hy_board_marks *marks)
{
    print_numbers(rules, HY_NORTH, marks);
    for (int player = HY_NORTH; player >= HY_SOUTH; player--) {
        print_row(rules, position->board, (hy_player)player, marks);
        printf("  captured %u\n", position->score[player]);
    }
    print_numbers(rules, HY_SOUTH, marks);
}

void hy_print_rows(const hy_rules *rules, const uint16_t *board, const hy_board_marks *marks)
{
    print_row(rules, board, HY_NORTH, marks);
    putchar('\n');
    print_row(rules, board, HY_SOUTH, marks);
    putchar('\n');
}

void hy_print_ply(const hy_game *game, hy_player mover, unsigned hole)
{
    const hy_sowing *sowing = &game->ply.sowing;
    unsigned en_passant = sowing->en_passant[HY_SOUTH] + sowing->en_passant[HY_NORTH];
    printf("ply %" PRIu32 ": %s plays hole %u: %" PRIu64 " lap%s, %" PRIu64 " counter%s, ends %s",
           game->record.plies, hy_player_words[mover], hole, sowing->laps,
           sowing->laps == 1 ? "" : "s", sowing->counters, sowing->counters == 1 ? "" : "s",
           hy_ending_words[sowing->ending]);
    if (sowing->casas > 0)
        printf(", takes %u casa%s", sowing->casas, sowing->casas == 1 ? "" : "s");
    if (en_passant > 0)
        printf(", %u en passant", en_passant);
    if (game->ply.claimed > 0)
        printf(", claims %u counter%s", game->ply.claimed, game->ply.claimed == 1 ? "" : "s");
    if (game->last_passes > 0)
        printf("; %s has no move and passes",
               hy_player_words[hy_opponent(hy_game_position(game)->mover)]);
    putchar('\n');
}

void hy_print_end(const hy_game_record *record)
{
    printf("%s after %" PRIu32 " plies; south %" PRIu32 ", north %" PRIu32 ": %s\n",
           hy_termination_words[record->termination], record->plies, record->score[HY_SOUTH],
           record->score[HY_NORTH], hy_result_words[record->result]);
}
