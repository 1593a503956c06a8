/* exact: plays by endgame tables; above them, by a search that they end (search.h). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "policy/search.h"
#include "policy/types.h"

enum { TABLES, DEPTH, TIES };
enum { TIES_RANDOM, TIES_FIRST };

#define SEARCH_TABLE_BYTES ((size_t)8 << 20)

static const hy_parameter parameters[] = {
    [TABLES] = {.key = "tables",
                .kind = HY_PARAMETER_TEXT,
                .required = true,
                .meaning = "folder of the tables that 'hoyito solve' made for the variant, as "
                           "seen from where the program runs"},
    [DEPTH] = {.key = "depth",
               .kind = HY_PARAMETER_INTEGER,
               .always_shown = true,
               .min = 1,
               .max = HY_SEARCH_MAX_DEPTH,
               .preset = 6,
               .meaning =
                   "turns to search at the most where more counters are on the board than the "
                   "tables have"},
    [TIES] = {.key = "ties",
              .kind = HY_PARAMETER_WORD,
              .words = {[TIES_RANDOM] = "random", [TIES_FIRST] = "first"},
              .preset = TIES_RANDOM,
              .meaning = "among equally good holes: one at random, or the lowest number"},
};

typedef struct exact_player {
    hy_endgame *endgame;
    hy_search_table table;
    hy_search search;
} exact_player;

static hy_status init(hy_policy *policy, const hy_rules *rules, hy_error *error)
{
    exact_player *self = hy_new_array(1, sizeof *self);
    policy->state = self;
    if (!self)
        return hy_fail_memory(error);
    hy_status status = hy_endgame_open(policy->spec->text, rules, &self->endgame, error);
    if (status != HY_OK)
        return status;
    return hy_search_table_init(&self->table, SEARCH_TABLE_BYTES, error);
}

static void clean_up(hy_policy *policy)
{
    exact_player *self = policy->state;
    if (self) {
        hy_endgame_destroy(self->endgame);
        hy_search_table_clean_up(&self->table);
    }
    free(self);
}

static void new_game(hy_policy *policy)
{
    exact_player *self = policy->state;
    hy_search_table_forget(&self->table);
}

static hy_search *begin(exact_player *self, const hy_choice *choice)
{
    hy_search *search = &self->search;
    memset(search, 0, sizeof *search);
    search->rules = choice->rules;
    search->max_laps = choice->max_laps;
    search->evaluation = HY_EVALUATION_REACH;
    search->table = &self->table;
    search->endgame = self->endgame;
    search->root = choice;
    return search;
}

/* The values of all holes by deepening, until the depth asked for or the end of all lines; returns
 * the depth reached. */
static unsigned search_holes(const hy_policy *policy, const hy_choice *choice, int32_t *values)
{
    hy_search *search = begin(policy->state, choice);
    hy_successor successor;
    unsigned depth = 0;
    do {
        depth++;
        search->complete = true;
        for (unsigned i = 0; i < choice->moves->num; i++) {
            hy_search_successor(search, choice->position, choice->moves->hole[i], &successor);
            values[i] = hy_search_ply(search, &successor, hy_horizon_of(depth), -HY_SEARCH_INFINITY,
                                      HY_SEARCH_INFINITY);
        }
    } while (depth < (unsigned)policy->spec->values[DEPTH] && !search->complete);
    return depth;
}

static void keep_best(const hy_moves *moves, const int32_t *values, hy_moves *best)
{
    int32_t most = values[0];
    for (unsigned i = 1; i < moves->num; i++)
        most = values[i] > most ? values[i] : most;
    best->num = 0;
    for (unsigned i = 0; i < moves->num; i++) {
        if (values[i] == most)
            best->hole[best->num++] = moves->hole[i];
    }
}

static unsigned choose(hy_policy *policy, const hy_choice *choice)
{
    const exact_player *self = policy->state;
    int32_t values[HY_MAX_HOLES];
    hy_moves best;
    if (hy_endgame_has(self->endgame, choice->position->left))
        hy_endgame_best(self->endgame, choice->position, choice->moves, &best);
    else {
        search_holes(policy, choice, values);
        keep_best(choice->moves, values, &best);
    }
    return hy_break_tie(choice, &best, policy->spec->values[TIES] > 0);
}

static hy_status analyse(hy_policy *policy, const hy_choice *choice, hy_analysis *analysis,
                         hy_error *error)
{
    exact_player *self = policy->state;
    int values[HY_MAX_HOLES];
    int32_t searched[HY_MAX_HOLES];
    hy_moves best;
    (void)error;
    *analysis = (hy_analysis){.exact = true, .num_line = 1};
    if (hy_endgame_has(self->endgame, choice->position->left)) {
        hy_endgame_holes(self->endgame, choice->position, choice->moves, values);
        hy_endgame_best(self->endgame, choice->position, choice->moves, &best);
        for (unsigned i = 0; i < choice->moves->num; i++)
            analysis->values[i] = values[i];
    } else {
        analysis->depth = search_holes(policy, choice, searched);
        analysis->exact = self->search.complete;
        analysis->nodes = self->search.nodes;
        keep_best(choice->moves, searched, &best);
        for (unsigned i = 0; i < choice->moves->num; i++)
            analysis->values[i] = (double)searched[i] / HY_SEARCH_UNIT;
    }
    analysis->line[0] = best.hole[0];
    return HY_OK;
}

static void fingerprint(const hy_policy *policy, char hex[HY_SHA256_HEX_SIZE])
{
    const exact_player *self = policy->state;
    hy_endgame_hash(self->endgame, hex);
}

const hy_policy_type hy_exact_policy = {
    .name = "exact",
    .meaning = "the best hole by endgame tables, and by a search above them",
    .parameters = parameters,
    .num_parameters = sizeof parameters / sizeof parameters[0],
    .init = init,
    .new_game = new_game,
    .choose = choose,
    .analyse = analyse,
    .fingerprint = fingerprint,
    .clean_up = clean_up,
};
