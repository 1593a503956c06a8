/* A layer as a file: a header, the checksums of its blocks, one byte a position. Private to
 * src/solve, and to its tests.
 *
 * Numbers are eight bytes, least significant first. The data begins at a multiple of 4096 bytes and
 * is used where it lies in the file. The header's checksum covers the checksums of the blocks, so
 * that a damaged byte anywhere is found. */
#ifndef HY_SOLVE_LAYER_FILE_H
#define HY_SOLVE_LAYER_FILE_H

#include "base/hash.h"
#include "solve/tables.h"

/* "024.hyt" */
#define HY_LAYER_NAME_SIZE 16
void hy_layer_file_name(unsigned counters, char name[HY_LAYER_NAME_SIZE]);

/* What tables depend on: the rules, but of the seeds only what they leave when divided by casa. */
void hy_endgame_key(const hy_rules *rules, char hex[HY_SHA256_HEX_SIZE]);

/* Bytes of the file of so many positions. */
uint64_t hy_layer_file_size(uint64_t num_positions);

/* Writes a layer under another name, forces it to the disk and gives it its own. */
HY_MUST_CHECK hy_status hy_layer_file_write(const hy_endgame *endgame, const hy_layer *layer,
                                            const char *folder, hy_error *error);

/* Maps the layer's file; *found is false where there is none. `verify`: also compares all
 * checksums. HY_MISMATCH: of other rules. HY_STORAGE: damaged, or cannot be read. */
HY_MUST_CHECK hy_status hy_layer_file_map(const hy_endgame *endgame, hy_layer *layer,
                                          const char *folder, bool verify, bool *found,
                                          hy_error *error);

/* Adds the checksums of the blocks of a mapped layer, which stand for its values. */
void hy_layer_file_add_sums(const hy_layer *layer, hy_sha256 *hash);

#endif
