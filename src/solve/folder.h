/* Endgame tables in a folder: made layer by layer, and read. */
#ifndef HY_SOLVE_FOLDER_H
#define HY_SOLVE_FOLDER_H

#include "solve/endgame.h"

/* Bytes on the disk that the layers of at most `max_counters` take that are not in the folder yet.
 */
HY_MUST_CHECK hy_status hy_solve_folder_missing(const hy_rules *rules, unsigned max_counters,
                                                const char *folder, uint64_t *bytes,
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
