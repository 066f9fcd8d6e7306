// Regular expressions by RE2, whose time grows with the length of a text only, whatever a person types: no pattern and no text
// can make it run on. RE2 is C++; no exception crosses this border.
#ifndef CREGEX_H
#define CREGEX_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern. Any number of threads may use it at once.
typedef struct cr_pattern cr_pattern;

/// Compiles a pattern in RE2's syntax. It ignores case unless it says `(?-i)`, and `^` and `$` are the ends of lines.
/// Returns NULL if the pattern is not valid, and writes RE2's reason, without control characters of its own and ended by a NUL,
/// into `reason`, which has room for `capacity` bytes (at least 1). The pattern must be released by `cr_free`.
cr_pattern *cr_compile(const char *bytes, size_t count, char *reason, size_t capacity);

void cr_free(cr_pattern *pattern);

/// Finds the first match in `bytes`, which is UTF-8, at `start` or after it. What is before `start` counts for `^` and `\b`.
/// Returns false if there is none; else `*lower` and `*upper` are its byte offsets, which may be equal.
bool cr_find(
    const cr_pattern *pattern, const char *bytes, size_t count, size_t start, size_t *lower, size_t *upper);

#ifdef __cplusplus
}
#endif

#endif
