#pragma once

/// Keeps this process alive when another program truncates a file that SQLite shares with other processes in memory
/// (`*-shm`): a read beyond its end then yields zeros instead of SIGBUS. Call it any number of times, but after any
/// other SIGBUS handler is installed: that handler receives all other faults. Reason for C: a signal handler must not
/// allocate or lock, which Swift cannot promise.
void cmapping_guard(void);

/// How often such a read has yielded zeros. Everything read from such a file since then is worthless.
int cmapping_losses(void);
