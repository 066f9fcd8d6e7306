#define _GNU_SOURCE
#include "CMirror.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int cmirror_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

int cmirror_sync(int descriptor) { return syncfs(descriptor) == 0 ? 0 : errno; }
