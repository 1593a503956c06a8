/* Hashes: SHA-256 for identity of configurations and results, FNV-1a for runs of holes. */
#ifndef HY_BASE_HASH_H
#define HY_BASE_HASH_H

#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>

#define HY_SHA256_HEX_SIZE 65 /* 64 lower-case digits and the terminating zero */

/* A SHA-256 (FIPS 180-4) in progress; the caller's storage, nothing to clean up. */
typedef struct hy_sha256 {
    struct sha256_ctx state;
} hy_sha256;

void hy_sha256_init(hy_sha256 *hash);
void hy_sha256_add(hy_sha256 *hash, const void *bytes, size_t size);

/* Adds a text and its terminating zero, so that neighbouring texts cannot run together. */
void hy_sha256_add_text(hy_sha256 *hash, const char *text);

/* Adds an integer as eight bytes, least significant first, on every machine. */
void hy_sha256_add_u64(hy_sha256 *hash, uint64_t value);

void hy_sha256_finish(hy_sha256 *hash, char hex[HY_SHA256_HEX_SIZE]);

#define HY_FNV1A_START 0xcbf29ce484222325u

/* One step of the 64-bit FNV-1a hash (Fowler, Noll, Vo). */
static inline uint64_t hy_fnv1a_step(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * 0x00000100000001b3u;
}

/* Spreads the bits of a hash evenly (the finaliser of MurmurHash3 by Appleby); a bijection. */
static inline uint64_t hy_mix64(uint64_t hash)
{
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 33);
}

#endif
