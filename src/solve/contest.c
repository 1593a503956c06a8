#include "solve/contest.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"

#define REPORT_SECONDS 1.0

void hy_contest_reset(hy_contest *contest)
{
    int left = contest->position->left;
    for (unsigned side = 0; side < 2; side++) {
        hy_contender *own = &contest->side[side];
        own->proved = own->claimed = -left;
        own->step = 1;
        own->level = own->at = own->workers = 0;
        own->nodes = 0;
        atomic_init(&own->version, 0);
    }
    contest->nodes = 0;
    contest->unresolved = 0;
}

/* One thread. */
typedef struct worker {
    hy_contest *contest;
    hy_forcing search;
    pthread_t thread;
    unsigned version;
    uint64_t counted; /* nodes of the search that the contest knows of */
    hy_player claimant;
    int wins;
    unsigned level;
} worker;

static bool was_stopped(const hy_contest *contest)
{
    if (contest->options->stop && atomic_load(contest->options->stop) != 0)
        return true;
    return contest->deadline > 0 && hy_now() > contest->deadline;
}

static bool is_decided(const hy_contest *contest)
{
    int lower = hy_contest_lower(contest), upper = hy_contest_upper(contest);
    switch (contest->goal) {
    case HY_GOAL_VALUE:
        break;
    case HY_GOAL_SIGN:
        return lower == upper || lower > 0 || upper < 0;
    case HY_GOAL_CLAIM:
        return lower >= contest->claim || upper < contest->claim;
    }
    return lower >= upper;
}

/* The wins that a side would like to claim next. */
static int wanted(const hy_contest *contest, hy_player side)
{
    int proved = contest->side[side].proved;
    switch (contest->goal) {
    case HY_GOAL_VALUE:
        break;
    case HY_GOAL_SIGN:
        return proved < 0 ? 0 : 1;
    case HY_GOAL_CLAIM:
        return side == HY_SOUTH ? contest->claim : 1 - contest->claim;
    }
    return proved + contest->side[side].step;
}

/* What a side claims next; false: nothing more. */
static bool next_claim(const hy_contest *contest, hy_player side, int *wins)
{
    const hy_contender *own = &contest->side[side], *other = &contest->side[hy_opponent(side)];
    int most = -other->proved;
    if (own->level > contest->max_level || own->proved >= most)
        return false;
    *wins = hy_value_up(contest->rules, contest->position->left, wanted(contest, side));
    if (*wins > most && contest->goal == HY_GOAL_VALUE)
        *wins = most;
    return *wins > own->proved && *wins <= most;
}

/* The side that fewer threads work for, then the one on which less was spent. */
static bool choose_claim(worker *w)
{
    hy_contest *contest = w->contest;
    const hy_contender *south = &contest->side[HY_SOUTH], *north = &contest->side[HY_NORTH];
    hy_player side = HY_SOUTH;
    if (north->workers != south->workers)
        side = north->workers < south->workers ? HY_NORTH : HY_SOUTH;
    else if (north->nodes < south->nodes)
        side = HY_NORTH;
    if (!next_claim(contest, side, &w->wins)) {
        side = hy_opponent(side);
        if (!next_claim(contest, side, &w->wins))
            return false;
    }
    w->claimant = side;
    w->level = contest->side[side].level;
    w->version = atomic_load(&contest->side[side].version);
    contest->side[side].workers++;
    contest->side[side].claimed = w->wins;
    return true;
}

static void report(hy_contest *contest)
{
    if (!contest->options->progress)
        return;
    hy_prove_progress progress = {
        .lower = hy_contest_lower(contest),
        .upper = hy_contest_upper(contest),
        .level = {contest->side[HY_SOUTH].level, contest->side[HY_NORTH].level},
        .nodes = contest->nodes,
        .seconds = hy_now() - contest->started,
    };
    contest->reported = hy_now();
    contest->options->progress(contest->options->context, &progress);
}

static void count_nodes(worker *w)
{
    uint64_t more = w->search.nodes - w->counted;
    w->counted = w->search.nodes;
    w->contest->nodes += more;
    w->contest->side[w->claimant].nodes += more;
}

static bool interrupt(void *context)
{
    worker *w = context;
    hy_contest *contest = w->contest;
    if (contest->options->progress) {
        pthread_mutex_lock(&contest->lock);
        count_nodes(w);
        if (hy_now() - contest->reported > REPORT_SECONDS)
            report(contest);
        pthread_mutex_unlock(&contest->lock);
    }
    return atomic_load(&contest->side[w->claimant].version) != w->version || was_stopped(contest);
}

