// Looks through the bytes of a log without reading its JSON. Each function says why it is not in Swift.
#ifndef CLOGSCAN_H
#define CLOGSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The hash of an ID, in memory and in the index. In C because cls_find_ids makes the same one.
uint64_t cls_hash_id(const void *bytes, size_t count);

/// Hashes of the IDs that are looked for: a bit for the low 12 bits of each, as cls_hash_id gives it.
typedef struct {
    uint64_t bits[64];
} cls_ids;

/// The first place at or after `from` in the bytes of a log at which the value of `"id"` (or, for links, of `"target"` or
/// `"thread"`) may be one of these IDs, or cannot be told without reading the JSON; `count` when there is none. Keys that
/// are written with escapes are not found. In C because compilers make vectors of it, and because without optimisation
/// Swift takes fifty times as long for it.
size_t cls_find_ids(const char *bytes, size_t count, size_t from, const cls_ids *ids, bool links);

/// Whether a lower-case letter may be written with an escape (`\u0061` to `\u007a`): cls_find_ids may then miss a key.
bool cls_escapes_letters(const char *bytes, size_t count);

/// The index after the last line feed; 0 when there is none. memrchr is GNU's, which Swift's Glibc does not show.
size_t cls_last_line(const char *bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif
