/* A layer over SQLite's default VFS that fails at the n-th operation of a kind, or loses power.
 *
 * When power is lost nothing is done any more, and what had not been synced is lost in part: of
 * each file some of the sectors that were written since its last sync come through, others do not.
 */
#ifndef HY_TESTS_FAULTS_FAULTY_VFS_H
#define HY_TESTS_FAULTS_FAULTY_VFS_H

#include <stdbool.h>

typedef enum fault_kind {
    FAULT_READ,
    FAULT_WRITE,
    FAULT_FULL, /* a write, for want of room */
    FAULT_SYNC,
    FAULT_TRUNCATE,
    FAULT_DELETE,
    FAULT_OPEN,   /* of a file, or of the memory that connections share */
    FAULT_LOCK,   /* of either */
    FAULT_POWER,  /* at a write, sync, truncation or deletion */
    FAULT_MEMORY, /* a request of SQLite for memory */
    NUM_FAULT_KINDS,
} fault_kind;

extern const char *const fault_words[NUM_FAULT_KINDS];

/* Makes the layer the default VFS of this process; until it is armed it fails nothing. */
void faulty_vfs_install(void);

/* The `number`-th operation of that kind from now on fails, counted from 1; and so do all after it,
 * if `lasting`. */
void faulty_vfs_arm(fault_kind kind, unsigned long number, bool lasting);

/* Fails nothing any more, and tells whether it has. All connections have to be closed. After a loss
 * of power the files become what is left of them; `seed` decides what. */
bool faulty_vfs_disarm(unsigned long seed);

#endif
