#include "store/database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUSY_MILLISECONDS 10000

/* What the system says of it, where it says something. */
static hy_status fail_at_file(const hy_database *database, const char *doing, hy_error *error)
{
    int cause = sqlite3_system_errno(database->handle);
    const char *text = sqlite3_errmsg(database->handle);
    if (cause == 0)
        return hy_fail(error, HY_STORAGE, "cannot %s in '%s': %s", doing, database->path, text);
    return hy_fail(error, HY_STORAGE, "cannot %s in '%s': %s: %s", doing, database->path, text,
                   strerror(cause));
}

/* To read a journal takes a file beside it. */
static hy_status fail_to_read(const hy_database *database, const char *doing, hy_error *error)
{
    return hy_fail(
        error, HY_STORAGE,
        "cannot %s in '%s': a run of it has not ended in good order, and to read it then "
        "takes leave to write beside it; copy it, with '%s-wal', to a folder of yours",
        doing, database->path, database->path);
}

hy_status hy_database_fail(const hy_database *database, const char *doing, hy_error *error)
{
    if (!database->handle || hy_database_lacks_memory(database))
        return hy_fail_memory(error);
    int code = sqlite3_extended_errcode(database->handle), kind = code & 0xff;
    if (code == SQLITE_IOERR_SHMSIZE)
        return hy_fail(error, HY_STORAGE,
                       "cannot %s in '%s': there is no room for '%s-shm', which an unfinished "
                       "database needs even to be read",
                       doing, database->path, database->path);
    if ((kind == SQLITE_READONLY || kind == SQLITE_CANTOPEN) && database->reads_only)
        return fail_to_read(database, doing, error);
    switch (kind) {
    case SQLITE_NOTADB:
        return hy_fail(error, HY_MISMATCH, "'%s' is not a database of hoyito", database->path);
    case SQLITE_BUSY:
        return hy_fail(error, HY_STORAGE, "cannot %s in '%s': another process is using it", doing,
                       database->path);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return fail_at_file(database, doing, error);
    default:
        return hy_fail(error, HY_STORAGE, "cannot %s in '%s': %s", doing, database->path,
                       sqlite3_errmsg(database->handle));
    }
}

