// How the C library of this process uses memory. In C because Swift does not see <malloc.h>.
#ifndef CMEMORY_H
#define CMEMORY_H

/// Makes malloc return memory to the system soon: one arena for all threads (each arena keeps its own free memory), and
/// buffers of 128 KiB and more always as mappings of their own. Call it before the first thread starts.
void cmemory_configure(void);

/// Returns the memory that malloc keeps for later to the system.
void cmemory_trim(void);

#endif
