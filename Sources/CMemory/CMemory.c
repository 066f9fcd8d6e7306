#define _GNU_SOURCE
#include "CMemory.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

void cmemory_configure(void) {
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 256 << 10);
}

// The usual pad of the library. With it, an arena that is not the first grows by single pages.
enum { usual_pad = 128 << 10, wide_pad = 1 << 20 };

void cmemory_widen(void) { mallopt(M_TOP_PAD, wide_pad); }

void cmemory_narrow(void) { mallopt(M_TOP_PAD, usual_pad); }

void cmemory_trim(void) { malloc_trim(0); }

void cmemory_limit(int process, unsigned long long bytes) {
    const struct rlimit limit = {bytes, bytes};
    prlimit(process, RLIMIT_AS, &limit, NULL);
}
