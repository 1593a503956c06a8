/* The talk of a game: boards and plies out, holes and commands in. */
#ifndef HY_CLI_PLAY_TALK_H
#define HY_CLI_PLAY_TALK_H

#include "cli/play_session.h"

/* Plays until the game is over, the person leaves, the input ends or a signal comes
 * (HY_INTERRUPTED). */
HY_MUST_CHECK hy_status hy_talk(hy_session *session, hy_error *error);

#endif
