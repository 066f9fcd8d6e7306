#pragma once

#include <stdint.h>

/// The symbol to which the linker gives the commit of the sources as its address (`make build`). It is a number: the first seven
/// hexadecimal digits of the commit, times two, and one more if the sources were changed after it. The symbol is weak, since only
/// `make build` defines it; Swift cannot declare such a symbol.
extern const char kedge_commit[] __attribute__((weak));

/// The number; 0 when the program was built in another way.
static inline uint32_t cbuild_commit(void) { return (uint32_t)(uintptr_t)kedge_commit; }

/// An argument of main; NULL after the last one. Reason: Swift's `CommandLine` reads them from /proc, which may not be there.
const char *cbuild_argument(int index);
