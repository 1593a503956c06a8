/* What the fuzzers share: a scratch folder, and commands that run in this process.
 *
 * A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput; replay.c stands in for libFuzzer
 * where only the corpus is gone through. */
#ifndef HY_FUZZ_FUZZ_H
#define HY_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "cli/cli.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program with a message, as a fault that was found. */
_Noreturn void hy_fuzz_fault(const char *what);

/* The path of a file in the scratch folder, which is made when it is first asked for and removed at
 * the end of the program; the caller releases it. */
char *hy_fuzz_path(const char *name);

/* Makes a file of these bytes. */
void hy_fuzz_write(const char *path, const void *bytes, size_t size);

/* All of a file, or NULL where there is none; the caller releases it. */
uint8_t *hy_fuzz_read(const char *path, size_t *size);

/* Runs a command with `input` as standard input (NULL: none) and its output thrown away. The
 * arguments are those behind the command's name, ended by NULL, and must be valid as far as usage
 * goes: for argp would end the program. A failure has to say why. */
hy_status hy_fuzz_command(const hy_command *command, const char *input, size_t size,
                          const char *const *arguments);

#endif
