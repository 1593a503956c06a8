#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "solve/layers.h"

#define FAR 0xffffu

/* How many plies the best play of both sides takes from each position of a layer to the next
 * capture or gain: by sweeps over the whole layer, until nothing changes. */
typedef struct distances {
    const hy_endgame *endgame;
    const hy_layer *layer;
    uint16_t *plies;
} distances;

static unsigned plies_of(const distances *all, const hy_position *position)
{
    uint8_t turned[HY_MAX_BOARD];
    hy_turn_to_mover(&all->endgame->rules, position->board, position->mover, turned);
    return all->plies[hy_index_rank(&all->endgame->index, turned)];
}

/* Of one hole: 0 where it leaves the layer at the value, FAR where it is not worth the value. */
static unsigned plies_after(const distances *all, const hy_position *position, unsigned hole,
                            int value)
{
    hy_option option;
    hy_option_of(all->endgame, position, hole, HY_DEFAULT_MAX_LAPS, &option);
    if (option.kind == HY_OPTION_ENDS)
        return option.value == value ? 0 : FAR;
    if (option.kind != HY_OPTION_STAYS ||
        hy_endgame_value(all->endgame, option.after.board, option.after.mover) != -value)
        return FAR;
    return plies_of(all, &option.after);
}

static unsigned distance_of(const distances *all, const hy_position *position, int value)
{
    hy_moves moves;
    hy_position passed = *position;
    unsigned least = FAR, most = 0;
    hy_legal_moves(&all->endgame->rules, position, HY_DEFAULT_MAX_LAPS, &moves);
    for (unsigned i = 0; i < moves.num; i++) {
        unsigned plies = plies_after(all, position, moves.hole[i], value);
        hy_option option;
        least = plies < least ? plies : least;
        hy_option_of(all->endgame, position, moves.hole[i], HY_DEFAULT_MAX_LAPS, &option);
        bool forced =
            option.kind == HY_OPTION_STAYS &&
            hy_endgame_value(all->endgame, option.after.board, option.after.mover) == -value;
        if (forced && plies > most)
            most = plies;
    }
    passed.mover = HY_NORTH;
    if (moves.num == 0 && all->endgame->rules.no_move == HY_NO_MOVE_PASS)
        least = most = plies_of(all, &passed);
    unsigned best = value > 0 ? least : most;
    return best == FAR ? FAR : best + 1;
}

static void find_distances(distances *all)
{
    bool changed = true;
    memset(all->plies, 0xff, all->layer->num * sizeof all->plies[0]);
    while (changed) {
        changed = false;
        for (uint64_t place = 0; place < all->layer->num; place++) {
            uint8_t turned[HY_MAX_BOARD];
            int value = all->layer->values[place] * all->endgame->unit;
            if (value == 0)
                continue;
            hy_index_unrank(&all->endgame->index, all->layer->counters, place, turned);
            hy_position position = hy_position_of_turned(&all->endgame->rules, turned);
            unsigned plies = distance_of(all, &position, value);
            changed = changed || plies != all->plies[place];
            all->plies[place] = (uint16_t)plies;
        }
    }
}

/* The best holes of a won position are those from which the fewest plies are left. */
static void compare_best(const distances *all, const hy_position *position, unsigned *num_chosen)
{
    hy_moves moves, best, want = {0};
    unsigned least = FAR, all_best = 0;
    hy_legal_moves(&all->endgame->rules, position, HY_DEFAULT_MAX_LAPS, &moves);
    int value = hy_endgame_best(all->endgame, position, &moves, &best);
    for (unsigned i = 0; i < moves.num; i++) {
        unsigned plies = plies_after(all, position, moves.hole[i], value);
        all_best += plies < FAR;
        if (plies < least) {
            least = plies;
            want.num = 0;
        }
        if (plies == least && plies < FAR)
            want.hole[want.num++] = moves.hole[i];
    }
    bool same = best.num == want.num && memcmp(best.hole, want.hole, want.num) == 0;
    if (!same)
        fail_at("other holes lead on sooner", &all->endgame->rules, position, best.hole[0]);
    *num_chosen += all_best > best.num;
}

static void the_shortest_way_is_taken(void **state)
{
    static const char *const variants[] = {
        "holes=3 seeds=2",
        "holes=3 seeds=2 relay=false",
        "holes=3 seeds=2 endless=forbid capture_side=opponent",
        "holes=2 seeds=4 en_passant=sower no_move=sweep extra_turn=false",
    };
    unsigned num_chosen = 0;
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        hy_rules rules = variant_of(variants[v]);
        hy_endgame *endgame = tables_of(&rules, 12, UINT64_MAX, HY_METHOD_BEST);
        for (unsigned i = 0; i < endgame->num_layers; i++) {
            distances all = {endgame, &endgame->layers[i], NULL};
            all.plies = malloc(all.layer->num * sizeof all.plies[0]);
            assert_non_null(all.plies);
            if (all.layer->counters >= rules.casa)
                find_distances(&all);
            for (uint64_t place = 0; place < all.layer->num; place++) {
                uint8_t turned[HY_MAX_BOARD];
                hy_moves moves;
                hy_index_unrank(&endgame->index, all.layer->counters, place, turned);
                hy_position position = hy_position_of_turned(&rules, turned);
                hy_legal_moves(&rules, &position, HY_DEFAULT_MAX_LAPS, &moves);
                if (all.layer->values[place] > 0 && moves.num > 0)
                    compare_best(&all, &position, &num_chosen);
            }
            free(all.plies);
        }
        hy_endgame_destroy(endgame);
    }
    assert_true(num_chosen > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shortest_way_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
