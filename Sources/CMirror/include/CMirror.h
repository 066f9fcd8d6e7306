// Two functions of the C library that Swift does not import, because glibc declares them for GNU programs only.
#ifndef CMIRROR_H
#define CMIRROR_H

#include <stddef.h>

/// Lets two files or folders exchange their names in one step (renameat2). Returns 0, or the number of the error.
int cmirror_exchange(const char *one, const char *other);

/// The offset of the first occurrence of `needle` in `bytes` (memmem); -1 if there is none.
long cmirror_find(const void *bytes, size_t count, const void *needle, size_t length);

#endif
