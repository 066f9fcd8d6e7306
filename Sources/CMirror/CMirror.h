// Functions of the C library that Swift does not import, because glibc declares them for GNU programs only.
#ifndef CMIRROR_H
#define CMIRROR_H

/// Lets two files or folders exchange their names in one step (renameat2). Returns 0, or the number of the error.
int cmirror_exchange(const char *one, const char *other);

/// Waits until the disk has everything that was written to the file system of an open file (syncfs). Returns 0, or the number of
/// the error.
int cmirror_sync(int descriptor);

#endif
