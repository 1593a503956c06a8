/* Telling the predecessors: the inner loops of step 2, inline around an engine's way to find them.
 * Private to src/solve. */
#ifndef HY_SOLVE_SETTLE_H
#define HY_SOLVE_SETTLE_H

#include "solve/work.h"

#define HY_INLINE static inline __attribute__((always_inline))
#define HY_LARGE_STACK 4096u /* is shared with threads that have nothing to do */
#define HY_POPS_BETWEEN_LOOKS 0xffffu

/* Tells (hy_tell) every predecessor of a settled position, once for each ply that leads to it. */
typedef void hy_predecessors(hy_worker *worker, uint64_t handle, const uint8_t *news);

HY_INLINE void hy_push(hy_worker *worker, unsigned which, uint64_t handle)
{
    hy_stack *stack = &worker->stacks[which];
    if (__builtin_expect(stack->num == stack->capacity, 0) && !hy_stack_grow(worker, stack))
        return;
    stack->items[stack->num++] = handle;
}

/* Changes a code by the news; what is settled thereby has predecessors of its own. */
HY_INLINE void hy_apply(hy_worker *worker, const hy_pending *pending)
{
    const hy_news *news = &worker->work->news;
    uint8_t *at = worker->work->table + pending->place;
    uint8_t code = __atomic_load_n(at, __ATOMIC_RELAXED), next;
    do {
        next = pending->news[code];
        if (next == code)
            return;
    } while (
        !__atomic_compare_exchange_n(at, &code, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (next == news->plus)
        hy_push(worker, 1, pending->handle);
    else if (next == news->minus)
        hy_push(worker, 0, pending->handle);
}

/* Sends news to a position; it arrives when so many others have been sent, or at hy_flush. */
HY_INLINE void hy_tell(hy_worker *worker, uint64_t place, uint64_t handle, const uint8_t *news)
{
    hy_pending *slot = &worker->pending[worker->head++ % HY_NUM_PENDING];
    hy_pending due = *slot;
    __builtin_prefetch(worker->work->table + place, 1);
    *slot = (hy_pending){place, handle, news};
    if (due.place != HY_NO_PLACE)
        hy_apply(worker, &due);
}

HY_INLINE void hy_flush(hy_worker *worker)
{
    for (unsigned i = 0; i < HY_NUM_PENDING; i++) {
        hy_pending *slot = &worker->pending[worker->head++ % HY_NUM_PENDING];
        if (slot->place != HY_NO_PLACE) {
            hy_pending due = *slot;
            slot->place = HY_NO_PLACE;
            hy_apply(worker, &due);
        }
    }
}

HY_INLINE void hy_drain_by(hy_worker *worker, hy_predecessors *predecessors)
{
    hy_stack *lost = &worker->stacks[0], *won = &worker->stacks[1];
    const hy_news *news = &worker->work->news;
    unsigned pops = 0;
    for (;;) {
        if (lost->num > 0)
            predecessors(worker, lost->items[--lost->num], news->good);
        else if (won->num > 0)
            predecessors(worker, won->items[--won->num], news->bad);
        else {
            hy_flush(worker);
            if (lost->num + won->num == 0)
                return;
        }
        if (__builtin_expect(lost->num + won->num > HY_LARGE_STACK, 0) &&
            atomic_load_explicit(&worker->work->pool.hungry, memory_order_relaxed) > 0)
            hy_worker_share(worker, lost->num > won->num ? 0 : 1);
        if (__builtin_expect((++pops & HY_POPS_BETWEEN_LOOKS) == 0, 0) &&
            hy_work_is_over(worker->work)) {
            lost->num = won->num = 0;
        }
    }
}

/* Whether the position at `place` settles by itself at this level and no one has seen to it; then
 * it is settled now, and on a stack. */
HY_INLINE bool hy_settles(hy_worker *worker, uint64_t place, unsigned *which)
{
    const hy_news *news = &worker->work->news;
    uint8_t *at = worker->work->table + place;
    uint8_t code = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (code != news->base_plus && code != news->waiting)
        return false;
    *which = code == news->base_plus;
    return __atomic_compare_exchange_n(at, &code, *which ? news->plus : news->minus, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Whether any of the 64 codes from `place` on may settle by itself. */
HY_INLINE bool hy_any_settles(const hy_worker *worker, uint64_t place)
{
    const hy_news *news = &worker->work->news;
    const uint8_t *at = worker->work->table + place;
    uint8_t base_plus = news->base_plus, waiting = news->waiting, any = 0;
    for (unsigned i = 0; i < 64; i++) {
        uint8_t code = __atomic_load_n(at + i, __ATOMIC_RELAXED);
        any |= (uint8_t)((code == base_plus) | (code == waiting));
    }
    return any != 0;
}

#endif
