/* Databases: the first line names a base and the commands that are run on it, what follows are
 * edits (see patch.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/bases.h"
#include "fuzz/fuzz.h"
#include "fuzz/patch.h"

#define MAX_COMMANDS 4

typedef struct scene {
    const hy_fuzz_base *base;
    const char *path; /* the edited database */
    const char *out;  /* a file that is not there */
} scene;

static void ask(const hy_command *command, const char *const *arguments)
{
    (void)hy_fuzz_command(command, NULL, 0, arguments);
}

static void do_report(const scene *on)
{
    ask(&hy_command_report, (const char *const[]){on->path, NULL});
}

static void do_json(const scene *on)
{
    ask(&hy_command_report, (const char *const[]){on->path, "--json", NULL});
}

static void do_html(const scene *on)
{
    ask(&hy_command_report, (const char *const[]){on->path, "--html", on->out, NULL});
}

static void do_compare(const scene *on)
{
    const char *axis = strcmp(on->base->name, "games") == 0    ? "relay"
                       : strcmp(on->base->name, "ladder") == 0 ? "south"
                                                               : "holes";
    ask(&hy_command_compare,
        (const char *const[]){on->path, "--metric", "plies", "--by", axis, NULL});
    ask(&hy_command_compare, (const char *const[]){on->path, "--metric", "restricted_plies", "--by",
                                                   axis, "--json", NULL});
}

static void do_effects(const scene *on)
{
    ask(&hy_command_effects,
        (const char *const[]){on->path, "--metric", "first_player_score", NULL});
    ask(&hy_command_effects,
        (const char *const[]){on->path, "--metric", "captures", "--json", NULL});
}

static void do_ladder(const scene *on)
{
    ask(&hy_command_ladder, (const char *const[]){on->path, "--json", NULL});
}

static void do_quality(const scene *on)
{
    ask(&hy_command_quality, (const char *const[]){on->path, "--games", "3", "--evaluate",
                                                   "alphabeta:depth=1", "--json", NULL});
}

static void do_digest(const scene *on)
{
    ask(&hy_command_digest, (const char *const[]){on->path, NULL});
}

static void do_verify(const scene *on)
{
    ask(&hy_command_verify, (const char *const[]){on->path, "-j", "1", NULL});
}

static void do_replay(const scene *on)
{
    ask(&hy_command_replay,
        (const char *const[]){on->path, "--condition", "1", "--game", "0", NULL});
    ask(&hy_command_replay,
        (const char *const[]){on->path, "--condition", "2", "--game", "1", "--json", NULL});
}

static void do_plan(const scene *on)
{
    ask(&hy_command_plan, (const char *const[]){on->path, "--half-width", "0.01", NULL});
    ask(&hy_command_plan,
        (const char *const[]){on->path, "--metric", "plies", "--difference", "1", "--json", NULL});
}

static void do_merge(const scene *on)
{
    ask(&hy_command_merge, (const char *const[]){on->out, on->path, on->base->path, NULL});
}

static void do_into(const scene *on)
{
    ask(&hy_command_merge, (const char *const[]){on->path, on->base->path, NULL});
}

static void do_run(const scene *on)
{
    ask(&hy_command_run,
        (const char *const[]){on->base->yaml_path, "-o", on->path, "-j", "1", "--json", NULL});
}

static const struct {
    const char *word;
    void (*run)(const scene *on);
} commands[] = {
    {"report", do_report},   {"json", do_json},       {"html", do_html},
    {"compare", do_compare}, {"effects", do_effects}, {"ladder", do_ladder},
    {"quality", do_quality}, {"digest", do_digest},   {"verify", do_verify},
    {"replay", do_replay},   {"plan", do_plan},       {"merge", do_merge},
    {"into", do_into},       {"run", do_run},
};

static void run_word(const char *word, const scene *on)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].word, word) == 0)
            commands[i].run(on);
    }
}

/* What draws figures is another program; here one that gives back what it is told. */
static void replace_gnuplot(void)
{
    static const char script[] = "#!/bin/sh\nexec /bin/cat\n";
    char *program = hy_fuzz_path("gnuplot"), *folder = hy_fuzz_path("");
    if (access(program, F_OK) != 0) {
        hy_fuzz_write(program, script, sizeof script - 1);
        chmod(program, 0700);
        setenv("PATH", folder, 1);
    }
    free(program);
    free(folder);
}

static void remove_beside(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
}

static void run_on(const hy_fuzz_base *base, char *words, char *edits)
{
    char *path = hy_fuzz_path("input.db"), *out = hy_fuzz_path("out");
    const scene on = {base, path, out};
    remove_beside(path);
    hy_fuzz_write(path, base->loose, base->size);
    hy_fuzz_patch(path, edits);
    for (unsigned i = 0; words && i < MAX_COMMANDS; i++) {
        run_word(strsep(&words, " "), &on);
        remove_beside(out);
    }
    free(path);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hy_fuzz_base *bases = hy_fuzz_bases();
    char *text = strndup((const char *)data, size), *rest = text;
    replace_gnuplot();
    char *words = strsep(&rest, "\n");
    const char *base = strsep(&words, " ");
    for (size_t i = 0; i < HY_FUZZ_NUM_BASES; i++) {
        if (strcmp(bases[i].name, base) == 0)
            run_on(&bases[i], words, rest);
    }
    free(text);
    return 0;
}
