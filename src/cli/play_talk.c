#include "cli/play_talk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "cli/assessment.h"
#include "cli/board_text.h"
#include "cli/cli.h"
#include "cli/play_input.h"
#include "cli/play_laps.h"

/* A talk and what the next line is about. */
typedef struct hy_talk_state {
    hy_session *session;
    hy_line_input input;
    bool shown; /* the board, since the last ply */
    bool left;
} hy_talk_state;

/* What a command does; `word` is what follows it, or NULL. */
typedef hy_status hy_talk_command(hy_talk_state *talk, const char *word, hy_error *error);

typedef struct hy_talk_row {
    const char *name;
    const char *operand; /* NULL: takes none */
    const char *meaning;
    hy_talk_command *run;
} hy_talk_row;

static const hy_rules *rules_of(const hy_talk_state *talk)
{
    return &talk->session->options->variant.rules;
}

static void print_legal(const hy_session *session)
{
    const hy_moves *moves = &session->game.moves;
    for (unsigned i = 0; i < moves->num; i++)
        printf(" %u", moves->hole[i]);
}

static void show_board(hy_talk_state *talk)
{
    const hy_session *session = talk->session;
    hy_board_marks marks = {.colour = session->options->colour, .moves = &session->game.moves};
    bool again =
        session->game.record.plies > 0 && session->game.ply.again && session->game.last_passes == 0;
    putchar('\n');
    hy_print_board(rules_of(talk), hy_game_position(&session->game), &marks);
    printf("%s to move%s:", hy_player_words[hy_session_mover(session)], again ? " again" : "");
    print_legal(session);
    putchar('\n');
    talk->shown = true;
}

static hy_status do_board(hy_talk_state *talk, const char *word, hy_error *error)
{
    (void)word;
    (void)error;
    show_board(talk);
    return HY_OK;
}

static hy_status do_undo(hy_talk_state *talk, const char *word, hy_error *error)
{
    bool done;
    (void)word;
    hy_status status = hy_session_undo(talk->session, &done, error);
    if (status != HY_OK)
        return status;
    if (!done) {
        puts("nothing to take back: no hole has been chosen yet");
        return HY_OK;
    }
    printf("taken back: ply %" PRIu32 " is to be chosen again\n",
           talk->session->game.record.plies + 1);
    talk->shown = false;
    return HY_OK;
}

/* A hint that cannot be given is no reason to end a game. */
static hy_status do_hint(hy_talk_state *talk, const char *word, hy_error *error)
{
    hy_session *session = talk->session;
    const hy_policy_spec *spec = session->options->hint;
    const hy_stream *stream = &session->streams[hy_session_mover(session)];
    hy_assessment assessment;
    hy_error fault = {0};
    hy_status status = HY_OK;
    (void)word;
    (void)error;
    fflush(stdout);
    if (!session->hint)
        status = hy_policy_new(spec, rules_of(talk), &session->hint, &fault);
    if (status == HY_OK) {
        hy_policy_new_game(session->hint);
        status = hy_assess(session->hint, &session->game, stream, &assessment, &fault);
    }
    if (status == HY_OK)
        hy_print_assessment(spec, &assessment);
    else
        printf("no hint: %s\n", fault.text);
    return HY_OK;
}

/* The number of a hole of the board; a message where it is none. */
static bool read_hole(const hy_talk_state *talk, const char *word, unsigned *hole)
{
    uint64_t number;
    unsigned last = 2u * rules_of(talk)->holes - 1;
    if (!hy_parse_u64(word, &number) && strspn(word, "0123456789") != strlen(word)) {
        printf("'%s' is not the number of a hole\n", word);
        return false;
    }
    if (!hy_parse_u64(word, &number) || number > last) {
        printf("there is no hole '%s'; holes are 0 to %u\n", word, last);
        return false;
    }
    *hole = (unsigned)number;
    return true;
}

static hy_status do_laps(hy_talk_state *talk, const char *word, hy_error *error)
{
    const hy_session *session = talk->session;
    const hy_position *position = hy_game_position(&session->game);
    unsigned hole;
    (void)error;
    if (!word && session->holes.num == 0) {
        puts("no ply has been played yet; 'laps HOLE' shows what a hole would do");
        return HY_OK;
    }
    if (!word) {
        position = hy_session_before(session);
        hole = session->holes.holes[session->holes.num - 1];
    } else {
        if (!read_hole(talk, word, &hole))
            return HY_OK;
        if (!hy_is_playable(rules_of(talk), position, hole)) {
            printf("hole %u is not one that %s can sow\n", hole, hy_player_words[position->mover]);
            return HY_OK;
        }
    }
    hy_print_laps(rules_of(talk), position, hole, session->options->colour);
    return HY_OK;
}

static hy_status do_record(hy_talk_state *talk, const char *word, hy_error *error)
{
    (void)word;
    return hy_print_json(hy_session_row(talk->session), JSON_COMPACT, error);
}

static hy_status do_quit(hy_talk_state *talk, const char *word, hy_error *error)
{
    (void)word;
    (void)error;
    talk->left = true;
    return HY_OK;
}

static hy_talk_command do_help;

static const hy_talk_row rows[] = {
    {"undo", NULL, "take back the last hole that a person chose, and what followed", do_undo},
    {"hint", NULL, "what every hole is worth", do_hint},
    {"laps", "[HOLE]", "the last sowing lap by lap, or that of a hole before it is played",
     do_laps},
    {"board", NULL, "the board again", do_board},
    {"record", NULL, "the game so far as a row that 'hoyito replay' reads", do_record},
    {"help", NULL, "this list", do_help},
    {"quit", NULL, "leave the game unfinished", do_quit},
};

