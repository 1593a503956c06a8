/* A database played again from itself. */
#ifndef HY_CLI_RERUN_H
#define HY_CLI_RERUN_H

#include "cli/cli.h"
#include "store/store.h"

typedef struct hy_rerun {
    /* set by the caller */
    const char *database;
    const char *output; /* goes on where it is there */
    unsigned threads;
    int argc;
    char **argv;

    int64_t version;                 /* of the old file's schema */
    uint64_t num_games;              /* that the old file holds */
    bool unfinished;                 /* the old file's stop rule had not ended all conditions */
    bool reproducible;               /* all conditions are */
    bool has_digest;                 /* the old file has one in the sense of this program */
    char before[HY_SHA256_HEX_SIZE]; /* its digest */
    char after[HY_SHA256_HEX_SIZE];  /* that of the new file */
    hy_row_comparison comparison;
    hy_error difference; /* the first one; status HY_OK: none */
} hy_rerun;

/* Plays the games that the old database holds, from the conditions and the seed that are stored in
 * it, into the new one, and compares. With a stop rule it is the rule that says which games are
 * played. What differs is no failure but is in rerun->difference. */
HY_MUST_CHECK hy_status hy_rerun_do(hy_rerun *rerun, hy_error *error);

/* Whether digests have to be equal where nothing differs. */
bool hy_rerun_has_same_games(const hy_rerun *rerun);

#endif
