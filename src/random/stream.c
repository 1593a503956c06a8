#include "random/stream.h"

#include <Random123/philox.h>

hy_stream hy_stream_make(uint64_t seed, uint64_t game, hy_purpose purpose)
{
    return (hy_stream){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, (uint32_t)purpose, (uint32_t)game, (uint32_t)(game >> 32)},
        .next = HY_STREAM_WORDS,
    };
}

void hy_stream_refill_words(hy_stream *stream)
{
    philox4x32_key_t key = {{stream->key[0], stream->key[1]}};
    philox4x32_ctr_t counter = {
        {stream->counter[0], stream->counter[1], stream->counter[2], stream->counter[3]}};
    for (uint32_t i = 0; i < HY_STREAM_WORDS; i += 4) {
        philox4x32_ctr_t block = philox4x32_R(10, counter, key);
        for (uint32_t j = 0; j < 4; j++)
            stream->words[i + j] = block.v[j];
        counter.v[0]++;
    }
    stream->counter[0] = counter.v[0];
    stream->next = 0;
}

void hy_stream_refill(hy_stream *stream)
{
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        hy_stream_refill_256(stream);
        return;
    }
#endif
    hy_stream_refill_words(stream);
}
