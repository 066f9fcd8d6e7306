#include "CArchive.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>

static _Thread_local char reason[256];

static carchive_status fail(struct archive *archive, carchive_status status, const char **message) {
    const char *text = archive ? archive_error_string(archive) : NULL;
    strncpy(reason, text ? text : "unknown reason", sizeof reason - 1);
    *message = reason;
    if (archive) { archive_read_free(archive); }
    return status;
}

/// Reads one file. Returns CARCHIVE_OK after its last byte.
static carchive_status read_file(
    struct archive *archive, bool (*give)(void *, const void *, size_t), void *context) {
    static _Thread_local char buffer[1 << 16];
    for (;;) {
        const la_ssize_t count = archive_read_data(archive, buffer, sizeof buffer);
        if (count == 0) { return CARCHIVE_OK; }
        if (count == ARCHIVE_RETRY) { continue; }
        if (count < 0) { return CARCHIVE_DAMAGED; }
        if (!give(context, buffer, (size_t)count)) { return CARCHIVE_STOPPED; }
    }
}

carchive_status carchive_read(
    const char *path, int (*begin)(void *context, const char *name, int64_t size),
    bool (*give)(void *context, const void *bytes, size_t count), bool (*end)(void *context), void *context,
    const char **message) {
    struct archive *archive = archive_read_new();
    if (!archive) { return fail(NULL, CARCHIVE_NO_MEMORY, message); }
    archive_read_support_filter_all(archive);
    archive_read_support_format_zip(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_format_raw(archive);
    if (archive_read_open_filename(archive, path, 1 << 16) != ARCHIVE_OK) {
        return fail(archive, CARCHIVE_UNKNOWN, message);
    }
    struct archive_entry *entry;
    for (;;) {
        const int status = archive_read_next_header(archive, &entry);
        if (status == ARCHIVE_EOF) { break; }
        if (status == ARCHIVE_RETRY) { continue; }
        if (status < ARCHIVE_WARN) { return fail(archive, CARCHIVE_DAMAGED, message); }
        // The raw format takes any file: it counts only where something was compressed.
        if (archive_format(archive) == ARCHIVE_FORMAT_RAW && archive_filter_count(archive) < 2) {
            return fail(archive, CARCHIVE_UNKNOWN, message);
        }
        if (archive_entry_filetype(entry) != AE_IFREG && archive_format(archive) != ARCHIVE_FORMAT_RAW) { continue; }
        const char *name = archive_entry_pathname_utf8(entry);
        if (!name) { name = archive_entry_pathname(entry); }
        if (!name) { continue; }
        const int wanted = begin(context, name, archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1);
        if (wanted < 0) { return fail(archive, CARCHIVE_STOPPED, message); }
        if (wanted == 0) { continue; }
        const carchive_status result = read_file(archive, give, context);
        if (result != CARCHIVE_OK) { return fail(archive, result, message); }
        if (!end(context)) { return fail(archive, CARCHIVE_STOPPED, message); }
    }
    archive_read_free(archive);
    return CARCHIVE_OK;
}
