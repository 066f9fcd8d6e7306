// JSON for Swift by simdjson's on-demand parser. simdjson consists of C++ templates and inline functions, which Swift
// cannot call without C++ interoperability in every room above; Kedge needs no more of it than these few functions. No
// exception crosses this border. Not thread-safe: use a parser on one thread only.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number of readable bytes that should follow the JSON; with fewer, the parser works on a copy.
enum { csj_padding = 64 };

typedef enum {
    CSJ_ABSENT,
    CSJ_NULL,
    /// Unescaped, valid UTF-8; may hold NULs.
    CSJ_STRING,
    /// As it is written; a double may not be able to hold it.
    CSJ_NUMBER,
    CSJ_TRUE,
    CSJ_FALSE,
    /// As it is written; its contents are not checked.
    CSJ_OBJECT,
    CSJ_ARRAY,
} csj_kind;

typedef struct {
    csj_kind kind;
    /// Valid until the parser's next call, and no longer than the JSON itself.
    const char *bytes;
    size_t length;
} csj_value;

typedef enum {
    CSJ_OK,
    CSJ_NOT_JSON,
    /// JSON, but not an object (csj_read_object) or an array (csj_read_array).
    CSJ_WRONG_KIND,
    CSJ_NO_MEMORY,
} csj_status;

typedef struct csj_parser csj_parser;

/// Creates a parser that reads the keys in `names` (separated by single spaces) of objects; NULL when there is no
/// memory. Wrapped because a constructor has no name in C, and the parser's size must stay unknown outside.
csj_parser *csj_parser_create(const char *names);
void csj_parser_destroy(csj_parser *parser);

/// Gives back the memory that a long document has needed. The values of the last call are no longer valid.
void csj_parser_trim(csj_parser *parser);

/// Reads the one object that fills `length` bytes (white space may surround it, anything else is an error); `capacity`
/// bytes are readable. Sets `*values` to one value for each key, in the order of the names; the last of repeated keys
/// counts. Lone surrogates (`\ud800`) and invalid UTF-8 become U+FFFD. Wrapped because it is a C++ template over
/// lambdas.
csj_status csj_read_object(
    csj_parser *parser, const char *bytes, size_t length, size_t capacity, const csj_value **values);

/// Calls `element` for each object in an array, until it returns false. Other elements are passed over; with `is_strict`
/// the first of them gives CSJ_WRONG_KIND. When the status is not CSJ_OK some elements may have been given all the same.
/// Repairs as csj_read_object does.
csj_status csj_read_array(
    csj_parser *parser, const char *bytes, size_t length, size_t capacity, bool is_strict,
    bool (*element)(void *context, const csj_value *values), void *context);

/// Calls `element` for each string in an array. Otherwise as csj_read_array.
csj_status csj_read_strings(
    csj_parser *parser, const char *bytes, size_t length, size_t capacity, bool is_strict,
    void (*element)(void *context, const char *bytes, size_t length), void *context);

/// Parses whole documents, one at a time, into the tape of simdjson (github.com/simdjson/simdjson, doc/tape.md), which Swift
/// walks by itself: a call for each value would cost more than the parsing.
typedef struct csj_tree csj_tree;

/// NULL when there is no memory.
csj_tree *csj_tree_create(void);
void csj_tree_destroy(csj_tree *tree);

/// Parses the document that fills `length` bytes; `capacity` bytes are readable. Sets `*tape` and `*strings`, which are valid
/// until the next call. Repairs as csj_read_object does. Wrapped because it is C++.
csj_status csj_tree_parse(
    csj_tree *tree, const char *bytes, size_t length, size_t capacity, const uint64_t **tape, const uint8_t **strings);

/// Writes the bytes as a JSON string holds them, with backslashes, to `escaped`, which has room for six times as many, and
/// returns how many it wrote. `*has_high` tells whether there is anything but ASCII among them. A loop over bytes, as above.
size_t csj_escape(const char *bytes, size_t length, char *escaped, bool *has_high);

/// Returns true if the bytes are valid UTF-8.
bool csj_is_utf8(const char *bytes, size_t length);

/// The offset after the object or array that begins at `bytes[0]`, by its brackets and strings alone: its inside need not be
/// JSON. 0 if it does not end within `length` bytes. A loop over bytes, as above.
size_t csj_value_end(const char *bytes, size_t length);

/// The state of the scan of a value; all zero at the start.
typedef struct {
    size_t depth;
    bool is_string, is_escaped, is_end;
} csj_scan;

/// Goes on with a value of any kind, whose text may come in pieces. Returns how many of the bytes belong to it: all of them unless
/// `is_end`. A number or a word ends before the byte that ends it. Looks at brackets and strings alone, as csj_value_end does.
size_t csj_scan_on(csj_scan *scan, const char *bytes, size_t length);

/// The first place where some other bytes stand in `bytes`; `length` if they stand nowhere. Wrapped because memmem is no part of
/// the standard, and Swift does not see it.
size_t csj_find(const char *bytes, size_t length, const char *part, size_t part_length);

/// The offset of the first line that consists of exactly `indentation` blanks and an opening brace (and more); 0 if there is
/// none. The first line does not count. A loop over bytes, as above.
size_t csj_next_record(const char *bytes, size_t length, size_t indentation);

#ifdef __cplusplus
}
#endif
#endif
