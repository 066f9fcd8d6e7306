#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Makes LC_CTYPE a UTF-8 locale, once: the environment's, or else C.UTF-8. Reason for C: `setlocale` sets hidden
/// global state that every later `wcwidth` and all of ncurses read.
void cwidth_prepare(void);

/// libc's `wcwidth`, in the locale of `cwidth_prepare`. Reason for C: glibc hides it behind _XOPEN_SOURCE.
int cwidth_columns(uint32_t scalar);

/// True if the environment says that the terminal reads UTF-8. Reason for C: `nl_langinfo` is a macro-typed view of the
/// same hidden state.
bool cwidth_is_terminal_utf8(void);
