#include "solve/work.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define BLOCK 16384u /* positions that a thread takes at once */
#define SHARE 2048u  /* that it takes over from another at the most */

void hy_work_fail(hy_layer_work *work, hy_status status, const char *format, ...)
{
    int none = HY_OK;
    char text[HY_ERROR_TEXT_SIZE];
    va_list arguments;
    if (atomic_compare_exchange_strong(&work->status, &none, (int)status)) {
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        hy_fail(&work->failure, status, "%s", text);
    }
    pthread_mutex_lock(&work->pool.lock);
    pthread_cond_broadcast(&work->pool.changed);
    pthread_mutex_unlock(&work->pool.lock);
}

bool hy_work_is_over(hy_layer_work *work)
{
    if (atomic_load_explicit(&work->status, memory_order_relaxed) != HY_OK)
        return true;
    if (!work->stop || atomic_load_explicit(work->stop, memory_order_relaxed) == 0)
        return false;
    hy_work_fail(work, HY_INTERRUPTED, "interrupted in the layer of %u counters", work->counters);
    return true;
}

void hy_work_fail_unresolved(hy_layer_work *work, const hy_position *position, unsigned hole)
{
    char text[HY_POSITION_TEXT_SIZE];
    hy_position_print(&work->endgame->rules, position, text);
    hy_work_fail(work, HY_FAILED,
                 "hole %u of '%s' neither ends nor recurs within %llu laps, so the value of that "
                 "position is not known",
                 hole, text, (unsigned long long)work->max_laps);
}

bool hy_stack_grow(hy_worker *worker, hy_stack *stack)
{
    hy_error error;
    size_t needed = stack->capacity < 1024 ? 1024 : stack->capacity + 1;
    if (hy_reserve(&stack->items, &stack->capacity, needed, sizeof stack->items[0], &error) ==
        HY_OK)
        return true;
    hy_work_fail(worker->work, error.status, "%s", error.text);
    return false;
}

