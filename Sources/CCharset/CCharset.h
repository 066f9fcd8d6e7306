#ifndef CCHARSET_H
#define CCHARSET_H

#include <stdbool.h>
#include <stddef.h>

/// Finds the character set of some text by statistics. Writes its name, which may be empty, and returns false if no library that
/// finds it is installed.
bool cch_detect(const void *bytes, size_t count, char *name, size_t size);

/// A decoder of a character set; NULL if the C library does not know it, or if a line in it does not end with a line feed.
void *cch_open(const char *charset);
void cch_close(void *decoder);

/// Decodes bytes to UTF-8; without a decoder, from Latin-1. A byte that is no part of a character becomes the character with its number, so that none is lost.
/// `text` has room for four bytes a byte. Returns the number of bytes that were written.
size_t cch_decode(void *decoder, const void *bytes, size_t count, char *text);

#endif
