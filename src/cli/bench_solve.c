/* Benches of the solver: all tables of few counters, in memory. */
#include <string.h>

#include "base/clock.h"
#include "cli/bench.h"
#include "solve/solve.h"

#define MAX_COUNTERS 12

static hy_status solve_all(const hy_bench *bench, const hy_rules *rules, hy_endgame **endgame,
                           hy_error *error)
{
    hy_method method = strcmp(bench->what, "general") == 0 ? HY_METHOD_GENERAL : HY_METHOD_BEST;
    hy_solve_options options = {.num_threads = bench->threads};
    hy_status status = hy_endgame_new(rules, MAX_COUNTERS, endgame, error);
    while (status == HY_OK && (*endgame)->num_layers < (*endgame)->max_layers)
        status = hy_endgame_solve_layer(*endgame, method, &options, error);
    return status;
}

hy_status hy_bench_solve(const hy_bench *bench, double seconds, hy_bench_work *work,
                         hy_error *error)
{
    hy_rules rules;
    hy_status status = hy_rules_parse(bench->rules, &rules, error);
    double until = hy_now() + seconds;
    while (status == HY_OK && (work->amount == 0 || hy_now() < until)) {
        hy_endgame *endgame = NULL;
        status = solve_all(bench, &rules, &endgame, error);
        for (unsigned i = 0; status == HY_OK && i < hy_endgame_num_layers(endgame); i++)
            work->amount += (double)endgame->layers[i].num;
        hy_endgame_destroy(endgame);
    }
    return status;
}
