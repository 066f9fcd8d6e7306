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

/// The name of a file system layer for SQLite that ends each page of a database with a checksum, and takes a page that differs from its
/// checksum for damage (SQLITE_CORRUPT): SQLite itself believes any value within a page. The log beside a database has checksums of
/// SQLite's own. NULL if the layer cannot be made. Reason for C: SQLite calls it through tables of C functions.
/// - Parameter version: databases that say an older `user_version` have no checksums.
const char *csqlite_checked_files(int version);

/// Makes room for the checksums in a database that has no page yet.
void csqlite_reserve_checksums(sqlite3 *database);

#endif
