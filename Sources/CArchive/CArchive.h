// Unpacks archives by libarchive (zip, tar, gz, zst). Its own header declares types by macros that Swift does not import on
// all systems, and its loop over entries would cross the border a dozen times for each.
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    CARCHIVE_OK,
    /// Not an archive or compressed file that libarchive reads.
    CARCHIVE_UNKNOWN,
    /// It ends too early or is damaged; what came before is given.
    CARCHIVE_DAMAGED,
    /// `begin`, `give` or `end` asked for it.
    CARCHIVE_STOPPED,
    CARCHIVE_NO_MEMORY,
    /// libarchive is not installed.
    CARCHIVE_MISSING,
} carchive_status;

/// Reads the regular files of an archive, or the one file of a compressed one, in order.
/// - begin: called with the name of each file (UTF-8 or the bytes that the archive has; empty for the one file of a compressed
///   one, whatever name that had) and its size (-1 if unknown); returns 1 to
///   read it, 0 to pass over it, -1 to stop.
/// - give: called with parts of the file; returns 1 to go on, 0 to pass over its rest, -1 to stop.
/// - end: called after each file that was read whole.
/// - message: set to the reason, for people; valid until the next call on this thread.
carchive_status carchive_read(
    const char *path, int (*begin)(void *context, const char *name, int64_t size),
    int (*give)(void *context, const void *bytes, size_t count), bool (*end)(void *context), void *context,
    const char **message);

#endif
