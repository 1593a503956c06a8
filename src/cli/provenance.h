/* The record of a run, in the shape of tskit's provenance schema. */
#ifndef HY_CLI_PROVENANCE_H
#define HY_CLI_PROVENANCE_H

#include <jansson.h>

#include "store/store.h"

typedef struct hy_provenance {
    int argc;
    char **argv;
    const hy_experiment *experiment;
    unsigned threads;
    hy_shard shard;       /* {0}: the whole */
    const json_t *origin; /* the database that is repeated or migrated; or NULL */
    double started;
    int64_t id; /* of its row */
} hy_provenance;

/* Writes the row at the start of a run, without its resources. */
HY_MUST_CHECK hy_status hy_provenance_begin(hy_provenance *provenance, hy_store *store,
                                            hy_error *error);

/* Completes it. */
HY_MUST_CHECK hy_status hy_provenance_end(const hy_provenance *provenance, hy_store *store,
                                          hy_error *error);

#endif
