#include "support/valued_game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* --- the policy --- */

static unsigned choose_first(hy_policy *policy, const hy_choice *choice)
{
    (void)policy;
    return choice->moves->hole[0];
}

static hy_status analyse(hy_policy *policy, const hy_choice *choice, hy_analysis *analysis,
                         hy_error *error)
{
    (void)policy;
    (void)error;
    uint64_t hash = choice->position->mover;
    for (unsigned i = 0; i < HY_MAX_BOARD; i++)
        hash = hy_mix64(hash ^ choice->position->board[i]);
    analysis->exact = hash % 3 == 0;
    analysis->nodes = choice->moves->num;
    for (unsigned i = 0; i < choice->moves->num; i++) {
        naive_sowing sowing;
        naive_sow(choice->rules, choice->position->board, choice->moves->hole[i],
                  (hy_player)choice->position->mover, choice->max_laps, &sowing);
        int more = (int)(hash >> (4 * (i % 12)) & 7) - 3;
        analysis->values[i] = choice->rules->casa * (double)sowing.casas + more / 4.0;
    }
    return HY_OK;
}

const hy_policy_type valued_policy = {
    .name = "valued", .meaning = "for tests", .choose = choose_first, .analyse = analyse};

/* --- a game --- */

static unsigned times_met(const void *history, const hy_position *position)
{
    const naive_game *game = history;
    unsigned times = 0;
    for (size_t i = 0; i < game->num_met; i++)
        times += game->met[i].mover == position->mover &&
                 memcmp(game->met[i].board, position->board, sizeof position->board) == 0;
    return times;
}

static hy_moves moves_of(const naive_game *game)
{
    hy_moves moves = {0};
    for (unsigned hole = 0; hole < 2u * game->rules.holes; hole++) {
        if (game->termination == HY_GOES_ON &&
            naive_game_allows(game, (hy_player)game->position.mover, hole))
            moves.hole[moves.num++] = (uint8_t)hole;
    }
    return moves;
}

static void value_holes(const naive_game *game, hy_policy *evaluator, valued_position *at)
{
    hy_analysis analysis = {0};
    hy_stream stream = hy_stream_make(1, 2, HY_PURPOSE_SOUTH);
    hy_choice choice = {.rules = &game->rules,
                        .position = &game->position,
                        .moves = &at->moves,
                        .max_laps = game->max_laps,
                        .stream = &stream,
                        .times = game->rules.repetition > 0 ? times_met : NULL,
                        .history = game};
    hy_policy_new_game(evaluator);
    if (evaluator->type->analyse(evaluator, &choice, &analysis, NULL) != HY_OK)
        abort();
    memcpy(at->values, analysis.values, sizeof at->values);
    at->exact = analysis.exact;
}

static valued_position look(const naive_game *game, hy_policy *evaluator)
{
    valued_position at = {.position = game->position, .moves = moves_of(game)};
    at.lead = (int)game->position.score[HY_SOUTH] - (int)game->position.score[HY_NORTH];
    at.south = NAN;
    if (at.moves.num > 1) {
        double best = -INFINITY;
        value_holes(game, evaluator, &at);
        for (unsigned i = 0; i < at.moves.num; i++)
            best = at.values[i] > best ? at.values[i] : best;
        at.south = at.lead + (game->position.mover == HY_SOUTH ? best : -best);
    } else if (at.moves.num == 0) {
        at.south = at.lead;
    }
    return at;
}

/* Where the last position is forced: what comes of it, at most 64 plies on. */
static double follow(naive_game *game, hy_policy *evaluator)
{
    valued_position at = look(game, evaluator);
    for (unsigned i = 0; i < 64 && at.moves.num == 1; i++) {
        naive_game_ply(game, at.moves.hole[0]);
        at = look(game, evaluator);
    }
    hy_game_record record;
    naive_game_record(game, &record);
    if (at.moves.num > 1)
        return at.south;
    return game->termination != HY_GOES_ON && record.result == HY_RESULT_NONE &&
                   game->termination != HY_UNRESOLVED
               ? 0
               : at.lead;
}

valued_game valued_game_play(const hy_condition *condition, hy_policy *evaluator, dice *d)
{
    naive_game naive;
    valued_game game = {.rules = condition->rules};
    hy_position start = hy_position_start(&condition->rules);
    naive_game_start(&naive, &condition->rules, condition->max_laps, &start);
    game.positions = calloc(condition->max_plies + 1, sizeof game.positions[0]);
    while (naive.termination == HY_GOES_ON && game.plies < condition->max_plies) {
        valued_position *at = &game.positions[game.plies++];
        *at = look(&naive, evaluator);
        at->hole = at->moves.hole[dice_below(d, at->moves.num)];
        if (hy_hole_list_add(&game.holes, at->hole, NULL) != HY_OK)
            abort();
        naive_game_ply(&naive, at->hole);
        at->sowing = naive.past[naive.num_past - 1].sowing;
    }
    hy_game_record record;
    naive_game_record(&naive, &record);
    game.termination = record.termination == HY_GOES_ON ? HY_TRUNCATED : record.termination;
    game.result = record.result;
    valued_position *last = &game.positions[game.plies];
    *last = look(&naive, evaluator);
    if (last->moves.num == 1)
        last->south = follow(&naive, evaluator);
    if (last->moves.num == 0 && game.result == HY_RESULT_NONE)
        last->south = 0;
    if (game.termination == HY_UNRESOLVED)
        last->south = NAN; /* the position is not one of the game */
    for (size_t t = game.plies; t-- > 0;)
        game.positions[t].south =
            isnan(game.positions[t].south) ? game.positions[t + 1].south : game.positions[t].south;
    naive_game_clean_up(&naive);
    return game;
}

void valued_game_clean_up(valued_game *game)
{
    free(game->positions);
    free(game->holes.holes);
}

/* --- measures --- */

static void add(hy_sums *sums, double y, double x)
{
    if (x > 0)
        *sums = (hy_sums){sums->n + 1,      sums->x + x,      sums->y + y,
                          sums->xx + x * x, sums->yy + y * y, sums->xy + x * y};
}

/* e of a player after ply t. */
static double e(const valued_game *game, hy_player whose, size_t t)
{
    double south = game->positions[t].south / hy_rules_total(&game->rules);
    return whose == HY_SOUTH ? south : -south;
}

static void add_with_winner(const valued_game *game, size_t T, hy_sums *sums)
{
    hy_player winner = game->result == HY_RESULT_SOUTH ? HY_SOUTH : HY_NORTH;
    hy_player loser = hy_opponent(winner);
    double drama = 0, highest = -2;
    size_t first = T + 1;
    for (size_t t = 1; t <= T; t++) {
        double best = fmax(e(game, HY_SOUTH, t), e(game, HY_NORTH, t));
        drama += (best - e(game, winner, t)) / (double)T;
        highest = fmax(highest, e(game, loser, t));
    }
    for (size_t t = T; t >= 1; t--)
        first = e(game, winner, t) > highest ? t : first;
    int lead = game->positions[T / 2].lead;
    add(&sums[HY_QUALITY_DRAMA], drama, 1);
    add(&sums[HY_QUALITY_DECISIVENESS_PLIES], (double)(first - 1) / (double)T, 1);
    add(&sums[HY_QUALITY_COMEBACK], e(game, winner, T / 2) < e(game, loser, T / 2), 1);
    add(&sums[HY_QUALITY_COMEBACK_BY_SCORE], winner == HY_SOUTH ? lead < 0 : lead > 0, 1);
}

static void add_values(const valued_game *game, size_t T, hy_sums *sums)
{
    double changes = 0, variance = 0, highest = -2;
    int leader = 0;
    for (size_t t = 1; t <= T; t++) {
        int now = (e(game, HY_SOUTH, t) > 0) - (e(game, HY_SOUTH, t) < 0);
        changes += now * leader == -1;
        leader = now == 0 ? leader : now;
        if (game->result != HY_RESULT_SOUTH)
            highest = fmax(highest, e(game, HY_SOUTH, t));
        if (game->result != HY_RESULT_NORTH)
            highest = fmax(highest, e(game, HY_NORTH, t));
        for (size_t u = 1; u <= T; u++) { /* Var = mean of squared differences / 2; two players */
            double difference = e(game, HY_SOUTH, t) - e(game, HY_SOUTH, u);
            variance += difference * difference / ((double)T * (double)T);
        }
    }
    add(&sums[HY_QUALITY_LEAD_CHANGES], changes, (double)T);
    add(&sums[HY_QUALITY_STABILITY], variance, T > 0);
    if (game->result != HY_RESULT_NONE)
        add(&sums[HY_QUALITY_DECISIVENESS_THRESHOLD], highest, T > 0);
}

static void add_decisions(const valued_game *game, hy_sums *sums)
{
    double total = hy_rules_total(&game->rules);
    double narrow = 0, variance = 0, flat = 0, regret = 0, exact_regret = 0, exact = 0, num = 0;
    for (size_t t = 0; t < game->plies; t++) {
        const valued_position *at = &game->positions[t];
        double mean = 0, best = -1e9, worst = 1e9, above = 0, squares = 0, played = 0;
        double n = at->moves.num;
        if (n < 2)
            continue;
        for (unsigned i = 0; i < at->moves.num; i++) {
            mean += at->values[i] / n;
            best = fmax(best, at->values[i]);
            worst = fmin(worst, at->values[i]);
            played = at->moves.hole[i] == at->hole ? at->values[i] : played;
        }
        for (unsigned i = 0; i < at->moves.num; i++) {
            above += at->values[i] > mean + 0.75 * (best - mean) + 1e-9;
            squares += pow((at->values[i] - mean) / total, 2) / n;
        }
        num++;
        narrow += above / n;
        variance += squares;
        flat += best == worst;
        regret += (best - played) / total;
        exact += at->exact;
        exact_regret += at->exact ? (best - played) / total : 0;
    }
    add(&sums[HY_QUALITY_NARROWNESS], narrow, num);
    add(&sums[HY_QUALITY_HOLE_VARIANCE], variance, num);
    add(&sums[HY_QUALITY_FLAT], flat, num);
    add(&sums[HY_QUALITY_REGRET], regret, num);
    add(&sums[HY_QUALITY_EXACT_REGRET], exact_regret, exact);
    add(&sums[HY_QUALITY_EXACT_SHARE], exact, num);
}

