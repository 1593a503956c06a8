/* Which games of an experiment have been played: a bitmap for each begun block. */
#ifndef HY_SIM_PROGRESS_H
#define HY_SIM_PROGRESS_H

#include "sim/experiment.h"

/* Games of one condition and seating come in blocks of fixed numbers: block b holds the games
 * b·HY_BLOCK_GAMES and on. A row of the table `block` sums up one of them. */
#define HY_BLOCK_GAMES 65536u
#define HY_BLOCK_WORDS (HY_BLOCK_GAMES / 64u)

typedef struct hy_block_key {
    uint32_t condition; /* index into the experiment */
    bool swapped;
    uint64_t block;
} hy_block_key;

static inline bool hy_block_same(hy_block_key a, hy_block_key b)
{
    return a.condition == b.condition && a.swapped == b.swapped && a.block == b.block;
}

/* The share of the games that one process plays. It does not depend on how many games are asked
 * for, and both games of a pair fall into the same one.
 *
 * Numbers are dealt in units of u in a row: number n belongs to the shard n / u mod `count`. In the
 * first HY_SHARD_BLOCKS blocks u is 1; later it is the largest power of two of at most
 * n / (HY_SHARD_BLOCKS · count), n being the block's first number, but 1 below 64, and a block at
 * the most. So shards differ by an eighth at the most in what they have to play, and the more games
 * there are, the fewer shards share a block: the sums over a block take the same room for one game
 * as for all, and the rows of a shard lie together when they are merged. */
#define HY_SHARD_BLOCKS 16u

typedef struct hy_shard {
    uint64_t index; /* 1 … count */
    uint64_t count;
} hy_shard;

#define HY_WHOLE_SHARD ((hy_shard){1, 1})

/* Whether any number of the block belongs to the shard. */
bool hy_shard_has_block(hy_shard shard, uint64_t block);

/* Numbers first … end − 1: the games of a condition, in each seating, that are asked for now. */
typedef struct hy_window {
    uint64_t first, end;
} hy_window;

/* The caller's storage; made by _init, released by _clean_up. All games of the experiment are asked
 * for, unless a stop rule moves the windows. */
typedef struct hy_progress {
    const hy_experiment *experiment;
    hy_window *windows;   /* [condition] */
    uint64_t blocks_each; /* of a condition and seating */
    uint64_t **blocks;    /* [condition][swapped][block]: a bitmap, or NULL: nothing played */
    uint64_t *full;       /* the bitmap of all blocks that were marked as whole ones */
    uint64_t num_played;
    uint64_t num_extra; /* stored games with numbers past the window */
} hy_progress;

/* HY_INVALID: so many games that the list of their blocks takes more than a quarter of the memory.
 */
HY_MUST_CHECK hy_status hy_progress_init(hy_progress *progress, const hy_experiment *experiment,
                                         hy_error *error);
void hy_progress_clean_up(hy_progress *progress);

/* Notes that a game has been played; one past its window counts as extra. */
HY_MUST_CHECK hy_status hy_progress_mark(hy_progress *progress, hy_block_key key, uint64_t number,
                                         hy_error *error);

/* Notes all games of a bitmap of HY_BLOCK_WORDS words. */
HY_MUST_CHECK hy_status hy_progress_mark_block(hy_progress *progress, hy_block_key key,
                                               const uint64_t *bitmap, hy_error *error);

/* Notes that no game of a condition has been played. */
void hy_progress_forget(hy_progress *progress, uint32_t condition);

/* Takes out the games that another progress of the same experiment has. */
HY_MUST_CHECK hy_status hy_progress_subtract(hy_progress *progress, const hy_progress *other,
                                             hy_error *error);

/* The games of word `word` of the block that belong to the shard, are asked for, and are not played
 * yet (or, with `played`, are), as bits. */
uint64_t hy_progress_word(const hy_progress *progress, hy_block_key key, uint64_t word,
                          hy_shard shard, bool played);

/* Whether no game of the block has been played. */
bool hy_progress_is_blank(const hy_progress *progress, hy_block_key key);

/* The number of games that hy_progress_word finds in all blocks, of one condition or of all. */
uint64_t hy_progress_count_of(const hy_progress *progress, uint32_t condition, hy_shard shard,
                              bool played);
uint64_t hy_progress_count(const hy_progress *progress, hy_shard shard, bool played);

#endif
