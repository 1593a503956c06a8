/* Endgame tables in a folder: made layer by layer, and read. */
#ifndef HY_SOLVE_FOLDER_H
#define HY_SOLVE_FOLDER_H

#include "solve/endgame.h"

/* What solving takes. A layer of HY_INDEX_LIMIT positions stands for one of that many or more. */
typedef struct hy_solve_plan {
    unsigned num_layers;
    unsigned counters[256]; /* of each layer */
    uint64_t positions[256];
    bool present[256]; /* its file is there */
    uint64_t memory;   /* bytes, stacks not counted */
    uint64_t disk;     /* bytes of the files that are missing */
} hy_solve_plan;

/* Says what would be solved. `folder` may be NULL, or not exist. */
HY_MUST_CHECK hy_status hy_solve_plan_make(const hy_rules *rules, unsigned max_counters,
                                           const char *folder, hy_solve_plan *plan,
                                           hy_error *error);

/* Solves the layers of at most `max_counters` counters that are not in the folder (made where it
 * does not exist), and writes each as it is done. Layers that are there are compared with their
 * checksums and used. Refused beforehand is what does not fit into the memory allowed or on the
 * disk. HY_INTERRUPTED: what is written is kept, and the same call goes on. */
HY_MUST_CHECK hy_status hy_solve_folder(const hy_rules *rules, unsigned max_counters,
                                        const char *folder, const hy_solve_options *options,
                                        hy_error *error);

/* The rules that a folder's tables were made for. */
HY_MUST_CHECK hy_status hy_endgame_folder_rules(const char *folder, hy_rules *rules,
                                                hy_error *error);

/* Compares all files of opened tables with their checksums. */
HY_MUST_CHECK hy_status hy_endgame_verify_files(const char *folder, const hy_rules *rules,
                                                hy_error *error);

#endif
