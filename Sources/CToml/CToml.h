// TOML for Swift by toml++, of which only the headers are used. toml++ consists of C++ templates, which Swift cannot
// call without C++ interoperability in every room above; Kedge needs no more of it than this one function. No exception
// crosses this border, and no assertion of the parser ends the process.
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CTOML_TEXT,
    CTOML_BOOLEAN,
    CTOML_INTEGER,
    CTOML_TABLE,
    /// An array of texts, also an empty one.
    CTOML_TEXTS,
    /// Another number, a date or another array, which no setting takes.
    CTOML_OTHER,
} ctoml_kind;

/// UTF-8 that is valid during the call that receives it; may hold NULs.
typedef struct {
    const char *bytes;
    size_t length;
} ctoml_text;

typedef struct {
    ctoml_kind kind;
    /// The table that holds the entry, as `outer.inner`; empty for the root.
    ctoml_text table;
    bool is_in_table;
    ctoml_text key;
    /// For CTOML_TEXT.
    ctoml_text text;
    /// For CTOML_TEXTS; valid during the call.
    const ctoml_text *texts;
    size_t text_count;
    /// For CTOML_BOOLEAN.
    bool boolean;
    /// For CTOML_INTEGER.
    int64_t integer;
    /// Counted from 1.
    size_t line;
} ctoml_entry;

typedef enum {
    CTOML_OK,
    CTOML_NOT_TOML,
    CTOML_NO_MEMORY,
} ctoml_status;

/// Reads `length` bytes of UTF-8. Calls `entry` for each entry of the root and, after each table there, for the entries
/// of that table, and so for the tables in it, whose names are written as `outer.inner`; a table within those is an entry without
/// contents. Calls no `entry` unless the status is CTOML_OK.
/// Calls `error` once for CTOML_NOT_TOML, with the line and the reason.
ctoml_status ctoml_read(
    const char *bytes, size_t length, void *context, void (*entry)(void *context, const ctoml_entry *entry),
    void (*error)(void *context, size_t line, ctoml_text reason));

#ifdef __cplusplus
}
#endif
#endif
