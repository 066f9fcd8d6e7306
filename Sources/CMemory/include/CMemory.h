// How the C libraries of this process use memory. In C because Swift sees neither <malloc.h> nor variadic functions.
#ifndef CMEMORY_H
#define CMEMORY_H

/// Makes malloc return memory to the system soon: one arena for all threads (each arena keeps its own free memory), and
/// buffers of 128 KiB and more always as mappings of their own. Call it before the first thread starts.
void cmemory_configure(void);

/// Returns the memory that malloc keeps for later to the system.
void cmemory_trim(void);

/// Turns SQLite's memory statistics off: they take a lock that is common to all connections at each allocation. Without
/// effect once a connection has been opened. Reason for C: `sqlite3_config` is variadic.
void cmemory_disable_sqlite_statistics(void);

#endif
