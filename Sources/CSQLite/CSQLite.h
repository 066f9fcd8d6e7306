// SQLite, and a wrapper for a function that takes a macro.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Binds a copy of a text. Reason for C: `SQLITE_TRANSIENT` is a macro with a cast.
int csqlite_bind_copy(sqlite3_stmt *statement, int index, const char *text, int length);

#endif
