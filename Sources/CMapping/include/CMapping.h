#pragma once

/// Lets this process live on when somebody cuts off a file that SQLite shares with other processes in memory (`*-shm`):
/// reading beyond its end gives zeros in place of SIGBUS. Reason for C: a signal handler must not allocate or lock, which Swift
/// cannot promise. May be called often. To be called after any other handler of SIGBUS is set, which is asked for the rest.
void cmapping_guard(void);

/// How often that has happened: what was read from such a file since is worth nothing.
int cmapping_losses(void);
