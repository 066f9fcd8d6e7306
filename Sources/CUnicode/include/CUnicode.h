// What Unicode says of a character, by utf8proc. Its functions take options as one enumeration with values or-ed together,
// which Swift imports as an enumeration that cannot hold them. And one loop over bytes.
#ifndef CUNICODE_H
#define CUNICODE_H

#include <stddef.h>
#include <stdint.h>

/// The character without what case, ligatures and full-width forms add to it (Unicode's NFKD of its case folding, without
/// default ignorables), written to `scalars`, at most `capacity` of them (18 are always enough). Returns how many.
size_t cu_fold(uint32_t scalar, uint32_t *scalars, size_t capacity);

/// The first place in `bytes` at which `key` stands in whatever case, or something that may fold to it: a byte that is
/// not ASCII, or a `\u` as JSON escapes a character. `count` when there is none. The key is ASCII in lower case; an empty
/// one is nowhere. In C because compilers make vectors of it, and because without optimisation Swift takes fifty times
/// as long for it.
size_t cu_find(const uint8_t *bytes, size_t count, const uint8_t *key, size_t length);

#endif