#define NUM_ROWS (sizeof rows / sizeof rows[0])

static hy_status do_help(hy_talk_state *talk, const char *word, hy_error *error)
{
    (void)word;
    (void)error;
    printf("a number plays that hole:");
    print_legal(talk->session);
    putchar('\n');
    for (size_t i = 0; i < NUM_ROWS; i++)
        printf("  %-6s %-6s  %s\n", rows[i].name, rows[i].operand ? rows[i].operand : "",
               rows[i].meaning);
    return HY_OK;
}

/* Says why a hole of the board is not legal now. */
static void explain(const hy_session *session, unsigned hole)
{
    const hy_rules *rules = &session->options->variant.rules;
    const hy_position *position = hy_game_position(&session->game);
    hy_player owner = hy_owner(rules, hole);
    if (owner != position->mover)
        printf("hole %u is %s's, and %s is to move:", hole, hy_player_words[owner],
               hy_player_words[position->mover]);
    else if (position->board[hole] == 0)
        printf("hole %u is empty; choose one of", hole);
    else
        printf("hole %u would never end, which this variant forbids; choose one of", hole);
    print_legal(session);
    putchar('\n');
}

static hy_status play_hole(hy_talk_state *talk, const char *word, hy_error *error)
{
    hy_session *session = talk->session;
    unsigned hole;
    hy_player mover = hy_session_mover(session);
    if (!read_hole(talk, word, &hole))
        return HY_OK;
    if (!hy_game_allows(&session->game, hole)) {
        explain(session, hole);
        return HY_OK;
    }
    hy_status status = hy_session_play(session, hole, error);
    if (status == HY_OK)
        hy_print_ply(&session->game, mover, hole);
    talk->shown = false;
    return status;
}

static void unknown(const char *word)
{
    const char *names[NUM_ROWS];
    for (size_t i = 0; i < NUM_ROWS; i++)
        names[i] = rows[i].name;
    const char *near = hy_nearest_word(word, names, NUM_ROWS);
    printf("'%.40s' is no command", word);
    if (near)
        printf("; did you mean '%s'?\n", near);
    else
        puts("; a number plays a hole, 'help' lists the commands");
}

/* What a line asks for; what is wrong with it is said, and the game goes on. */
static hy_status obey(hy_talk_state *talk, char *line, hy_error *error)
{
    char *rest, *word = strtok_r(line, " ", &rest);
    const char *operand = word ? strtok_r(NULL, " ", &rest) : NULL;
    const char *more = operand ? strtok_r(NULL, " ", &rest) : NULL;
    if (!word) {
        puts("an empty line; a number plays a hole, 'help' lists the commands");
        return HY_OK;
    }
    const hy_talk_row *row = NULL;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        if (strcmp(rows[i].name, word) == 0)
            row = &rows[i];
    }
    bool number = strchr("+-.0123456789", word[0]) != NULL;
    if (!row && !number) {
        unknown(word);
        return HY_OK;
    }
    if (more || (operand && (number || !row->operand))) {
        printf("'%s' is too many after '%s'\n", more ? more : operand, word);
        return HY_OK;
    }
    return number ? play_hole(talk, word, error) : row->run(talk, operand, error);
}

/* Reads one line of a person and does what it says. */
static hy_status person(hy_talk_state *talk, hy_error *error)
{
    char line[HY_LINE_SIZE];
    if (!talk->shown)
        show_board(talk);
    if (talk->session->options->prompts)
        printf("%s> ", hy_player_words[hy_session_mover(talk->session)]);
    if (fflush(stdout) != 0)
        return hy_fail(error, HY_STORAGE, "cannot write to standard output");
    hy_line_kind kind = hy_line_read(&talk->input, line);
    if (talk->session->options->prompts && kind != HY_LINE_TEXT && kind != HY_LINE_TOO_LONG)
        putchar('\n');
    switch (kind) {
    case HY_LINE_TEXT:
        return obey(talk, line, error);
    case HY_LINE_TOO_LONG:
        printf("a line of more than %d characters\n", HY_LINE_SIZE - 1);
        return HY_OK;
    case HY_LINE_END:
        puts("end of input");
        talk->left = true;
        return HY_OK;
    case HY_LINE_SIGNAL:
        return HY_OK;
    case HY_LINE_FAULT:
        break;
    }
    return hy_fail(error, HY_STORAGE, "cannot read standard input: %s", strerror(errno));
}

static hy_status policy(hy_talk_state *talk, hy_error *error)
{
    hy_session *session = talk->session;
    hy_player mover = hy_session_mover(session);
    if (session->options->prompts)
        fflush(stdout);
    hy_status status = hy_session_play_policy(session, error);
    if (status == HY_OK)
        hy_print_ply(&session->game, mover, session->holes.holes[session->holes.num - 1]);
    talk->shown = false;
    return status;
}

hy_status hy_talk(hy_session *session, hy_error *error)
{
    hy_talk_state talk = {.session = session};
    hy_status status = HY_OK;
    while (status == HY_OK && !hy_game_is_over(&session->game) && !talk.left) {
        if (atomic_load(&hy_signal) != 0)
            return hy_fail(error, HY_INTERRUPTED, "interrupted; the game is unfinished");
        status =
            session->seats[hy_session_mover(session)] ? policy(&talk, error) : person(&talk, error);
    }
    return status;
}
