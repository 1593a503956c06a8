/* The blocks of one stream together, for processors with AVX2. */
#define HY_PHILOX_BYTES 32
#include "random/philox_rows.h"
#include "random/stream.h"

#include <string.h>

_Static_assert(4 * HY_PHILOX_BLOCKS == HY_STREAM_WORDS, "the blocks fill a vector");

void hy_stream_refill_256(hy_stream *stream)
{
    const hy_philox_row none = {0};
    const uint32_t *counter = stream->counter;
    hy_philox_keys keys = hy_philox_keys_of((uint64_t)stream->key[1] << 32 | stream->key[0]);
    hy_philox_row words[4] = {none, none + counter[1], none + counter[2], none + counter[3]};
    for (uint32_t i = 0; i < HY_PHILOX_BLOCKS; i++)
        words[0][i] = counter[0] + i;
    hy_philox_draw(&keys, words);
    hy_philox_row low = (words[0] & 0xffffffffu) | words[1] << 32;
    hy_philox_row high = (words[2] & 0xffffffffu) | words[3] << 32;
    for (unsigned i = 0; i < HY_PHILOX_BLOCKS; i++)
        memcpy(stream->words + 4 * i, (uint64_t[]){low[i], high[i]}, 2 * sizeof low[i]);
    stream->counter[0] += HY_PHILOX_BLOCKS;
    stream->next = 0;
}