bool hy_database_lacks_memory(const hy_database *database)
{
    int code = sqlite3_extended_errcode(database->handle);
    return (code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM;
}

/* SQLite would open a directory or a device in its own way. */
static hy_status check_file(const char *path, hy_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return hy_fail(error, HY_STORAGE, "cannot open '%s': %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return hy_fail(error, HY_STORAGE, "cannot open '%s': it is a directory", path);
    if (!S_ISREG(status.st_mode))
        return hy_fail(error, HY_STORAGE, "cannot open '%s': it is not a regular file", path);
    if (access(path, R_OK) != 0)
        return hy_fail(error, HY_STORAGE, "cannot open '%s': %s", path, strerror(errno));
    return HY_OK;
}

/* Whether the file's own head says that it is a database of this program, read before anything that
 * could change it or make a journal. The file is SQLite's: another descriptor of it, when closed,
 * would take this process's locks from it (fcntl(2)). The application's number stands at offset 68
 * (sqlite.org/fileformat2.html). */
static hy_status check_head(const hy_database *database, hy_error *error)
{
    uint8_t head[72] = {0};
    sqlite3_file *file = NULL;
    (void)sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    int code = file && file->pMethods ? file->pMethods->xRead(file, head, sizeof head, 0)
                                      : SQLITE_CANTOPEN;
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
        return hy_fail(error, HY_STORAGE, "cannot read '%s': %s", database->path,
                       sqlite3_errstr(code));
    uint32_t id = (uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 |
                  (uint32_t)head[71];
    if (memcmp(head, "SQLite format 3", 16) != 0 || id != HY_APPLICATION_ID)
        return hy_fail(error, HY_MISMATCH, "'%s' is not a database of hoyito", database->path);
    return HY_OK;
}

/* A journal that ends in the name of another one, and SQLite's mark, makes SQLite remove a file of
 * that name (sqlite.org/atomiccommit.html, 5). It is for transactions over several databases, which
 * this program has none of: such a journal comes from elsewhere. */
static hy_status check_journal(const char *path, hy_error *error)
{
    static const uint8_t mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    uint8_t tail[sizeof mark] = {0};
    char *name;
    if (asprintf(&name, "%s-journal", path) < 0)
        return hy_fail_memory(error);
    FILE *file = fopen(name, "rbe");
    bool marked = file && fseek(file, -(long)sizeof tail, SEEK_END) == 0 &&
                  ftell(file) > 0 && /* not the head of one that has just been begun */
                  fread(tail, sizeof tail, 1, file) == 1 && memcmp(tail, mark, sizeof mark) == 0;
    if (file)
        fclose(file);
    hy_status status = HY_OK;
    if (marked)
        status = hy_fail(error, HY_MISMATCH,
                         "'%s' names another journal, which no hoyito makes: it does not belong to "
                         "'%s'",
                         name, path);
    free(name);
    return status;
}

static int open_flags(hy_access access)
{
    switch (access) {
    case HY_ACCESS_READ:
        return SQLITE_OPEN_READONLY;
    case HY_ACCESS_WRITE:
        return SQLITE_OPEN_READWRITE;
    case HY_ACCESS_MEMORY:
        return SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
    }
    return 0;
}

/* What a file could make SQLite take, far above what this program asks of it: the longest value is
 * the blob of a game of HY_LIMIT_MAX_PLIES plies. */
static void set_limits(sqlite3 *handle)
{
    static const struct {
        int which, value;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, 64 << 20},  {SQLITE_LIMIT_SQL_LENGTH, 1 << 17},
        {SQLITE_LIMIT_COLUMN, 100},       {SQLITE_LIMIT_EXPR_DEPTH, 100},
        {SQLITE_LIMIT_ATTACHED, 0},       {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
        {SQLITE_LIMIT_WORKER_THREADS, 0}, {SQLITE_LIMIT_VARIABLE_NUMBER, 100},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        sqlite3_limit(handle, limits[i].which, limits[i].value);
}

/* The size of the cache would be the file's to say otherwise. */
static hy_status distrust(const hy_database *database, hy_error *error)
{
    static const struct {
        int which, value;
    } switches[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_DQS_DDL, 0},        {SQLITE_DBCONFIG_DQS_DML, 0},
    };
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        if (sqlite3_db_config(database->handle, switches[i].which, switches[i].value, NULL) !=
            SQLITE_OK)
            return hy_fail(error, HY_FAILED, "SQLite %s cannot be told to distrust a file",
                           sqlite3_libversion());
    }
    set_limits(database->handle);
    sqlite3_busy_timeout(database->handle, BUSY_MILLISECONDS);
    return hy_database_run(database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", error);
}

/* A name that SQLite would take for a URI, or for a database in memory, is a file's all the same.
 */
static int open_handle(const char *path, hy_access access, hy_database *database)
{
    char *name;
    int flags = open_flags(access) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (asprintf(&name, "%s%s", path[0] == '/' ? "" : "./", path) < 0)
        return SQLITE_NOMEM;
    int code = sqlite3_open_v2(name, &database->handle, flags, NULL);
    free(name);
    return code;
}

static hy_status finish_opening(hy_database *database, int code, bool is_file, hy_error *error)
{
    hy_status status =
        code == SQLITE_OK ? HY_OK : hy_database_fail(database, "open the database", error);
    if (status == HY_OK && is_file)
        status = check_head(database, error);
    if (status == HY_OK)
        status = distrust(database, error);
    if (status != HY_OK)
        hy_database_close(database);
    return status;
}

hy_status hy_database_open(const char *path, hy_access access, hy_database *database,
                           hy_error *error)
{
    *database = (hy_database){.reads_only = access == HY_ACCESS_READ};
    bool is_file = access != HY_ACCESS_MEMORY;
    hy_status status = is_file ? check_file(path, error) : HY_OK;
    if (status == HY_OK && is_file)
        status = check_journal(path, error);
    if (status != HY_OK)
        return status;
    database->path = strdup(path);
    if (!database->path)
        return hy_fail_memory(error);
    return finish_opening(database, open_handle(path, access, database), is_file, error);
}

hy_status hy_database_open_memory(hy_database *database, hy_error *error)
{
    *database = (hy_database){.path = strdup("memory")};
    if (!database->path)
        return hy_fail_memory(error);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY |
                SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    return finish_opening(database, sqlite3_open_v2(":memory:", &database->handle, flags, NULL),
                          false, error);
}

hy_status hy_database_copy(const hy_database *database, FILE *file, hy_error *error)
{
    sqlite3_int64 size;
    unsigned char *bytes = sqlite3_serialize(database->handle, "main", &size, 0);
    if (!bytes)
        return hy_fail_memory(error);
    fwrite(bytes, 1, (size_t)size, file); /* whoever flushes the file sees whether that went well */
    sqlite3_free(bytes);
    return HY_OK;
}

void hy_database_close(hy_database *database)
{
    sqlite3_close(database->handle);
    free(database->path);
    *database = (hy_database){0};
}

hy_status hy_database_run(const hy_database *database, const char *sql, hy_error *error)
{
    if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return hy_database_fail(database, "write", error);
    return HY_OK;
}

hy_status hy_database_prepare(const hy_database *database, const char *sql,
                              sqlite3_stmt **statement, hy_error *error)
{
    if (sqlite3_prepare_v2(database->handle, sql, -1, statement, NULL) != SQLITE_OK)
        return hy_database_fail(database, "read", error);
    return HY_OK;
}

hy_status hy_database_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t size,
                                hy_error *error)
{
    int code = sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_TRANSIENT);
    return code == SQLITE_OK ? HY_OK : hy_fail_memory(error);
}

hy_status hy_database_bind_value(sqlite3_stmt *statement, int index, const sqlite3_value *value,
                                 hy_error *error)
{
    int code = sqlite3_bind_value(statement, index, value);
    return code == SQLITE_OK ? HY_OK : hy_fail_memory(error);
}

hy_status hy_database_step(const hy_database *database, sqlite3_stmt *statement, const char *doing,
                           hy_error *error)
{
    int code = sqlite3_step(statement);
    hy_status status = HY_OK;
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        status = hy_database_fail(database, doing, error);
    sqlite3_reset(statement);
    return status;
}

hy_status hy_database_next(const hy_database *database, sqlite3_stmt *statement, bool *row,
                           hy_error *error)
{
    int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return hy_database_fail(database, "read", error);
    return HY_OK;
}

hy_status hy_database_integer(const hy_database *database, const char *sql, int64_t *value,
                              hy_error *error)
{
    sqlite3_stmt *statement;
    bool row;
    hy_status status = hy_database_prepare(database, sql, &statement, error);
    if (status != HY_OK)
        return status;
    status = hy_database_next(database, statement, &row, error);
    *value = status == HY_OK && row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}
