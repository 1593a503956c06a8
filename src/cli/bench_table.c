#include "cli/bench_table.h"

#include <assert.h>
#include <string.h>

#include "policy/lanes.h"

#define DEFAULTS "holes=6"
#define WIDE "holes=12"
#define SIX "seeds=6"
#define EN_PASSANT "en_passant=sower chain_capture=false extra_turn=false"
#define SOLVED "holes=5"

#define PLAIN "2x6 plain loop"
#define PLAIN_WIDE "2x12 plain loop"
#define PLAIN_SIX "2x6 six counters plain loop"
#define SUMMARY "2x6 random, record: summary"
#define INSERT "bare insert"
#define ALPHABETA "2x6 alphabeta:depth=9"
#define MCTS "2x6 mcts:iterations=2000"
#define SUMS "sums in registers"
#define LANES "2x6 random"
#define GENERAL "2x5 tables of 12, any rules"
#define SOLVE "2x5 tables of 12"

/* `threads` 0 is filled in. */
static const hy_bench table[] = {
    {.name = SUMS, .unit = "sums", .run = hy_bench_sums, .rules = DEFAULTS, .threads = 1},
    {.name = SUMS ", scaling",
     .unit = "sums",
     .baseline = SUMS,
     .run = hy_bench_sums,
     .rules = DEFAULTS,
     .scaling = true},
    {.name = PLAIN, .unit = "plies", .run = hy_bench_plain, .rules = DEFAULTS, .threads = 1},
    {.name = LANES,
     .unit = "plies",
     .baseline = PLAIN,
     .run = hy_bench_lanes,
     .rules = DEFAULTS,
     .threads = 1},
    {.name = LANES ", scaling",
     .unit = "plies",
     .baseline = LANES,
     .run = hy_bench_lanes,
     .rules = DEFAULTS,
     .scaling = true},
    {.name = "2x6 random, second path",
     .unit = "plies",
     .baseline = PLAIN,
     .run = hy_bench_lanes,
     .rules = DEFAULTS,
     .path = 1,
     .threads = 1},
    {.name = "2x6 random, third path",
     .unit = "plies",
     .baseline = PLAIN,
     .run = hy_bench_lanes,
     .rules = DEFAULTS,
     .path = 2,
     .threads = 1},
    {.name = "2x6 random, one at a time",
     .unit = "plies",
     .baseline = PLAIN,
     .run = hy_bench_singly,
     .rules = DEFAULTS,
     .threads = 1},
    {.name = "2x6 random, ply by ply",
     .unit = "plies",
     .baseline = PLAIN,
     .run = hy_bench_by_plies,
     .rules = DEFAULTS,
     .threads = 1},
    {.name = "2x6 en passant random",
     .unit = "plies",
     .baseline = PLAIN,
     .run = hy_bench_lanes,
     .rules = EN_PASSANT,
     .threads = 1},
    {.name = PLAIN_WIDE, .unit = "plies", .run = hy_bench_plain, .rules = WIDE, .threads = 1},
    {.name = "2x12 random",
     .unit = "plies",
     .baseline = PLAIN_WIDE,
     .run = hy_bench_lanes,
     .rules = WIDE,
     .threads = 1},
    {.name = PLAIN_SIX, .unit = "plies", .run = hy_bench_plain, .rules = SIX, .threads = 1},
    {.name = "2x6 six counters random",
     .unit = "plies",
     .baseline = PLAIN_SIX,
     .run = hy_bench_lanes,
     .rules = SIX,
     .threads = 1},
    {.name = SUMMARY,
     .unit = "plies",
     .baseline = PLAIN,
     .run = hy_bench_batch,
     .rules = DEFAULTS,
     .record = HY_RECORD_SUMMARY,
     .threads = 1},
    {.name = SUMMARY ", scaling",
     .unit = "plies",
     .baseline = SUMMARY,
     .run = hy_bench_batch,
     .rules = DEFAULTS,
     .record = HY_RECORD_SUMMARY,
     .scaling = true},
    {.name = INSERT,
     .unit = "rows",
     .run = hy_bench_insert,
     .rules = DEFAULTS,
     .record = HY_RECORD_GAMES,
     .threads = 1},
    {.name = "store, games played before",
     .unit = "rows",
     .baseline = INSERT,
     .run = hy_bench_store,
     .rules = DEFAULTS,
     .record = HY_RECORD_GAMES,
     .threads = 1},
    {.name = "2x6 random, record: games",
     .unit = "rows",
     .baseline = INSERT,
     .run = hy_bench_batch,
     .rules = DEFAULTS,
     .record = HY_RECORD_GAMES},
    {.name = ALPHABETA ", any rules",
     .unit = "nodes",
     .run = hy_bench_search,
     .rules = DEFAULTS,
     .what = "alphabeta:depth=9",
     .general = true,
     .threads = 1},
    {.name = ALPHABETA,
     .unit = "nodes",
     .baseline = ALPHABETA ", any rules",
     .run = hy_bench_search,
     .rules = DEFAULTS,
     .what = "alphabeta:depth=9",
     .threads = 1},
    {.name = MCTS ", any rules",
     .unit = "plies",
     .baseline = PLAIN,
     .run = hy_bench_search,
     .rules = DEFAULTS,
     .what = "mcts:iterations=2000",
     .general = true,
     .threads = 1},
    {.name = MCTS,
     .unit = "plies",
     .baseline = MCTS ", any rules",
     .run = hy_bench_search,
     .rules = DEFAULTS,
     .what = "mcts:iterations=2000",
     .threads = 1},
    {.name = GENERAL,
     .unit = "positions",
     .run = hy_bench_solve,
     .rules = SOLVED,
     .what = "general",
     .threads = 1},
    {.name = SOLVE,
     .unit = "positions",
     .baseline = GENERAL,
     .run = hy_bench_solve,
     .rules = SOLVED,
     .what = "best",
     .threads = 1},
    {.name = SOLVE ", scaling",
     .unit = "positions",
     .baseline = SOLVE,
     .run = hy_bench_solve,
     .rules = SOLVED,
     .what = "best",
     .scaling = true},
};

