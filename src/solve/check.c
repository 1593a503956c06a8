#include "solve/check.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "solve/tables.h"
#include "solve/team.h"

#define BLOCK 16384u

/* A layer that is being checked, by several threads. */
typedef struct check {
    const hy_endgame *endgame;
    const hy_layer *layer;
    const hy_solve_options *options;
    uint64_t max_laps;
    atomic_uchar *proved; /* [position]: 1 if so */
    bool first_sweep;
    hy_blocks blocks;
    atomic_uint_fast64_t num_proved, num_open; /* in this sweep; in it left open */
    hy_solve_progress progress;
    uint64_t before;
    double told;
    pthread_mutex_t lock;
    atomic_int status;
    hy_error failure;
} check;

/* What the plies of a position say. */
typedef struct verdict {
    int best;
    bool attained; /* by a ply that leaves the layer or leads to what is proved */
    bool open;     /* a ply leads to the negative of the value, not proved yet */
} verdict;

static void fail(check *self, hy_status status, const hy_position *position, const char *what)
{
    char text[HY_POSITION_TEXT_SIZE];
    const hy_rules *rules = &self->endgame->rules;
    pthread_mutex_lock(&self->lock);
    if (atomic_load(&self->status) == HY_OK) {
        hy_position_print(rules, position, text);
        (void)hy_fail(&self->failure, status, "position '%s' with the value %d: %s", text,
                      hy_endgame_value(self->endgame, position->board, position->mover), what);
        atomic_store(&self->status, (int)status);
    }
    pthread_mutex_unlock(&self->lock);
}

static void add(verdict *found, int own, int value, bool sure)
{
    found->best = value > found->best ? value : found->best;
    if (value == own) {
        found->attained = found->attained || sure;
        found->open = found->open || !sure;
    }
}

/* A ply without capture, or a pass, to a position of the layer. */
static void add_next(check *self, const hy_position *next, int own, verdict *found)
{
    uint8_t turned[HY_MAX_BOARD];
    hy_turn_to_mover(&self->endgame->rules, next->board, next->mover, turned);
    uint64_t place = hy_index_rank(&self->endgame->index, turned);
    int value = -self->layer->values[place] * self->endgame->unit;
    add(found, own, value, atomic_load_explicit(&self->proved[place], memory_order_relaxed) != 0);
}

static void add_ply(check *self, const hy_position *position, unsigned hole, int own,
                    verdict *found)
{
    hy_position after;
    hy_ply ply;
    hy_ply_play(&self->endgame->rules, position, hole, self->max_laps, &after, &ply);
    int gain = after.score[HY_SOUTH] - after.score[HY_NORTH]; /* south moves, and had nothing */
    if (ply.termination == HY_UNRESOLVED)
        fail(self, HY_FAILED, position, "a sowing neither ends nor recurs within the laps allowed");
    else if (ply.termination != HY_GOES_ON)
        add(found, own, gain, true);
    else if (after.left == position->left)
        add_next(self, &after, own, found);
    else {
        int rest = hy_endgame_value(self->endgame, after.board, after.mover);
        add(found, own, after.mover == HY_SOUTH ? gain + rest : gain - rest, true);
    }
}

static void add_without_move(check *self, const hy_position *position, int own, verdict *found)
{
    hy_position settled = *position;
    hy_moves moves;
    uint32_t passes = 0;
    hy_termination end =
        hy_settle(&self->endgame->rules, self->max_laps, &settled, &moves, &passes);
    if (end == HY_GOES_ON)
        add_next(self, &settled, own, found);
    else
        add(found, own, settled.score[HY_SOUTH] - settled.score[HY_NORTH], true);
}

/* Checks one position; whether it is proved now. In later sweeps, when the equation is known to
 * hold, the first ply that decides is enough. */
static bool check_position(check *self, const hy_position *position, int own)
{
    char text[96];
    hy_moves moves;
    verdict found = {.best = -INT_MAX};
    hy_legal_moves(&self->endgame->rules, position, self->max_laps, &moves);
    for (unsigned i = 0; i < moves.num; i++) {
        add_ply(self, position, moves.hole[i], own, &found);
        if (!self->first_sweep && (own > 0 ? found.attained : found.open))
            return own > 0;
    }
    if (moves.num == 0)
        add_without_move(self, position, own, &found);
    if (self->first_sweep && found.best != own) {
        snprintf(text, sizeof text, "its plies are worth %d", found.best);
        fail(self, HY_FAILED, position, text);
    }
    return own == 0 || (own > 0 ? found.attained : !found.open);
}

