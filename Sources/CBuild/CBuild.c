#include "CBuild.h"

#include <stddef.h>

static int count;
static char **values;

// The loader calls this with the arguments of main, before main.
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    values = argv;
}

const char *cbuild_argument(int index) { return index >= 0 && index < count ? values[index] : NULL; }
