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

void cmemory_widen(void) {
    // Just below what would be mappings of their own.
    void *volatile blocks[2] = {malloc(120 << 10), malloc(120 << 10)};
    free(blocks[1]);
    free(blocks[0]);
}

void cmemory_trim(void) { malloc_trim(0); }

void cmemory_limit(int process, unsigned long long bytes) {
    const struct rlimit limit = {bytes, bytes};
    prlimit(process, RLIMIT_AS, &limit, NULL);
}
