/* hoyito_manual FOLDER: writes the manual pages and the completions into a folder that is there.
 * The build runs it; it is not installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "manual/completion.h"
#include "manual/page.h"

static FILE *create(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        exit(1);
    }
    return out;
}

static void finish(FILE *out)
{
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        perror("hoyito_manual");
        exit(1);
    }
}

static void write_file(const char *folder, const char *name, void (*write)(FILE *))
{
    FILE *out = create(folder, name);
    write(out);
    finish(out);
}

int main(int argc, char **argv)
{
    const hy_command *command;
    char name[64];
    if (argc != 2) {
        fprintf(stderr, "Usage: hoyito_manual FOLDER\n");
        return 2;
    }
    for (size_t i = 0; (command = hy_command_at(i)); i++) {
        snprintf(name, sizeof name, "hoyito-%s.1", command->name);
        FILE *out = create(argv[1], name);
        hy_write_command_page(out, command);
        finish(out);
    }
    write_file(argv[1], "hoyito.1", hy_write_program_page);
    write_file(argv[1], "hoyito.bash", hy_write_bash_completion);
    write_file(argv[1], "_hoyito", hy_write_zsh_completion);
    write_file(argv[1], "hoyito.fish", hy_write_fish_completion);
    return 0;
}
