#include "CArchive.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

// libarchive brings ten other libraries, among them one for XML, which the system would load at each start of the program: it is
// loaded when something has to be unpacked.
#define FUNCTIONS(each) \
    each(archive_read_new) each(archive_read_free) each(archive_error_string) each(archive_read_support_filter_all) \
    each(archive_read_support_format_zip) each(archive_read_support_format_tar) each(archive_read_support_format_raw) \
    each(archive_read_open_filename) each(archive_read_next_header) each(archive_read_data) each(archive_format) \
    each(archive_filter_count) each(archive_entry_filetype) each(archive_entry_pathname_utf8) \
    each(archive_entry_pathname) each(archive_entry_size) each(archive_entry_size_is_set)

static struct {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
} library;

/// Returns false if the library is not installed. Called by one thread at a time, as the mirror's lock sees to it; another call
/// would find the same functions.
static int load(void) {
    void *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!handle) { return 0; }
#define FIND(name) \
    if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) { return 0; }
    FUNCTIONS(FIND)
    return 1;
}

static _Thread_local char reason[256];

static carchive_status fail(struct archive *archive, carchive_status status, const char **message) {
    const char *text = archive ? library.archive_error_string(archive) : NULL;
    strncpy(reason, text ? text : "unknown reason", sizeof reason - 1);
    *message = reason;
    if (archive) { library.archive_read_free(archive); }
    return status;
}

/// Reads one file. Returns CARCHIVE_OK after its last byte, and when its rest is not wanted: `wanted` is 0 then.
static carchive_status read_file(
    struct archive *archive, int (*give)(void *, const void *, size_t), void *context, int *wanted) {
    char buffer[1 << 16];
    for (;;) {
        const la_ssize_t count = library.archive_read_data(archive, buffer, sizeof buffer);
        if (count == 0) { return CARCHIVE_OK; }
        if (count == ARCHIVE_RETRY) { continue; }
        if (count < 0) { return CARCHIVE_DAMAGED; }
        *wanted = give(context, buffer, (size_t)count);
        if (*wanted < 0) { return CARCHIVE_STOPPED; }
        if (*wanted == 0) { return CARCHIVE_OK; }
    }
}

carchive_status carchive_read(
    const char *path, int (*begin)(void *context, const char *name, int64_t size),
    int (*give)(void *context, const void *bytes, size_t count), bool (*end)(void *context), void *context,
    const char **message) {
    if (!load()) {
        strncpy(reason, "libarchive is not installed (Debian: libarchive13)", sizeof reason - 1);
        *message = reason;
        return CARCHIVE_MISSING;
    }
    struct archive *archive = library.archive_read_new();
    if (!archive) { return fail(NULL, CARCHIVE_NO_MEMORY, message); }
    library.archive_read_support_filter_all(archive);
    library.archive_read_support_format_zip(archive);
    library.archive_read_support_format_tar(archive);
    library.archive_read_support_format_raw(archive);
    if (library.archive_read_open_filename(archive, path, 1 << 16) != ARCHIVE_OK) {
        return fail(archive, CARCHIVE_UNKNOWN, message);
    }
    struct archive_entry *entry;
    for (;;) {
        const int status = library.archive_read_next_header(archive, &entry);
        if (status == ARCHIVE_EOF) { break; }
        if (status == ARCHIVE_RETRY) { continue; }
        if (status < ARCHIVE_WARN) { return fail(archive, CARCHIVE_DAMAGED, message); }
        // The raw format takes any file: it counts only where something was compressed.
        if (library.archive_format(archive) == ARCHIVE_FORMAT_RAW && library.archive_filter_count(archive) < 2) {
            return fail(archive, CARCHIVE_UNKNOWN, message);
        }
        if (library.archive_entry_filetype(entry) != AE_IFREG && library.archive_format(archive) != ARCHIVE_FORMAT_RAW) { continue; }
        const int is_raw = library.archive_format(archive) == ARCHIVE_FORMAT_RAW;
        const char *name = is_raw ? "" : library.archive_entry_pathname_utf8(entry);
        if (!name) { name = library.archive_entry_pathname(entry); }
        if (!name) { continue; }
        int wanted = begin(context, name, library.archive_entry_size_is_set(entry) ? library.archive_entry_size(entry) : -1);
        if (wanted < 0) { return fail(archive, CARCHIVE_STOPPED, message); }
        if (wanted == 0) { continue; }
        const carchive_status result = read_file(archive, give, context, &wanted);
        if (result != CARCHIVE_OK) { return fail(archive, result, message); }
        if (wanted && !end(context)) { return fail(archive, CARCHIVE_STOPPED, message); }
    }
    library.archive_read_free(archive);
    return CARCHIVE_OK;
}
