#include "sim/game.h"

#define NOBODY 2

/* Step (h), and what is left to do where the game has ended. */
static hy_status settle(hy_game *game, hy_termination termination, hy_error *error)
{
    hy_position *position = &game->positions[game->current];
    hy_game_record *record = &game->record;
    uint32_t passes = record->passes;
    if (termination == HY_GOES_ON)
        termination =
            hy_settle(game->rules, game->max_laps, position, &game->moves, &record->passes);
    game->last_passes = record->passes - passes;
    if (termination == HY_GOES_ON && game->rules->repetition > 0) {
        unsigned times;
        hy_status status = hy_history_add(game->history, position, &times, error);
        if (status != HY_OK)
            return status;
        if (times >= game->rules->repetition)
            termination = HY_REPETITION;
    }
    if (termination != HY_GOES_ON) {
        record->termination = termination;
        record->result = hy_game_result(game->rules, position, termination);
        record->score[HY_SOUTH] = position->score[HY_SOUTH];
        record->score[HY_NORTH] = position->score[HY_NORTH];
        game->moves.num = 0;
    }
    return HY_OK;
}

hy_status hy_game_start(hy_game *game, const hy_rules *rules, uint64_t max_laps,
                        hy_history *history, const hy_position *start, hy_error *error)
{
    game->rules = rules;
    game->history = history;
    game->max_laps = max_laps;
    game->positions[0] = *start;
    game->current = 0;
    game->last_passes = 0;
    game->turn_length = 0;
    game->last_mover = NOBODY;
    game->leader = NOBODY;
    if (start->score[HY_SOUTH] != start->score[HY_NORTH])
        game->leader = start->score[HY_SOUTH] > start->score[HY_NORTH] ? HY_SOUTH : HY_NORTH;
    game->record = (hy_game_record){
        .result = HY_RESULT_NONE,
        .move_hash = HY_FNV1A_START,
        .score = {start->score[HY_SOUTH], start->score[HY_NORTH]},
    };
    if (rules->repetition > 0)
        hy_history_clear(history);
    hy_termination termination = start->left < rules->casa ? HY_EXHAUSTED : HY_GOES_ON;
    return settle(game, termination, error);
}

static void count_turn(hy_game *game, uint8_t mover)
{
    hy_game_record *record = &game->record;
    bool goes_on = mover == game->last_mover && game->last_passes == 0;
    record->turns += !goes_on;
    game->turn_length = goes_on ? game->turn_length + 1 : 1;
    if (game->turn_length > record->longest_turn)
        record->longest_turn = game->turn_length;
    game->last_mover = mover;
}

static void count_captures(hy_game_record *record, const hy_ply *ply, uint8_t mover)
{
    const hy_sowing *sowing = &ply->sowing;
    record->captures++;
    record->south_captures += mover == HY_SOUTH;
    record->claimed += ply->claimed;
    record->casas +=
        (uint32_t)sowing->casas + sowing->en_passant[HY_SOUTH] + sowing->en_passant[HY_NORTH];
    if (sowing->casas < 2)
        return;
    unsigned length = sowing->casas - 1u;
    record->chains++;
    record->south_chains += mover == HY_SOUTH;
    record->chain_count[length]++;
    if (length > record->longest_chain)
        record->longest_chain = length;
}

static void count_lead(hy_game *game)
{
    const uint16_t *score = hy_game_position(game)->score;
    game->record.score[HY_SOUTH] = score[HY_SOUTH];
    game->record.score[HY_NORTH] = score[HY_NORTH];
    if (score[HY_SOUTH] == score[HY_NORTH])
        return;
    uint8_t leader = score[HY_SOUTH] > score[HY_NORTH] ? HY_SOUTH : HY_NORTH;
    game->record.lead_changes += game->leader != NOBODY && game->leader != leader;
    game->leader = leader;
}

hy_status hy_game_ply(hy_game *game, unsigned hole, hy_error *error)
{
    const hy_position *before = &game->positions[game->current];
    hy_position *after = &game->positions[game->current ^ 1];
    hy_game_record *record = &game->record;
    hy_ply *ply = &game->ply;
    hy_ply_play(game->rules, before, hole, game->max_laps, after, ply);
    game->current ^= 1;
    record->plies++;
    record->legal_holes += game->moves.num;
    record->decision_plies += game->moves.num > 1;
    record->laps += ply->sowing.laps;
    record->counters += ply->sowing.counters;
    record->move_hash = hy_fnv1a_step(record->move_hash, (uint8_t)hole);
    count_turn(game, before->mover);
    if (ply->captured) {
        count_captures(record, ply, before->mover);
        if (game->rules->repetition > 0)
            hy_history_clear(game->history);
    }
    hy_status status = settle(game, ply->termination, error);
    if (ply->captured || record->termination == HY_SWEPT)
        count_lead(game);
    return status;
}

void hy_game_truncate(hy_game *game)
{
    game->record.termination = HY_TRUNCATED;
    game->record.result = HY_RESULT_NONE;
    game->moves.num = 0;
}

