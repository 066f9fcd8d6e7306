#include "CMemory.h"

#include <malloc.h>

void cmemory_configure(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 256 << 10);
}

void cmemory_trim(void) { malloc_trim(0); }