/* Threads that search a claim of this side shall look for another. */
static void call_off(hy_contender *side)
{
    atomic_fetch_add(&side->version, 1);
}

static void raise_proved(hy_contest *contest, hy_player side, int wins, unsigned level)
{
    hy_contender *own = &contest->side[side], *other = &contest->side[hy_opponent(side)];
    if (wins <= own->proved)
        return;
    own->proved = wins;
    own->at = level;
    if (own->claimed <= wins)
        call_off(own);
    if (other->claimed > -wins)
        call_off(other);
}

/* Notes what a search has found. */
static void take(worker *w, hy_verdict verdict)
{
    hy_contest *contest = w->contest;
    hy_contender *own = &contest->side[w->claimant];
    unsigned left = contest->position->left;
    switch (verdict) {
    case HY_PROVED:
        raise_proved(contest, w->claimant, w->wins, w->level);
        own->step = own->step < (int)HY_MAX_LEVEL ? 2 * own->step : own->step;
        break;
    case HY_REFUTED:
        raise_proved(contest, hy_opponent(w->claimant),
                     -hy_value_down(contest->rules, left, w->wins - 1), w->level);
        own->step = 1;
        break;
    case HY_UNPROVED:
        if (own->level != w->level)
            return; /* another thread has said so before */
        if (own->step > 1 && contest->goal == HY_GOAL_VALUE)
            own->step = 1;
        else
            own->level++;
        call_off(own);
        break;
    }
    report(contest);
}

static void work_once(worker *w)
{
    hy_contest *contest = w->contest;
    pthread_mutex_unlock(&contest->lock);
    hy_verdict verdict = hy_force(&w->search, contest->position, w->claimant, w->wins, w->level);
    pthread_mutex_lock(&contest->lock);
    contest->side[w->claimant].workers--;
    count_nodes(w);
    contest->unresolved += w->search.unresolved;
    w->search.unresolved = 0;
    if (!w->search.stopped)
        take(w, verdict);
}

static bool may_go_on(const hy_contest *contest)
{
    bool spent = contest->node_limit > 0 && contest->nodes >= contest->node_limit;
    return !spent && !is_decided(contest) && !was_stopped(contest);
}

static void *work(void *argument)
{
    worker *w = argument;
    pthread_mutex_lock(&w->contest->lock);
    while (may_go_on(w->contest) && choose_claim(w))
        work_once(w);
    call_off(&w->contest->side[HY_SOUTH]); /* nothing that is in work has any use now */
    call_off(&w->contest->side[HY_NORTH]);
    pthread_mutex_unlock(&w->contest->lock);
    return NULL;
}

static hy_status worker_init(worker *w, hy_contest *contest, unsigned index, hy_error *error)
{
    w->contest = contest;
    hy_status status = hy_forcing_init(&w->search, contest->rules, contest->max_laps,
                                       contest->source, contest->table, error);
    w->search.interrupt = interrupt;
    w->search.context = w;
    w->search.node_limit = contest->node_limit;
    w->search.no_loops = contest->options->no_loops;
    w->search.jitter = index / 2;
    return status;
}

static hy_status run_workers(worker *workers, unsigned num, hy_error *error)
{
    unsigned started = 0;
    hy_status status = HY_OK;
    for (unsigned i = 1; i < num && status == HY_OK; i++) {
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            status = hy_fail(error, HY_FAILED, "cannot start a thread");
        else
            started = i;
    }
    if (status == HY_OK)
        work(&workers[0]);
    for (unsigned i = 1; i <= started; i++)
        pthread_join(workers[i].thread, NULL);
    return status;
}

hy_status hy_contest_run(hy_contest *contest, hy_error *error)
{
    unsigned num = contest->options->num_threads > 0 ? contest->options->num_threads : 1;
    worker *workers = hy_new_array(num, sizeof workers[0]);
    if (!workers)
        return hy_fail_memory(error);
    hy_status status = HY_OK;
    for (unsigned i = 0; i < num && status == HY_OK; i++)
        status = worker_init(&workers[i], contest, i, error);
    if (status == HY_OK)
        status = run_workers(workers, num, error);
    for (unsigned i = 0; i < num; i++)
        hy_forcing_clean_up(&workers[i].search);
    free(workers);
    return status;
}
