#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/prove.h"
#include "support/golden_rows.h"
#include "support/slow_tables.h"
#include "support/variants.h"

static hy_proof proof_of(const slow_tables *tables, const hy_position *position,
                         const hy_prove_options *options)
{
    hy_value_source source = slow_tables_source(tables);
    hy_proof proof;
    hy_error error;
    if (hy_prove(tables->rules, &source, position, options, &proof, &error) != HY_OK)
        fail_msg("%s", error.text);
    return proof;
}

/* Perfect play of the golden variants, from tables of any size. */
static void golden_values_are_proved(void **state)
{
    (void)state;
    json_t *root = golden_load("exact.json");
    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *row = json_array_get(root, i), *perfect = golden_get(row, "perfect");
        hy_rules rules = golden_pairs(row);
        hy_position start = hy_position_start(&rules);
        int want = (int)json_integer_value(golden_get(perfect, "value"));
        for (unsigned counters = 0; counters < start.left; counters += 4) {
            slow_tables tables;
            hy_prove_options options = {.memory = 1 << 20, .verify = true, .max_depth = 250};
            slow_tables_init(&tables, &rules, counters);
            hy_proof proof = proof_of(&tables, &start, &options);
            printf("%u %u %u: %d %d want %d nodes %lu ver %lu best %d line %u\n", rules.holes, rules.seeds, counters, proof.lower, proof.upper, want, proof.nodes, proof.verified_positions, proof.num_best, proof.line_length);
            slow_tables_clean_up(&tables);
        }
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
