/* A game between people and policies that is being played: its state, undone and recorded. */
#ifndef HY_CLI_PLAY_SESSION_H
#define HY_CLI_PLAY_SESSION_H

#include <jansson.h>

#include "config/config.h"
#include "sim/game.h"

#define HY_HUMAN "human"

/* What the user asked for; specs that are NULL stand for a person. */
typedef struct hy_play_options {
    hy_variant variant;
    hy_policy_spec *seats[2]; /* south, north; owned */
    hy_policy_spec *hint;     /* owned */
    const char *record_path;  /* or NULL */
    uint64_t seed;
    uint32_t max_plies;
    bool prompts; /* input and output are terminals */
    bool colour;
} hy_play_options;

/* Where a person had the choice. */
typedef struct hy_play_choice {
    uint32_t plies; /* before it */
    hy_stream streams[2];
} hy_play_choice;

typedef struct hy_session {
    const hy_play_options *options;
    hy_game game;
    hy_history history;
    hy_policy *seats[2]; /* NULL: a person */
    hy_policy *hint;     /* set up when it is first asked */
    hy_stream streams[2];
    hy_hole_list holes; /* played so far */
    hy_play_choice *choices;
    size_t num_choices, capacity;
} hy_session;

/* Sets up the policies and starts the game; `options` outlive the session. To be cleaned up in any
 * case. */
HY_MUST_CHECK hy_status hy_session_init(hy_session *session, const hy_play_options *options,
                                        hy_error *error);
void hy_session_clean_up(hy_session *session);

static inline hy_player hy_session_mover(const hy_session *session)
{
    return (hy_player)hy_game_position(&session->game)->mover;
}

/* The position before the last ply; there has to be one. */
static inline const hy_position *hy_session_before(const hy_session *session)
{
    return &session->game.positions[session->game.current ^ 1];
}

/* Plays a legal hole that a person has chosen. */
HY_MUST_CHECK hy_status hy_session_play(hy_session *session, unsigned hole, hy_error *error);

/* Lets the policy to move play. The game is the one that `hoyito run` plays as number 0 of the
 * seed, where nobody but policies plays. */
HY_MUST_CHECK hy_status hy_session_play_policy(hy_session *session, hy_error *error);

/* Goes back to before the last ply that a person chose. False in *done: there is none. */
HY_MUST_CHECK hy_status hy_session_undo(hy_session *session, bool *done, hy_error *error);

/* The game as a row that `hoyito replay` reads, with who played and the seed. */
json_t *hy_session_row(const hy_session *session);

#endif
