#define _GNU_SOURCE
#include "CMirror.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int cmirror_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

long cmirror_find(const void *bytes, size_t count, const void *needle, size_t length) {
    const char *found = memmem(bytes, count, needle, length);
    return found ? found - (const char *)bytes : -1;
}
