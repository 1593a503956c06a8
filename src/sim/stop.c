#include "sim/stop.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/words.h"

const char *const hy_elo_scale_words[HY_NUM_ELO_SCALES] = {"logistic", "normalized"};

const char *const hy_stop_reason_words[HY_NUM_STOP_REASONS] = {"half_width", "h0", "h1", "games"};

uint64_t hy_stop_next_look(const hy_stop *stop, uint64_t max_games, uint64_t games)
{
    uint64_t steps = games / stop->every / 10;
    uint64_t next = games + (steps > 0 ? steps : 1) * stop->every;
    return next < max_games ? next : max_games;
}

static void print_half_width(const hy_stop *stop, char buffer[HY_STOP_TEXT_SIZE])
{
    char width[32], confidence[32];
    hy_print_real(stop->half_width, width, sizeof width);
    hy_print_real(stop->confidence, confidence, sizeof confidence);
    snprintf(buffer, HY_STOP_TEXT_SIZE,
             "{\"metric\":\"%s\",\"half_width\":%s,\"confidence\":%s,\"every\":%" PRIu64 "}",
             hy_stop_metric_words[stop->metric], width, confidence, stop->every);
}

static void print_sprt(const hy_stop *stop, char buffer[HY_STOP_TEXT_SIZE])
{
    char elo0[32], elo1[32], alpha[32], beta[32];
    hy_print_real(stop->elo0, elo0, sizeof elo0);
    hy_print_real(stop->elo1, elo1, sizeof elo1);
    hy_print_real(stop->alpha, alpha, sizeof alpha);
    hy_print_real(stop->beta, beta, sizeof beta);
    snprintf(buffer, HY_STOP_TEXT_SIZE,
             "{\"sprt\":{\"elo0\":%s,\"elo1\":%s,\"alpha\":%s,\"beta\":%s,\"model\":\"%s\"},"
             "\"every\":%" PRIu64 "}",
             elo0, elo1, alpha, beta, hy_elo_scale_words[stop->scale], stop->every);
}

void hy_stop_print(const hy_stop *stop, char buffer[HY_STOP_TEXT_SIZE])
{
    switch (stop->kind) {
    case HY_STOP_HALF_WIDTH:
        print_half_width(stop, buffer);
        return;
    case HY_STOP_SPRT:
        print_sprt(stop, buffer);
        return;
    case HY_STOP_NEVER:
    case HY_NUM_STOP_KINDS:
        break;
    }
    snprintf(buffer, HY_STOP_TEXT_SIZE, "{}");
}
