#include "base/hash.h"

#include <stdio.h>
#include <string.h>

void hy_sha256_init(hy_sha256 *hash)
{
    sha256_init(&hash->state);
}

void hy_sha256_add(hy_sha256 *hash, const void *bytes, size_t size)
{
    sha256_update(&hash->state, size, bytes);
}

void hy_sha256_add_text(hy_sha256 *hash, const char *text)
{
    hy_sha256_add(hash, text, strlen(text) + 1);
}

void hy_sha256_add_u64(hy_sha256 *hash, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    hy_sha256_add(hash, bytes, sizeof bytes);
}

void hy_sha256_finish(hy_sha256 *hash, char hex[HY_SHA256_HEX_SIZE])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&hash->state, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}
