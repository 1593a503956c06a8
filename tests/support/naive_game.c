#include "support/naive_game.h"

#include <stdlib.h>
#include <string.h>

bool naive_game_allows(const naive_game *game, hy_player mover, unsigned hole)
{
    bool own = (hole < game->rules.holes) == (mover == HY_SOUTH);
    naive_sowing sowing;
    if (hole >= 2u * game->rules.holes || !own || game->position.board[hole] == 0)
        return false;
    if (game->rules.endless == HY_ENDLESS_ANNUL)
        return true;
    naive_sow(&game->rules, game->position.board, hole, mover, game->max_laps, &sowing);
    return sowing.ending != HY_ENDING_ENDLESS;
}

static bool can_move(const naive_game *game, hy_player mover)
{
    for (unsigned hole = 0; hole < 2u * game->rules.holes; hole++) {
        if (naive_game_allows(game, mover, hole))
            return true;
    }
    return false;
}

static void win_all(naive_game *game, hy_player winner)
{
    game->position.score[winner] = (uint16_t)(game->position.score[winner] + game->position.left);
    game->position.left = 0;
    memset(game->position.board, 0, sizeof game->position.board);
}

/* Step (g). */
static void pass_or_end(naive_game *game)
{
    hy_player mover = (hy_player)game->position.mover;
    hy_player other = mover == HY_SOUTH ? HY_NORTH : HY_SOUTH;
    game->just_passed = false;
    if (can_move(game, mover))
        return;
    if (game->rules.no_move == HY_NO_MOVE_SWEEP) {
        win_all(game, other);
        game->termination = HY_SWEPT;
    } else if (!can_move(game, other)) {
        game->termination = HY_STUCK;
    } else {
        game->position.mover = (uint8_t)other;
        game->passes++;
        game->just_passed = true;
    }
}

/* Step (h). */
static void note_position(naive_game *game)
{
    unsigned times = 1;
    for (size_t i = 0; i < game->num_met; i++) {
        const hy_position *met = &game->met[i];
        times += met->mover == game->position.mover &&
                 memcmp(met->board, game->position.board, sizeof met->board) == 0;
    }
    if (game->num_met > NAIVE_MAX_PLIES)
        abort();
    game->met[game->num_met++] = game->position;
    if (game->rules.repetition > 0 && times >= game->rules.repetition)
        game->termination = HY_REPETITION;
}

static void settle(naive_game *game)
{
    if (game->termination == HY_GOES_ON)
        pass_or_end(game);
    if (game->termination == HY_GOES_ON)
        note_position(game);
}

void naive_game_start(naive_game *game, const hy_rules *rules, uint64_t max_laps,
                      const hy_position *start)
{
    *game = (naive_game){.rules = *rules,
                         .max_laps = max_laps,
                         .position = *start,
                         .move_hash = 0xcbf29ce484222325u};
    game->start_lead = (int)start->score[HY_SOUTH] - (int)start->score[HY_NORTH];
    game->met = calloc(NAIVE_MAX_PLIES + 1, sizeof game->met[0]);
    game->past = calloc(NAIVE_MAX_PLIES + 1, sizeof game->past[0]);
    if (!game->met || !game->past)
        abort();
    settle(game);
}

void naive_game_clean_up(naive_game *game)
{
    free(game->met);
    free(game->past);
}

static unsigned taken_by(const naive_sowing *sowing, hy_player player, hy_player mover)
{
    return sowing->en_passant[player] + (player == mover ? sowing->casas : 0);
}

/* Steps (b) to (f). */
static void book(naive_game *game, const naive_sowing *sowing, hy_player mover)
{
    hy_position *position = &game->position;
    unsigned souths = taken_by(sowing, HY_SOUTH, mover) * game->rules.casa;
    unsigned norths = taken_by(sowing, HY_NORTH, mover) * game->rules.casa;
    bool captured = souths + norths > 0;
    position->score[HY_SOUTH] = (uint16_t)(position->score[HY_SOUTH] + souths);
    position->score[HY_NORTH] = (uint16_t)(position->score[HY_NORTH] + norths);
    position->left = (uint16_t)(position->left - souths - norths);
    memcpy(position->board, sowing->after, sizeof position->board);
    if (captured && position->left == 0) {
        game->termination = HY_EXHAUSTED;
    } else if (captured && game->rules.claim > 0 && position->left <= game->rules.claim) {
        win_all(game, game->rules.claim_by == HY_CLAIM_STARTER ? HY_SOUTH : mover);
        game->termination = HY_CLAIMED;
    } else if (position->left < game->rules.casa) {
        game->termination = HY_EXHAUSTED;
    }
    if (!game->rules.extra_turn || taken_by(sowing, mover, mover) == 0)
        position->mover = mover == HY_SOUTH ? HY_NORTH : HY_SOUTH;
}

