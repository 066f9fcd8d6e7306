// SQLite, and wrappers for the functions that Swift cannot call: variadic ones, and one that takes a macro.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Turns off SQLite's memory statistics: each allocation takes a lock for them that all connections share. Has no
/// effect after a connection has been opened. Reason for C: `sqlite3_config` is variadic.
void csqlite_disable_statistics(void);

/// Makes text in double quotes always the name of a column and never a string, so that a misspelt column is an error.
/// Reason for C: `sqlite3_db_config` is variadic.
void csqlite_refuse_quoted_strings(sqlite3 *database);

/// Binds a copy of a text. Reason for C: `SQLITE_TRANSIENT` is a macro with a cast.
int csqlite_bind_copy(sqlite3_stmt *statement, int index, const char *text, int length);

#endif
