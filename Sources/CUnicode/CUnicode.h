// Folds characters by utf8proc, and searches bytes. Wrapped because utf8proc takes options as one enumeration with
// values or-ed together, which Swift imports as an enumeration that cannot hold them.
#ifndef CUNICODE_H
#define CUNICODE_H

#include <stddef.h>
#include <stdint.h>

/// Folds a character: removes differences of case, ligatures and full-width forms (Unicode's NFKD of its case folding,
/// without default ignorables). Writes at most `capacity` scalars (18 are always enough), and returns their number.
size_t cu_fold(uint32_t scalar, uint32_t *scalars, size_t capacity);

/// The first position in `bytes` at which `key` stands in any case, or at which something stands that may fold to it: a
/// byte that is not ASCII, or a `\u` as JSON escapes a character. `count` when there is none. The key is ASCII in lower
/// case; an empty key is found nowhere. In C because compilers vectorise it, and because an unoptimised Swift build
/// takes fifty times as long.
size_t cu_find(const uint8_t *bytes, size_t count, const uint8_t *key, size_t length);

#endif