void hy_worker_share(hy_worker *worker, unsigned which)
{
    hy_pool *pool = &worker->work->pool;
    hy_stack *from = &worker->stacks[which], *to = &pool->stacks[which];
    size_t num = from->num / 2;
    hy_error error;
    pthread_mutex_lock(&pool->lock);
    if (hy_reserve(&to->items, &to->capacity, to->num + num, sizeof to->items[0], &error) ==
        HY_OK) {
        from->num -= num;
        memcpy(to->items + to->num, from->items + from->num, num * sizeof to->items[0]);
        to->num += num;
        atomic_store(&pool->hungry, 0); /* until somebody looks in vain again */
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
}

/* Moves positions to the worker, as far as its stacks have room. */
static void take_share(hy_worker *worker, hy_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    for (unsigned which = 0; which < 2; which++) {
        hy_stack *from = &pool->stacks[which], *to = &worker->stacks[which];
        while (to->num < to->capacity && to->num < SHARE && from->num > 0)
            to->items[to->num++] = from->items[--from->num];
    }
    pthread_mutex_unlock(&pool->lock);
}

/* Waits for positions that others share; false: nobody has any more. */
static bool wait_for_share(hy_worker *worker)
{
    hy_layer_work *work = worker->work;
    hy_pool *pool = &work->pool;
    bool found = false;
    pthread_mutex_lock(&pool->lock);
    pool->idle++;
    while (!found && pool->idle < pool->members && atomic_load(&work->status) == HY_OK) {
        found = pool->stacks[0].num + pool->stacks[1].num > 0;
        if (!found) {
            atomic_store(&pool->hungry, pool->idle);
            pthread_cond_wait(&pool->changed, &pool->lock);
        }
    }
    found = pool->stacks[0].num + pool->stacks[1].num > 0 && atomic_load(&work->status) == HY_OK;
    if (found)
        pool->idle--;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    return found;
}

static void worker_init(hy_worker *worker, hy_layer_work *work, unsigned member)
{
    *worker = (hy_worker){.work = work, .member = member};
    for (unsigned i = 0; i < HY_NUM_PENDING; i++)
        worker->pending[i].place = HY_NO_PLACE;
}

/* Step 1 counts for half of the layer, the levels of step 2 for the other half. */
static void tick(hy_worker *worker, uint64_t done)
{
    hy_layer_work *work = worker->work;
    unsigned levels = (unsigned)work->codes.levels;
    if (worker->member != 0 || !work->tick)
        return;
    if (work->level == 0)
        work->tick(work, done / 2);
    else
        work->tick(work,
                   work->num / 2 + (work->num * (levels - work->level) + done) / (2 * levels));
}

static void expand_member(void *context, unsigned member)
{
    hy_layer_work *work = context;
    hy_worker worker;
    uint64_t first, end;
    worker_init(&worker, work, member);
    while (!hy_work_is_over(work) && hy_blocks_take(&work->blocks, &first, &end)) {
        work->engine->expand(&worker, first, end);
        tick(&worker, end);
    }
}

static void settle_member(void *context, unsigned member)
{
    hy_layer_work *work = context;
    hy_pool *pool = &work->pool;
    hy_worker worker;
    uint64_t first, end;
    worker_init(&worker, work, member);
    pthread_mutex_lock(&pool->lock);
    pool->members++;
    pthread_mutex_unlock(&pool->lock);
    while (!hy_work_is_over(work) && hy_blocks_take(&work->blocks, &first, &end)) {
        work->engine->settle(&worker, first, end);
        tick(&worker, end);
    }
    bool room =
        hy_stack_grow(&worker, &worker.stacks[0]) && hy_stack_grow(&worker, &worker.stacks[1]);
    while (room && wait_for_share(&worker)) {
        take_share(&worker, pool);
        work->engine->drain(&worker);
        tick(&worker, work->num);
    }
    free(worker.stacks[0].items);
    free(worker.stacks[1].items);
}

bool hy_all_forbidden(const hy_layer_work *work, const hy_position *position)
{
    hy_moves moves;
    if (work->endgame->rules.endless != HY_ENDLESS_FORBID)
        return false;
    hy_legal_moves(&work->endgame->rules, position, work->max_laps, &moves);
    return moves.num == 0;
}

uint8_t hy_code_without_move(const hy_layer_work *work, const hy_position *position)
{
    const hy_rules *rules = &work->endgame->rules;
    hy_position passed = *position;
    hy_moves moves;
    if (position->left == 0)
        return hy_code_of(&work->codes, 0, 0);
    if (rules->no_move == HY_NO_MOVE_SWEEP) {
        int value = -(int)position->left / work->endgame->unit;
        return position->left < rules->casa ? hy_code_settled(&work->codes, value)
                                            : hy_code_of(&work->codes, value, 0);
    }
    passed.mover = (uint8_t)hy_opponent(position->mover);
    hy_legal_moves(rules, &passed, work->max_laps, &moves);
    if (moves.num == 0 || position->left < rules->casa) /* stuck, or exhausted by the next ply */
        return hy_code_of(&work->codes, 0, 0);
    return hy_code_of(&work->codes, hy_codes_no_base(&work->codes), 1);
}

static void run_levels(hy_layer_work *work)
{
    for (int level = work->codes.levels; level > 0; level--) {
        hy_news_init(&work->news, &work->codes, level);
        work->level = (unsigned)level;
        hy_blocks_init(&work->blocks, work->num, BLOCK);
        work->pool.members = work->pool.idle = 0;
        atomic_store(&work->pool.hungry, 0);
        hy_team_run(work->num_threads, settle_member, work);
        if (hy_work_is_over(work))
            return;
    }
}

void hy_work_run(hy_layer_work *work)
{
    pthread_mutex_init(&work->pool.lock, NULL);
    pthread_cond_init(&work->pool.changed, NULL);
    atomic_init(&work->status, HY_OK);
    hy_blocks_init(&work->blocks, work->num, BLOCK);
    hy_team_run(work->num_threads, expand_member, work);
    /* where a layer has less than a casa no ply leads to another position of it */
    if (!hy_work_is_over(work) && work->counters >= work->endgame->rules.casa)
        run_levels(work);
    free(work->pool.stacks[0].items);
    free(work->pool.stacks[1].items);
    work->pool.stacks[0] = work->pool.stacks[1] = (hy_stack){0};
    pthread_mutex_destroy(&work->pool.lock);
    pthread_cond_destroy(&work->pool.changed);
}
