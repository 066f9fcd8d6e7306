#define _GNU_SOURCE
#include "CMemory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

// Linux 5.14 and later.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

// Where the linker has put the variables of the program: those with a value at the start, and those without.
extern char __data_start[], __bss_start[], _end[];

static const uintptr_t page = 4096;
static const uintptr_t most_data = 256 << 10;

static void populate(uintptr_t start, uintptr_t end) {
    start &= ~(page - 1);
    end = (end + page - 1) & ~(page - 1);
    // Where the system cannot, the pages come one by one.
    if (start < end)
        madvise((void *)start, end - start, MADV_POPULATE_WRITE);
}

void cmemory_configure(void) {
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 256 << 10);
    const uintptr_t data = (uintptr_t)__data_start, bss = (uintptr_t)__bss_start;
    populate(data, data < bss && bss - data < most_data ? bss : data + most_data);
    populate(bss, (uintptr_t)_end);
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
