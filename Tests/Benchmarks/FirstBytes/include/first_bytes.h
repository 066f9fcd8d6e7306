#pragma once
#include <stddef.h>

// Why nothing was measured; 0 for a measurement.
enum first_bytes_problem { FB_NONE, FB_NO_TERMINAL, FB_NO_PROGRAM, FB_ENDED, FB_LATE };

struct first_bytes {
    // From the start of the program until the bytes were read that it was to write.
    double seconds;
    // Processor time of the program until then, of all its threads.
    double processor;
};

// Starts a program on a terminal of its own, waits until it has written the target, and ends it by force.
//
// In C, since what is measured takes a few milliseconds: nothing is allocated, drawn or decoded between two reads.
enum first_bytes_problem first_bytes(char *const *arguments, char *const *environment, int rows, int columns,
                                     const char *target, size_t target_size, double limit, struct first_bytes *result);
