#include "sim/captures.h"

#include "rules/trace.h"

static bool note_landing(void *context, const hy_lap *lap)
{
    *(unsigned *)context = lap->landing;
    return true;
}

static void add(hy_capture_count *count, unsigned hole, unsigned holes, unsigned casas)
{
    bool own = hole<holes, chain = casas> 1;
    count->captures[hole]++;
    count->chains[hole] += chain;
    count->casas[casas]++;
    count->num_captures++;
    count->num_chains += chain;
    count->own_captures += own;
    count->own_chains += own && chain;
    count->num_casas += casas;
    count->chain_length += casas - 1;
}

void hy_capture_count_add(hy_capture_count counts[HY_NUM_MOVERS], const hy_rules *rules,
                          const hy_position *before, unsigned hole, uint64_t max_laps,
                          const hy_sowing *sowing)
{
    const unsigned movers[] = {before->mover, HY_EITHER};
    unsigned landing = hole, size = 2u * rules->holes;
    hy_trace trace;
    if (sowing->casas > 0)
        hy_sow_trace(rules, before->board, hole, (hy_player)before->mover, max_laps, note_landing,
                     &landing, &trace);
    unsigned relative = before->mover == HY_SOUTH ? landing : (landing + rules->holes) % size;
    for (unsigned i = 0; i < 2; i++) {
        if (sowing->casas > 0)
            add(&counts[movers[i]], relative, rules->holes, sowing->casas);
        else
            counts[movers[i]].en_passant++;
    }
}

/* A game that has nothing of what is shared out takes no part. */
static void share_out(hy_sums *sums, uint32_t y, uint32_t x)
{
    if (x > 0)
        hy_sums_add(sums, y, x);
}

void hy_capture_sums_add(hy_capture_sums *sums, const hy_capture_count *count)
{
    for (unsigned hole = 0; hole < HY_MAX_BOARD; hole++) {
        share_out(&sums->captures_at[hole], count->captures[hole], count->num_captures);
        share_out(&sums->chains_at[hole], count->chains[hole], count->num_chains);
        share_out(&sums->chained_at[hole], count->chains[hole], count->captures[hole]);
    }
    for (unsigned casas = 1; casas <= HY_MAX_BOARD; casas++) {
        share_out(&sums->casas[casas], count->casas[casas], count->num_captures);
        if (count->casas[casas] > 0 && casas > sums->most_casas)
            sums->most_casas = casas;
    }
    share_out(&sums->own_captures, count->own_captures, count->num_captures);
    share_out(&sums->own_chains, count->own_chains, count->num_chains);
    share_out(&sums->chain_share, count->num_chains, count->num_captures);
    share_out(&sums->casas_a_capture, count->num_casas, count->num_captures);
    share_out(&sums->chain_length, count->chain_length, count->num_chains);
    sums->en_passant += count->en_passant;
}
