/* Benches by several threads that share nothing. */
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/bench.h"

typedef struct hy_bench_thread {
    _Alignas(HY_LINE) const hy_bench *bench;
    hy_bench_run *run;
    double seconds;
    hy_bench_work work;
    hy_status status;
    hy_error error;
    pthread_t thread;
} hy_bench_thread;

static void *work_alone(void *context)
{
    hy_bench_thread *thread = context;
    thread->status = thread->run(thread->bench, thread->seconds, &thread->work, &thread->error);
    return NULL;
}

static void add_work(hy_bench_work *sum, const hy_bench_work *work)
{
    sum->amount += work->amount;
    sum->laps += work->laps;
    sum->games += work->games;
}

hy_status hy_bench_in_threads(hy_bench_run *run, const hy_bench *bench, double seconds,
                              hy_bench_work *work, hy_error *error)
{
    if (bench->threads == 1)
        return run(bench, seconds, work, error);
    hy_bench_thread *threads = hy_new_lines(bench->threads, sizeof *threads);
    if (!threads)
        return hy_fail_memory(error);
    hy_status status = HY_OK;
    unsigned num = 0;
    for (; status == HY_OK && num < bench->threads; num++) {
        threads[num].bench = bench;
        threads[num].run = run;
        threads[num].seconds = seconds;
        if (pthread_create(&threads[num].thread, NULL, work_alone, &threads[num]) != 0) {
            status = hy_fail(error, HY_FAILED, "cannot start a thread");
            break;
        }
    }
    for (unsigned i = 0; i < num; i++) {
        pthread_join(threads[i].thread, NULL);
        add_work(work, &threads[i].work);
        if (status == HY_OK && threads[i].status != HY_OK) {
            status = threads[i].status;
            if (error)
                *error = threads[i].error;
        }
    }
    free(threads);
    return status;
}

/* So many rounds of sums that wait for nothing but each other. */
static uint64_t sum_up(uint64_t seed, unsigned rounds)
{
    uint64_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3;
    for (unsigned i = 0; i < rounds; i++) {
        a += b ^ i;
        b += a >> 3;
        c += d ^ i;
        d += c >> 3;
    }
    return a ^ b ^ c ^ d;
}

static hy_status add_numbers(const hy_bench *bench, double seconds, hy_bench_work *work,
                             hy_error *error)
{
    const unsigned rounds = 100000;
    volatile uint64_t result = 1; /* so that nothing is left out */
    (void)bench;
    (void)error;
    for (double until = hy_now() + seconds; work->amount == 0 || hy_now() < until;) {
        result = sum_up(result, rounds);
        work->amount += 4.0 * rounds;
    }
    return HY_OK;
}

hy_status hy_bench_sums(const hy_bench *bench, double seconds, hy_bench_work *work, hy_error *error)
{
    return hy_bench_in_threads(add_numbers, bench, seconds, work, error);
}
