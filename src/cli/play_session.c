#include "cli/play_session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/assessment.h"
#include "cli/game_row.h"

static hy_status start_game(hy_session *session, hy_error *error)
{
    const hy_rules *rules = &session->options->variant.rules;
    hy_position start = hy_position_start(rules);
    return hy_game_start(&session->game, rules, HY_DEFAULT_MAX_LAPS, &session->history, &start,
                         error);
}

hy_status hy_session_init(hy_session *session, const hy_play_options *options, hy_error *error)
{
    hy_status status = HY_OK;
    *session = (hy_session){.options = options};
    for (int seat = HY_SOUTH; seat <= HY_NORTH; seat++) {
        const hy_policy_spec *spec = options->seats[seat];
        session->streams[seat] = hy_stream_make(options->seed, 0, (hy_purpose)seat);
        if (status == HY_OK && spec)
            status = hy_policy_new(spec, &options->variant.rules, &session->seats[seat], error);
        if (status == HY_OK && spec)
            hy_policy_new_game(session->seats[seat]);
    }
    return status == HY_OK ? start_game(session, error) : status;
}

void hy_session_clean_up(hy_session *session)
{
    hy_policy_destroy(session->seats[HY_SOUTH]);
    hy_policy_destroy(session->seats[HY_NORTH]);
    hy_policy_destroy(session->hint);
    hy_history_clean_up(&session->history);
    free(session->holes.holes);
    free(session->choices);
    *session = (hy_session){0};
}

/* Plays a hole, and ends a game that has had its plies. */
static hy_status play(hy_session *session, unsigned hole, hy_error *error)
{
    hy_game *game = &session->game;
    hy_status status = hy_hole_list_add(&session->holes, hole, error);
    if (status == HY_OK)
        status = hy_game_ply(game, hole, error);
    if (status == HY_OK && !hy_game_is_over(game) &&
        game->record.plies >= session->options->max_plies)
        hy_game_truncate(game);
    return status;
}

hy_status hy_session_play(hy_session *session, unsigned hole, hy_error *error)
{
    hy_status status = hy_reserve(&session->choices, &session->capacity, session->num_choices + 1,
                                  sizeof session->choices[0], error);
    if (status != HY_OK)
        return status;
    session->choices[session->num_choices++] = (hy_play_choice){
        .plies = session->game.record.plies,
        .streams = {session->streams[HY_SOUTH], session->streams[HY_NORTH]},
    };
    return play(session, hole, error);
}

hy_status hy_session_play_policy(hy_session *session, hy_error *error)
{
    const hy_moves *moves = &session->game.moves;
    hy_player mover = hy_session_mover(session);
    unsigned hole = moves->hole[0];
    if (moves->num > 1) {
        hy_choice choice = hy_game_choice(&session->game, &session->streams[mover]);
        hole = hy_policy_choose(session->seats[mover], &choice);
    }
    return play(session, hole, error);
}

hy_status hy_session_undo(hy_session *session, bool *done, hy_error *error)
{
    *done = session->num_choices > 0;
    if (!*done)
        return HY_OK;
    const hy_play_choice *choice = &session->choices[--session->num_choices];
    session->holes.num = choice->plies;
    for (int seat = HY_SOUTH; seat <= HY_NORTH; seat++) {
        session->streams[seat] = choice->streams[seat];
        hy_policy_new_game(session->seats[seat]);
    }
    hy_status status = start_game(session, error);
    for (size_t i = 0; status == HY_OK && i < session->holes.num; i++)
        status = hy_game_ply(&session->game, session->holes.holes[i], error);
    return status;
}

static json_t *seat_json(const hy_policy_spec *spec)
{
    char text[HY_POLICY_TEXT_SIZE] = HY_HUMAN;
    if (spec)
        hy_policy_spec_print(spec, text);
    return json_string(text);
}

json_t *hy_session_row(const hy_session *session)
{
    const hy_play_options *options = session->options;
    char seed[24];
    json_t *row = hy_game_row(&options->variant.rules, options->max_plies, HY_DEFAULT_MAX_LAPS,
                              &session->holes, &session->game.record);
    if (!row)
        return NULL;
    snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    json_object_set_new(row, "south", seat_json(options->seats[HY_SOUTH]));
    json_object_set_new(row, "north", seat_json(options->seats[HY_NORTH]));
    json_object_set_new(row, "seed", json_string(seed));
    return row;
}
