#include "support/policies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/variants.h"

hy_policy_spec *spec_of(const char *text)
{
    hy_policy_spec *spec = NULL;
    hy_error error;
    if (hy_policy_spec_parse(text, &spec, &error) != HY_OK)
        fail_msg("policy '%s': %s", text, error.text);
    return spec;
}

player player_of(const char *text, const hy_rules *rules)
{
    player p = {.spec = spec_of(text)};
    hy_error error;
    if (hy_policy_new(p.spec, rules, &p.policy, &error) != HY_OK)
        fail_msg("policy '%s': %s", text, error.text);
    hy_policy_new_game(p.policy);
    return p;
}

void player_clean_up(player *p)
{
    hy_policy_destroy(p->policy);
    hy_policy_spec_destroy(p->spec);
    *p = (player){0};
}

/* Random plies from the start, as long as the game goes on and there is a choice. */
static void play_on(dice *d, scene *s)
{
    for (unsigned plies = dice_below(d, 30); plies > 0; plies--) {
        scene next = *s;
        hy_ply ply;
        uint32_t passes = 0;
        hy_ply_play(&s->rules, &s->position, s->moves.hole[dice_below(d, s->moves.num)],
                    SCENE_MAX_LAPS, &next.position, &ply);
        if (ply.termination != HY_GOES_ON ||
            hy_settle(&s->rules, SCENE_MAX_LAPS, &next.position, &next.moves, &passes) !=
                HY_GOES_ON ||
            next.moves.num < 2)
            return;
        *s = next;
    }
}

scene scene_random(dice *d)
{
    scene s;
    do {
        s.rules = variant_random(d, dice_one_in(d, 2) ? 6 : HY_MAX_HOLES, 8);
        bool made_up = dice_one_in(d, 3);
        s.position = made_up ? position_random(d, &s.rules) : hy_position_start(&s.rules);
        hy_legal_moves(&s.rules, &s.position, SCENE_MAX_LAPS, &s.moves);
        if (!made_up && s.moves.num >= 2)
            play_on(d, &s);
    } while (s.moves.num < 2);
    return s;
}

unsigned choose_in(const player *p, const scene *s, hy_stream *stream)
{
    hy_choice choice = {
        .rules = &s->rules,
        .position = &s->position,
        .moves = &s->moves,
        .max_laps = SCENE_MAX_LAPS,
        .stream = stream,
    };
    unsigned hole = hy_policy_choose(p->policy, &choice);
    for (unsigned i = 0; i < s->moves.num; i++) {
        if (s->moves.hole[i] == hole)
            return hole;
    }
    fail_at("a choice that is not legal", &s->rules, &s->position, hole);
    return hole;
}

unsigned counters_won(const scene *s, unsigned hole)
{
    hy_position after;
    hy_ply ply;
    uint8_t mover = s->position.mover;
    hy_ply_play(&s->rules, &s->position, hole, SCENE_MAX_LAPS, &after, &ply);
    return (unsigned)after.score[mover] - s->position.score[mover];
}
