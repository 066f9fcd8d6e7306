// Controls how the C library uses memory. In C because Swift does not see <malloc.h> and prlimit.
#ifndef CMEMORY_H
#define CMEMORY_H

/// Makes malloc return memory to the system soon: two arenas for all threads (each arena keeps its own free memory; with
/// one, the thread of the screen and that of the store wait for each other at the start), and buffers of 128 KiB and more
/// always as mappings of their own. Call it before the first thread starts.
void cmemory_configure(void);

/// Lets each arena have room for all that the first frame needs: else malloc asks the system again and again, for a page at a
/// time. The system gives the pages only when they are used. Call it before the first thread starts.
void cmemory_widen(void);

/// Ends that: from now on malloc keeps as little free memory as before.
void cmemory_narrow(void);

/// Returns the memory that malloc keeps for later to the system.
void cmemory_trim(void);

/// Limits the memory that another process may have.
void cmemory_limit(int process, unsigned long long bytes);

#endif
