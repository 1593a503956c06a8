#include "solve/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "solve/layer_file.h"
#include "solve/solve.h"

#define LOCK_TRIES 30u
#define LOCK_WAIT_US 100000u

/* Maps layers up to the first that is missing. */
static hy_status map_layers(hy_endgame *endgame, const char *folder, bool verify, hy_error *error)
{
    hy_status status = HY_OK;
    bool found = true;
    while (status == HY_OK && found && endgame->num_layers < endgame->max_layers) {
        hy_layer *layer = &endgame->layers[endgame->num_layers];
        if (layer->num >= HY_INDEX_LIMIT)
            break;
        status = hy_layer_file_map(endgame, layer, folder, verify, &found, error);
        if (status == HY_OK && found)
            endgame->num_layers++;
    }
    return status;
}

hy_status hy_endgame_open(const char *folder, const hy_rules *rules, hy_endgame **endgame,
                          hy_error *error)
{
    hy_endgame *made;
    hy_status status = hy_endgame_new(rules, HY_MAX_TABLE_COUNTERS, &made, error);
    if (status != HY_OK)
        return status;
    status = map_layers(made, folder, false, error);
    if (status == HY_OK && made->num_layers == 0)
        status =
            hy_fail(error, HY_STORAGE, "there are no tables of positions with %u counters in '%s'",
                    made->first, folder);
    if (status != HY_OK) {
        hy_endgame_destroy(made);
        return status;
    }
    *endgame = made;
    return HY_OK;
}

hy_status hy_endgame_verify_files(const char *folder, const hy_rules *rules, hy_error *error)
{
    hy_endgame *made;
    hy_status status = hy_endgame_new(rules, HY_MAX_TABLE_COUNTERS, &made, error);
    if (status != HY_OK)
        return status;
    status = map_layers(made, folder, true, error);
    hy_endgame_destroy(made);
    return status;
}

hy_status hy_solve_plan_make(const hy_rules *rules, unsigned max_counters, const char *folder,
                             hy_solve_plan *plan, hy_error *error)
{
    hy_endgame *made;
    hy_status status = hy_endgame_new(rules, max_counters, &made, error);
    if (status != HY_OK)
        return status;
    if (folder)
        status = map_layers(made, folder, false, error);
    *plan = (hy_solve_plan){.num_layers = made->max_layers, .memory = hy_solve_memory(made)};
    for (unsigned i = 0; i < made->max_layers; i++) {
        plan->counters[i] = made->layers[i].counters;
        plan->positions[i] = made->layers[i].num;
        plan->present[i] = i < made->num_layers;
        if (!plan->present[i] && plan->disk < HY_INDEX_LIMIT)
            plan->disk += hy_layer_file_size(made->layers[i].num);
    }
    hy_endgame_destroy(made);
    return status;
}

/* A process that was killed holds its lock until its memory is gone. */
static bool lock_soon(int descriptor)
{
    for (unsigned tries = 0; flock(descriptor, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (tries == LOCK_TRIES)
            return false;
        usleep(LOCK_WAIT_US);
    }
    return true;
}

/* Makes the folder if it is not there, and takes it for this process alone: the descriptor, which
 * holds the lock, or −1. */
static int take_folder(const char *folder, hy_error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        (void)hy_fail(error, HY_STORAGE, "cannot make the folder '%s': %s", folder,
                      strerror(errno));
        return -1;
    }
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        (void)hy_fail(error, HY_STORAGE, "cannot open the folder '%s': %s", folder,
                      strerror(errno));
    else if (!lock_soon(descriptor)) {
        (void)hy_fail(error, HY_STORAGE, "another process makes tables in '%s'", folder);
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static hy_status check_disk(const hy_rules *rules, unsigned max_counters, const char *folder,
                            hy_error *error)
{
    struct statvfs disk;
    hy_solve_plan plan;
    hy_status status = hy_solve_plan_make(rules, max_counters, folder, &plan, error);
    if (status != HY_OK || statvfs(folder, &disk) != 0)
        return status;
    uint64_t room = (uint64_t)disk.f_bavail * disk.f_frsize;
    if (plan.disk > room)
        return hy_fail(error, HY_STORAGE,
                       "the tables that are missing take %.1f MiB; '%s' has room for %.1f MiB",
                       (double)plan.disk / 1048576, folder, (double)room / 1048576);
    return HY_OK;
}

/* Copies a mapped layer to memory with large pages, where probes are faster. */
static hy_status move_to_memory(hy_layer *layer, hy_error *error)
{
    int8_t *values = hy_map_memory(layer->num);
    if (!values)
        return hy_fail_memory(error);
    memcpy(values, layer->values, layer->num);
    munmap(layer->map, layer->map_size);
    layer->map = values;
    layer->map_size = layer->num;
    layer->values = values;
    return HY_OK;
}

static hy_status solve_missing(hy_endgame *endgame, const char *folder,
                               const hy_solve_options *options, hy_error *error)
{
    hy_status status = map_layers(endgame, folder, true, error);
    for (unsigned i = 0; status == HY_OK && i < endgame->num_layers; i++)
        status = move_to_memory(&endgame->layers[i], error);
    while (status == HY_OK && endgame->num_layers < endgame->max_layers) {
        status = hy_endgame_solve_layer(endgame, HY_METHOD_BEST, options, error);
        if (status == HY_OK)
            status = hy_layer_file_write(endgame, &endgame->layers[endgame->num_layers - 1], folder,
                                         error);
    }
    return status;
}

hy_status hy_solve_folder(const hy_rules *rules, unsigned max_counters, const char *folder,
                          const hy_solve_options *options, hy_error *error)
{
    hy_endgame *endgame;
    hy_status status = hy_endgame_new(rules, max_counters, &endgame, error);
    if (status != HY_OK)
        return status;
    status = hy_solve_check_size(endgame, options ? options->max_memory : 0, error);
    if (status == HY_OK) {
        hy_error fault = {0};
        int lock = take_folder(folder, &fault);
        if (lock < 0)
            status = hy_fail(error, fault.status, "%s", fault.text);
        else {
            status = check_disk(rules, max_counters, folder, error);
            if (status == HY_OK)
                status = solve_missing(endgame, folder, options, error);
            close(lock);
        }
    }
    hy_endgame_destroy(endgame);
    return status;
}

void hy_endgame_hash(const hy_endgame *endgame, char hex[HY_SHA256_HEX_SIZE])
{
    hy_sha256 hash;
    hy_sha256_init(&hash);
    hy_sha256_add_u64(&hash, (uint64_t)endgame->unit);
    for (unsigned i = 0; i < endgame->num_layers; i++) {
        hy_sha256_add_u64(&hash, endgame->layers[i].counters);
        hy_layer_file_add_sums(&endgame->layers[i], &hash);
    }
    hy_sha256_finish(&hash, hex);
}
