#include "CSQLite.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

void csqlite_disable_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

void csqlite_refuse_quoted_strings(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
}

int csqlite_bind_copy(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

// MARK: Checksums of pages

// The bytes that SQLite leaves free at the end of each page. A page says how many in its header; no single bit makes none of 12.
enum { reserved = 12 };

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    // Whether the database is an older one, without checksums.
    int isPlain;
} CheckedFile;

static sqlite3_vfs *system_files;
static sqlite3_vfs checked_files;
static int checked_version;

static sqlite3_file *real(sqlite3_file *file) { return ((CheckedFile *)file)->real; }

static uint64_t checksum(const unsigned char *page, int count, uint64_t number) {
    const uint64_t factor = 0x9E3779B97F4A7C15u;
    // Four sums, since each step of one of them waits for the step before. Each step can be undone, so that one changed word
    // always changes its sum.
    uint64_t sums[4] = {number, factor, ~factor, (uint64_t)count};
    for (int offset = 0; offset + 8 <= count; offset += 8) {
        uint64_t word;
        memcpy(&word, page + offset, 8);
        uint64_t mixed = (sums[offset / 8 % 4] ^ word) * factor;
        sums[offset / 8 % 4] = mixed ^ mixed >> 32;
    }
    return ((sums[0] * factor ^ sums[1]) * factor ^ sums[2]) * factor ^ sums[3];
}

static int is_page(int count, sqlite3_int64 offset) {
    return count >= 512 && (count & (count - 1)) == 0 && offset % count == 0;
}

static int checked_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int checked_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    CheckedFile *checked = (CheckedFile *)file;
    int code = real(file)->pMethods->xRead(real(file), bytes, count, offset);
    if (!is_page(count, offset)) return code;
    // SQLite would take a page that was cut off for an empty one.
    if (code == SQLITE_IOERR_SHORT_READ) return SQLITE_CORRUPT;
    if (code != SQLITE_OK) return code;
    const unsigned char *page = bytes;
    if (offset == 0) {
        int size = page[16] << 8 | page[17];
        // SQLite reads the page again, with the size that it says.
        if ((size == 1 ? 65536 : size) != count) return SQLITE_OK;
        uint32_t version = (uint32_t)page[60] << 24 | page[61] << 16 | page[62] << 8 | page[63];
        checked->isPlain = page[20] == 0 && version < (uint32_t)checked_version;
    }
    if (checked->isPlain) return SQLITE_OK;
    uint64_t sum = checksum(page, count - 8, (uint64_t)(offset / count));
    return memcmp(&sum, page + count - 8, 8) == 0 ? SQLITE_OK : SQLITE_CORRUPT;
}

static int checked_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (is_page(count, offset) && !((CheckedFile *)file)->isPlain) {
        // SQLite neither reads nor writes the reserved bytes of its buffer.
        unsigned char *page = (unsigned char *)bytes;
        uint64_t sum = checksum(page, count - 8, (uint64_t)(offset / count));
        memcpy(page + count - 8, &sum, 8);
    }
    return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int checked_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return real(file)->pMethods->xTruncate(real(file), size);
}
static int checked_sync(sqlite3_file *file, int flags) { return real(file)->pMethods->xSync(real(file), flags); }
static int checked_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}
static int checked_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int checked_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int checked_is_reserved(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int checked_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int checked_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int checked_traits(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
static int checked_map(sqlite3_file *file, int region, int size, int extends, void volatile **address) {
    return real(file)->pMethods->xShmMap(real(file), region, size, extends, address);
}
static int checked_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void checked_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int checked_unmap(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

// Version 2 has no mapped pages: those would be read without this layer.
static const sqlite3_io_methods checked_methods = {
    2, checked_close, checked_read, checked_write, checked_truncate, checked_sync, checked_size, checked_lock,
    checked_unlock, checked_is_reserved, checked_control, checked_sector, checked_traits, checked_map,
    checked_shared_lock, checked_barrier, checked_unmap, NULL, NULL,
};

static int checked_open(
    sqlite3_vfs *files, const char *name, sqlite3_file *file, int flags, int *opened) {
    (void)files;
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return system_files->xOpen(system_files, name, file, flags, opened);
    CheckedFile *checked = (CheckedFile *)file;
    memset(checked, 0, sizeof *checked);
    checked->real = (sqlite3_file *)(checked + 1);
    int code = system_files->xOpen(system_files, name, checked->real, flags, opened);
    if (code == SQLITE_OK) checked->base.pMethods = &checked_methods;
    return code;
}

const char *csqlite_checked_files(int version) {
    checked_version = version;
    if (checked_files.zName) return checked_files.zName;
    system_files = sqlite3_vfs_find(NULL);
    if (!system_files) return NULL;
    checked_files = *system_files;
    checked_files.zName = "kedge";
    checked_files.pNext = NULL;
    checked_files.szOsFile = (int)sizeof(CheckedFile) + system_files->szOsFile;
    checked_files.xOpen = checked_open;
    return sqlite3_vfs_register(&checked_files, 0) == SQLITE_OK ? checked_files.zName : NULL;
}

void csqlite_reserve_checksums(sqlite3 *database) {
    int count = reserved;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}