#define NUM_ROWS (sizeof table / sizeof table[0])

static_assert(NUM_ROWS <= HY_MAX_BENCHES, "there is room for the table");

static bool has_path(const hy_bench *bench)
{
    hy_lanes_path paths[HY_MAX_LANES_PATHS];
    hy_rules rules;
    if (bench->path == 0 || hy_rules_parse(bench->rules, &rules, NULL) != HY_OK)
        return true;
    hy_lanes_paths(&rules, paths);
    for (unsigned i = 0; i <= bench->path; i++) {
        if (!paths[i].name)
            return false;
    }
    return true;
}

/* Marks a row and the baselines under it, which stand above it. */
static void want(size_t row, bool wanted[NUM_ROWS])
{
    wanted[row] = true;
    for (size_t i = row; table[row].baseline && i-- > 0;) {
        if (strcmp(table[i].name, table[row].baseline) == 0) {
            wanted[i] = true;
            row = i;
        }
    }
}

size_t hy_bench_table(const char *only, unsigned threads, hy_bench benches[HY_MAX_BENCHES])
{
    bool wanted[NUM_ROWS] = {false};
    size_t num = 0;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        if ((!only || strstr(table[i].name, only)) && (!table[i].scaling || threads > 1) &&
            has_path(&table[i]))
            want(i, wanted);
    }
    for (size_t i = 0; i < NUM_ROWS; i++) {
        if (!wanted[i])
            continue;
        benches[num] = table[i];
        if (benches[num].threads == 0)
            benches[num].threads = threads;
        num++;
    }
    return num;
}

const char *hy_bench_path(const hy_bench *bench)
{
    hy_lanes_path paths[HY_MAX_LANES_PATHS];
    hy_rules rules;
    if ((bench->run != hy_bench_lanes && bench->run != hy_bench_batch) ||
        hy_rules_parse(bench->rules, &rules, NULL) != HY_OK)
        return NULL;
    hy_lanes_paths(&rules, paths);
    return paths[bench->path].name;
}
