#include "CSQLite.h"

#include <stddef.h>

void csqlite_disable_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

void csqlite_refuse_quoted_strings(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
}

int csqlite_bind_copy(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
