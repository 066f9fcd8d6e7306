// TOML for Swift by toml++, of which only its headers are used. toml++ is C++ templates, which Swift cannot call without C++
// interoperability in every room above; this one function is all that Kedge needs of it.
// No exception crosses this border, and no assertion of the parser ends the process.
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CTOML_TEXT,
    CTOML_TRUTH,
    CTOML_TABLE,
    /// A number, a date or an array: no setting takes one.
    CTOML_OTHER,
} ctoml_kind;

/// UTF-8 that is valid as long as the call to which it is given; may hold NULs.
typedef struct {
    const char *bytes;
    size_t length;
} ctoml_text;

typedef struct {
    ctoml_kind kind;
    /// The table that it is in; no bytes for the root.
    ctoml_text table;
    bool is_in_table;
    ctoml_text key;
    /// Of CTOML_TEXT.
    ctoml_text text;
    /// Of CTOML_TRUTH.
    bool truth;
    /// Counted from 1.
    size_t line;
} ctoml_entry;

typedef enum {
    CTOML_OK,
    CTOML_NOT_TOML,
    CTOML_NO_MEMORY,
} ctoml_status;

/// Reads `length` bytes of UTF-8. Calls `entry` for what stands in the root and, behind each table there, for what stands in that;
/// tables in those are entries without any. When the status is not CTOML_OK no entry has been given.
/// Calls `error` once for CTOML_NOT_TOML, with the line that is wrong and why.
ctoml_status ctoml_read(
    const char *bytes, size_t length, void *context, void (*entry)(void *context, const ctoml_entry *entry),
    void (*error)(void *context, size_t line, ctoml_text reason));

#ifdef __cplusplus
}
#endif
#endif
