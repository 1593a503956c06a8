#include "stats/tournament.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

static hy_points draw(const tournament *all, uint32_t south, uint32_t north, double opening,
                      hy_stream *stream)
{
    double elo = all->elo[south] - all->elo[north] + all->advantage + opening;
    if (all->other_skill > 0 && (south + 1) % all->num_players == north)
        elo += all->other_skill;
    if (all->other_skill > 0 && (north + 1) % all->num_players == south)
        elo -= all->other_skill;
    double won = pow(10, elo / 800), lost = 1 / won;
    double at = hy_stream_real(stream) * (won + lost + all->nu);
    if (at < won)
        return HY_POINTS_WON;
    return at < won + all->nu ? HY_POINTS_DRAWN : HY_POINTS_LOST;
}

hy_rated_game *tournament_play(const tournament *all, hy_stream *stream, size_t *num_games)
{
    size_t most = all->num_pairs * all->num_players * all->num_players;
    hy_rated_game *games = calloc(most, sizeof *games);
    assert_non_null(games);
    *num_games = 0;
    for (uint32_t number = 0; number < all->num_pairs; number++) {
        double opening = all->opening * (2 * hy_stream_real(stream) - 1);
        for (uint32_t south = 0; south < all->num_players; south++) {
            for (uint32_t north = 0; north < all->num_players; north++) {
                if (south == north && !all->self)
                    continue;
                games[(*num_games)++] =
                    (hy_rated_game){number, south, north, draw(all, south, north, opening, stream)};
            }
        }
    }
    return games;
}

static void add(hy_rated_game **games, size_t *num_games, hy_rated_game game)
{
    *games = realloc(*games, (*num_games + 1) * sizeof **games);
    assert_non_null(*games);
    (*games)[(*num_games)++] = game;
}

void add_games(hy_rated_game **games, size_t *num_games, uint64_t *cluster, uint32_t south,
               uint32_t north, hy_points points, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        add(games, num_games, (hy_rated_game){(*cluster)++, south, north, points});
}

void add_pairs(hy_rated_game **games, size_t *num_games, uint64_t *cluster, uint32_t first,
               uint32_t second, hy_points as_south, hy_points as_north, unsigned num)
{
    for (unsigned i = 0; i < num; i++, ++*cluster) {
        add(games, num_games, (hy_rated_game){*cluster, first, second, as_south});
        add(games, num_games, (hy_rated_game){*cluster, second, first, HY_POINTS_WON - as_north});
    }
}