static void add_repetition(const valued_game *game, hy_sums *sums)
{
    double positions = 0, boards = 0;
    for (size_t t = 0; t < game->plies; t++) {
        bool position = false, board = false;
        for (size_t u = 0; u < t; u++) {
            const hy_position *a = &game->positions[t].position, *b = &game->positions[u].position;
            bool same = memcmp(a->board, b->board, sizeof a->board) == 0;
            board |= same;
            position |= same && a->mover == b->mover;
        }
        positions += position;
        boards += board;
    }
    add(&sums[HY_QUALITY_REPETITION], positions, (double)game->plies);
    add(&sums[HY_QUALITY_BOARD_REPETITION], boards, (double)game->plies);
}

/* The hole where the final counter falls, by rules without en passant, skipping and sides. */
static unsigned landing_of(const hy_rules *rules, const valued_position *at)
{
    unsigned size = 2u * rules->holes, hole = at->hole;
    uint16_t board[HY_MAX_BOARD];
    memcpy(board, at->position.board, sizeof board);
    for (;;) {
        unsigned hand = board[hole];
        board[hole] = 0;
        for (; hand > 0; hand--) {
            hole = (hole + 1) % size;
            board[hole]++;
        }
        if (board[hole] == 1 || board[hole] == rules->casa || !rules->relay)
            return hole;
    }
}

static void add_captures(const valued_game *game, hy_player mover, bool both, hy_capture_sums *sums)
{
    double at[HY_MAX_BOARD] = {0}, chained[HY_MAX_BOARD] = {0}, by_casas[HY_MAX_BOARD + 1] = {0};
    double captures = 0, chains = 0, casas = 0, own = 0, own_chains = 0;
    unsigned size = 2u * game->rules.holes;
    for (size_t t = 0; t < game->plies; t++) {
        const valued_position *now = &game->positions[t];
        unsigned taken = now->sowing.casas;
        if (!both && now->position.mover != mover)
            continue;
        sums->en_passant += taken == 0 && now->sowing.en_passant[0] + now->sowing.en_passant[1] > 0;
        if (taken == 0)
            continue;
        unsigned landing = landing_of(&game->rules, now);
        unsigned hole =
            now->position.mover == HY_NORTH ? (landing + size - game->rules.holes) % size : landing;
        captures++;
        chains += taken > 1;
        casas += taken;
        own += hole < game->rules.holes;
        own_chains += hole < game->rules.holes && taken > 1;
        at[hole]++;
        chained[hole] += taken > 1;
        by_casas[taken]++;
        sums->most_casas = taken > sums->most_casas ? taken : sums->most_casas;
    }
    for (unsigned i = 0; i < HY_MAX_BOARD; i++) {
        add(&sums->captures_at[i], at[i], captures);
        add(&sums->chains_at[i], chained[i], chains);
        add(&sums->chained_at[i], chained[i], at[i]);
        add(&sums->casas[i + 1], by_casas[i + 1], captures);
    }
    add(&sums->own_captures, own, captures);
    add(&sums->own_chains, own_chains, chains);
    add(&sums->chain_share, chains, captures);
    add(&sums->casas_a_capture, casas, captures);
    add(&sums->chain_length, casas - captures, chains);
}

void valued_game_add(const valued_game *game, hy_quality_sums *sums)
{
    size_t T = game->plies;
    sums->games++;
    sums->plies += T;
    sums->results[game->result]++;
    while (T > 0 && isnan(game->positions[T].south))
        T--;
    add_values(game, T, sums->measures);
    if (T > 0 && (game->result == HY_RESULT_SOUTH || game->result == HY_RESULT_NORTH))
        add_with_winner(game, T, sums->measures);
    add_decisions(game, sums->measures);
    add_repetition(game, sums->measures);
    add_captures(game, HY_SOUTH, false, &sums->captures[HY_SOUTH]);
    add_captures(game, HY_NORTH, false, &sums->captures[HY_NORTH]);
    add_captures(game, HY_SOUTH, true, &sums->captures[HY_EITHER]);
}