void naive_game_ply(naive_game *game, unsigned hole)
{
    naive_turn *turn = &game->past[game->num_past++];
    hy_player mover = (hy_player)game->position.mover;
    turn->mover = (uint8_t)mover;
    turn->passed_before = game->just_passed;
    for (unsigned other = 0; other < 2u * game->rules.holes; other++)
        turn->num_holes += naive_game_allows(game, mover, other);
    unsigned won = game->position.score[HY_SOUTH] + game->position.score[HY_NORTH];
    game->move_hash = (game->move_hash ^ hole) * 0x100000001b3u;
    naive_sow(&game->rules, game->position.board, hole, mover, game->max_laps, &turn->sowing);
    if (turn->sowing.ending == HY_ENDING_ENDLESS)
        game->termination = HY_ENDLESS;
    else if (turn->sowing.ending == HY_ENDING_UNRESOLVED)
        game->termination = HY_UNRESOLVED;
    else
        book(game, &turn->sowing, mover);
    if (game->termination == HY_CLAIMED)
        turn->claimed =
            (uint8_t)(game->position.score[HY_SOUTH] + game->position.score[HY_NORTH] - won -
                      game->rules.casa * (taken_by(&turn->sowing, HY_SOUTH, mover) +
                                          taken_by(&turn->sowing, HY_NORTH, mover)));
    settle(game);
    turn->lead = (int)game->position.score[HY_SOUTH] - (int)game->position.score[HY_NORTH];
}

static hy_result result_of(const naive_game *game)
{
    hy_termination t = game->termination;
    bool open = t == HY_ENDLESS || t == HY_STUCK || t == HY_REPETITION;
    int lead = (int)game->position.score[HY_SOUTH] - (int)game->position.score[HY_NORTH];
    if (t == HY_GOES_ON || t == HY_UNRESOLVED || t == HY_TRUNCATED ||
        (open && game->rules.unfinished == HY_UNFINISHED_VOID))
        return HY_RESULT_NONE;
    return lead > 0 ? HY_RESULT_SOUTH : lead < 0 ? HY_RESULT_NORTH : HY_RESULT_DRAW;
}

static void count_turns(const naive_game *game, hy_game_record *record)
{
    uint32_t length = 0;
    for (size_t i = 0; i < game->num_past; i++) {
        const naive_turn *turn = &game->past[i];
        bool new_turn = i == 0 || turn->passed_before || turn->mover != game->past[i - 1].mover;
        record->turns += new_turn;
        length = new_turn ? 1 : length + 1;
        if (length > record->longest_turn)
            record->longest_turn = length;
    }
}

static void count_leads(const naive_game *game, hy_game_record *record)
{
    int leader = (game->start_lead > 0) - (game->start_lead < 0);
    for (size_t i = 0; i < game->num_past; i++) {
        int lead = game->past[i].lead;
        int sign = (lead > 0) - (lead < 0);
        if (sign != 0 && leader != 0 && sign != leader)
            record->lead_changes++;
        if (sign != 0)
            leader = sign;
    }
}

static void count_captures(const naive_game *game, hy_game_record *record)
{
    for (size_t i = 0; i < game->num_past; i++) {
        const naive_sowing *sowing = &game->past[i].sowing;
        unsigned casas = sowing->casas + sowing->en_passant[0] + sowing->en_passant[1];
        record->laps += sowing->laps;
        record->counters += sowing->counters;
        bool souths = game->past[i].mover == HY_SOUTH;
        record->legal_holes += game->past[i].num_holes;
        record->decision_plies += game->past[i].num_holes >= 2;
        record->claimed += game->past[i].claimed;
        record->captures += casas > 0;
        record->south_captures += casas > 0 && souths;
        record->south_chains += sowing->casas >= 2 && souths;
        record->casas += casas;
        if (sowing->casas < 2)
            continue;
        record->chains++;
        record->chain_count[sowing->casas - 1]++;
        if (sowing->casas - 1 > record->longest_chain)
            record->longest_chain = sowing->casas - 1;
    }
}

void naive_game_record(const naive_game *game, hy_game_record *record)
{
    *record = (hy_game_record){
        .termination = game->termination,
        .result = result_of(game),
        .score = {game->position.score[HY_SOUTH], game->position.score[HY_NORTH]},
        .plies = (uint32_t)game->num_past,
        .passes = game->passes,
        .move_hash = game->move_hash,
    };
    count_turns(game, record);
    count_leads(game, record);
    count_captures(game, record);
}
