#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Keeps this process alive when another program truncates a mapped file: a read beyond its end then yields zeros instead of SIGBUS,
/// and `cmapping_is_cut` tells it. Call it after any other SIGBUS handler is installed: that handler receives all other faults. Reason
/// for C: a signal handler must not allocate or lock, which Swift cannot promise.
/// Returns a number for the functions below; -1 if too many files are watched.
int cmapping_watch(const void *address, size_t size);

/// Ends the watch, before the file is unmapped. Ignores -1.
void cmapping_unwatch(int number);

/// Returns true if zeros were read from the file. Everything read from it since then is worthless.
bool cmapping_is_cut(int number);
