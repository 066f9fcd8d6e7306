// Searches the bytes of a log without parsing its JSON. Each function says why it is not in Swift.
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

/// A set of hashes of IDs: one bit for the low 12 bits of each hash that cls_hash_id returns.
typedef struct {
    uint64_t bits[64];
} cls_ids;

/// Finds the first key `"id"` (or, with `links`, `"target"` or `"thread"`) at or after `from` whose value may be one of
/// these IDs, or cannot be compared without parsing the JSON. Returns an offset within that key; `count` when there is
/// none. Keys written with escapes are not found. In C because compilers vectorise it, and because an unoptimised Swift
/// build takes fifty times as long.
size_t cls_find_ids(const char *bytes, size_t count, size_t from, const cls_ids *ids, bool links);

/// True if a lower-case letter may be written with an escape (`\u0061` to `\u007a`): cls_find_ids may then miss a key.
bool cls_escapes_letters(const char *bytes, size_t count);

/// The index after the last line feed; 0 when there is none. memrchr is GNU's, which Swift's Glibc does not show.
size_t cls_last_line(const char *bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif
