#include "solve/layers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

hy_rules decomposing_random(dice *d, unsigned max_holes)
{
    hy_rules rules;
    do {
        rules = variant_random(d, max_holes, 5);
        rules.claim_by = HY_CLAIM_CAPTURER;
        rules.unfinished = HY_UNFINISHED_SCORE;
        rules.repetition = 0;
    } while (hy_rules_check(&rules, NULL, NULL) != HY_OK);
    return rules;
}

hy_endgame *tables_of(const hy_rules *rules, unsigned max_counters, uint64_t max_positions,
                      hy_method method)
{
    hy_endgame *endgame;
    hy_error error = {0};
    char text[HY_RULES_TEXT_SIZE];
    hy_status status = hy_endgame_new(rules, max_counters, &endgame, &error);
    while (status == HY_OK && endgame->num_layers < endgame->max_layers &&
           endgame->layers[endgame->num_layers].num <= max_positions)
        status = hy_endgame_solve_layer(endgame, method, NULL, &error);
    if (status != HY_OK) {
        hy_rules_print(rules, text);
        fail_msg("%s\n  rules: %s", error.text, text);
    }
    return endgame;
}

void assert_same_tables(const hy_endgame *a, const hy_endgame *b)
{
    char text[HY_RULES_TEXT_SIZE], board[HY_POSITION_TEXT_SIZE];
    assert_int_equal(a->num_layers, b->num_layers);
    for (unsigned i = 0; i < a->num_layers; i++) {
        const hy_layer *x = &a->layers[i], *y = &b->layers[i];
        for (uint64_t place = 0; place < x->num; place++) {
            uint8_t turned[HY_MAX_BOARD];
            if (x->values[place] == y->values[place])
                continue;
            hy_index_unrank(&a->index, x->counters, place, turned);
            hy_position position = hy_position_of_turned(&a->rules, turned);
            hy_position_print(&a->rules, &position, board);
            hy_rules_print(&a->rules, text);
            fail_msg("values %d and %d of '%s'\n  rules: %s", x->values[place], y->values[place],
                     board, text);
        }
    }
}
