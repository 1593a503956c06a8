#include "solve/team.h"

#include <pthread.h>

#define MAX_MEMBERS 1024u

typedef struct member {
    pthread_t thread;
    void (*work)(void *context, unsigned member);
    void *context;
    unsigned number;
} member;

static void *run_member(void *argument)
{
    const member *self = argument;
    self->work(self->context, self->number);
    return NULL;
}

void hy_team_run(unsigned num_threads, void (*work)(void *context, unsigned member), void *context)
{
    member members[MAX_MEMBERS];
    unsigned num = 1;
    for (; num < num_threads && num < MAX_MEMBERS; num++) {
        members[num] = (member){.work = work, .context = context, .number = num};
        if (pthread_create(&members[num].thread, NULL, run_member, &members[num]) != 0)
            break;
    }
    work(context, 0);
    for (unsigned i = 1; i < num; i++)
        pthread_join(members[i].thread, NULL);
}