static bool is_over(check *self)
{
    if (atomic_load_explicit(&self->status, memory_order_relaxed) != HY_OK)
        return true;
    if (!self->options->stop || atomic_load(self->options->stop) == 0)
        return false;
    pthread_mutex_lock(&self->lock);
    if (atomic_load(&self->status) == HY_OK)
        (void)hy_fail(&self->failure, HY_INTERRUPTED, "interrupted");
    atomic_store(&self->status, HY_INTERRUPTED);
    pthread_mutex_unlock(&self->lock);
    return true;
}

static void check_block(check *self, uint64_t first, uint64_t end)
{
    const hy_endgame *endgame = self->endgame;
    uint64_t num_proved = 0, num_open = 0;
    uint8_t board[HY_MAX_BOARD];
    hy_index_unrank(&endgame->index, self->layer->counters, first, board);
    for (uint64_t place = first; place < end; place++) {
        if (atomic_load_explicit(&self->proved[place], memory_order_relaxed) == 0) {
            hy_position position = hy_position_of_turned(&endgame->rules, board);
            bool proved =
                check_position(self, &position, self->layer->values[place] * endgame->unit);
            if (proved)
                atomic_store_explicit(&self->proved[place], 1, memory_order_relaxed);
            num_proved += proved;
            num_open += !proved;
        }
        if (place + 1 < end)
            hy_index_next(board);
    }
    atomic_fetch_add(&self->num_proved, num_proved);
    atomic_fetch_add(&self->num_open, num_open);
}

static void sweep_member(void *context, unsigned member)
{
    check *self = context;
    uint64_t first, end;
    while (!is_over(self) && hy_blocks_take(&self->blocks, &first, &end)) {
        double now = hy_now();
        check_block(self, first, end);
        if (member == 0 && self->options->progress && now > self->told + 0.2) {
            self->told = now;
            self->progress.done = self->before + (self->first_sweep ? end : self->layer->num);
            self->options->progress(self->options->context, &self->progress);
        }
    }
}

static void fail_circle(check *self)
{
    uint64_t place = 0;
    uint8_t board[HY_MAX_BOARD];
    while (atomic_load(&self->proved[place]) != 0)
        place++;
    hy_index_unrank(&self->endgame->index, self->layer->counters, place, board);
    hy_position position = hy_position_of_turned(&self->endgame->rules, board);
    fail(self, HY_FAILED, &position, "it rests on a circle of plies, and nothing brings it about");
}

static void check_layer(check *self, hy_check_result *result)
{
    unsigned sweeps = 0;
    self->proved = hy_map_memory(self->layer->num);
    if (!self->proved) {
        atomic_store(&self->status, (int)hy_fail_memory(&self->failure));
        return;
    }
    self->progress.counters = self->layer->counters;
    do {
        self->first_sweep = sweeps++ == 0;
        atomic_store(&self->num_proved, 0);
        atomic_store(&self->num_open, 0);
        hy_blocks_init(&self->blocks, self->layer->num, BLOCK);
        hy_team_run(self->options->num_threads, sweep_member, self);
    } while (!is_over(self) && self->num_open > 0 && self->num_proved > 0);
    if (!is_over(self) && self->num_open > 0)
        fail_circle(self);
    munmap(self->proved, self->layer->num);
    result->positions += self->layer->num;
    result->sweeps = sweeps > result->sweeps ? sweeps : result->sweeps;
}

hy_status hy_endgame_check(const hy_endgame *endgame, const hy_solve_options *options,
                           hy_check_result *result, hy_error *error)
{
    static const hy_solve_options defaults = {0};
    check self = {.endgame = endgame, .options = options ? options : &defaults};
    self.max_laps = self.options->max_laps > 0 ? self.options->max_laps : HY_DEFAULT_MAX_LAPS;
    self.progress.max_counters = hy_endgame_max_counters(endgame);
    for (unsigned i = 0; i < endgame->num_layers; i++)
        self.progress.total += endgame->layers[i].num;
    pthread_mutex_init(&self.lock, NULL);
    *result = (hy_check_result){0};
    for (unsigned i = 0; i < endgame->num_layers && !is_over(&self); i++) {
        self.layer = &endgame->layers[i];
        check_layer(&self, result);
        self.before += self.layer->num;
    }
    pthread_mutex_destroy(&self.lock);
    if (atomic_load(&self.status) != HY_OK)
        return hy_fail(error, self.failure.status, "%s", self.failure.text);
    return HY_OK;
}