bool hy_game_allows(const hy_game *game, unsigned hole)
{
    for (unsigned i = 0; i < game->moves.num; i++) {
        if (game->moves.hole[i] == hole)
            return true;
    }
    return false;
}

static unsigned times_in_history(const void *history, const hy_position *position)
{
    return hy_history_times(history, position);
}

hy_choice hy_game_choice(const hy_game *game, hy_stream *stream)
{
    return (hy_choice){
        .rules = game->rules,
        .position = hy_game_position(game),
        .moves = &game->moves,
        .max_laps = game->max_laps,
        .stream = stream,
        .times = game->rules->repetition > 0 ? times_in_history : NULL,
        .history = game->history,
    };
}

hy_status hy_table_init(hy_table *table, const hy_condition *condition, bool swapped,
                        hy_error *error)
{
    *table = (hy_table){.condition = condition};
    const hy_policy_spec *south = swapped ? condition->second : condition->first;
    const hy_policy_spec *north = swapped ? condition->first : condition->second;
    hy_status status = hy_policy_new(south, &condition->rules, &table->seats[HY_SOUTH], error);
    if (status == HY_OK)
        status = hy_policy_new(north, &condition->rules, &table->seats[HY_NORTH], error);
    if (status != HY_OK)
        hy_table_clean_up(table);
    return status;
}

void hy_table_clean_up(hy_table *table)
{
    hy_policy_destroy(table->seats[HY_SOUTH]);
    hy_policy_destroy(table->seats[HY_NORTH]);
    hy_history_clean_up(&table->history);
    *table = (hy_table){0};
}

static unsigned choose(const hy_table *table, const hy_game *game, hy_stream streams[3])
{
    const hy_moves *moves = &game->moves;
    if (moves->num == 1)
        return moves->hole[0];
    if (game->record.plies < table->condition->opening_plies)
        return moves->hole[hy_stream_below(&streams[HY_PURPOSE_OPENING], moves->num)];
    uint8_t mover = hy_game_position(game)->mover;
    hy_choice choice = hy_game_choice(game, &streams[mover]);
    return hy_policy_choose(table->seats[mover], &choice);
}

/* The streams of a game, by hy_purpose. */
static void make_streams(uint64_t seed, uint64_t number, hy_stream streams[3])
{
    for (unsigned purpose = 0; purpose < 3; purpose++)
        streams[purpose] = hy_stream_make(seed, number, (hy_purpose)purpose);
}

static hy_playout_terms terms_of(const hy_condition *condition)
{
    return (hy_playout_terms){
        .rules = &condition->rules,
        .max_laps = condition->max_laps,
        .max_plies = condition->max_plies,
        .opening_plies = condition->opening_plies,
    };
}

static bool is_uniform(const hy_condition *condition)
{
    return condition->first->type->uniform && condition->second->type->uniform;
}

bool hy_condition_has_lanes(const hy_condition *condition, hy_playout_terms *terms)
{
    *terms = terms_of(condition);
    return is_uniform(condition) && hy_lanes_handle(terms);
}

hy_status hy_table_play(hy_table *table, uint64_t seed, uint64_t number, hy_hole_list *holes,
                        hy_game_record *record, hy_error *error)
{
    const hy_condition *condition = table->condition;
    hy_position start = hy_position_start(&condition->rules);
    if (!is_uniform(condition) || !hy_playout_handles(&condition->rules, &start))
        return hy_table_play_by_plies(table, seed, number, holes, record, error);
    hy_playout_terms terms = terms_of(condition);
    hy_stream streams[3];
    make_streams(seed, number, streams);
    hy_stream *const by_purpose[3] = {&streams[0], &streams[1], &streams[2]};
    hy_status status = hy_playout_play(&terms, &start, by_purpose, holes, record, error);
    record->number = number;
    return status;
}

hy_status hy_table_play_by_plies(hy_table *table, uint64_t seed, uint64_t number,
                                 hy_hole_list *holes, hy_game_record *record, hy_error *error)
{
    const hy_condition *condition = table->condition;
    hy_position start = hy_position_start(&condition->rules);
    hy_stream streams[3];
    hy_game game;
    make_streams(seed, number, streams);
    hy_policy_new_game(table->seats[HY_SOUTH]);
    hy_policy_new_game(table->seats[HY_NORTH]);
    hy_status status = hy_game_start(&game, &condition->rules, condition->max_laps, &table->history,
                                     &start, error);
    while (status == HY_OK && !hy_game_is_over(&game)) {
        if (game.record.plies >= condition->max_plies) {
            hy_game_truncate(&game);
            break;
        }
        unsigned hole = choose(table, &game, streams);
        if (holes)
            status = hy_hole_list_add(holes, hole, error);
        if (status == HY_OK)
            status = hy_game_ply(&game, hole, error);
    }
    *record = game.record;
    record->number = number;
    return status;
}
