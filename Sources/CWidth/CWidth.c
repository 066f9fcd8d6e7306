#define _XOPEN_SOURCE 700
#include "include/CWidth.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <wchar.h>

static void set_locale(void) {
    setlocale(LC_CTYPE, "");
    // What nl_langinfo calls the charset of the C and POSIX locales, where a terminal of today is UTF-8 all the same.
    if (strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") == 0 && setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        setlocale(LC_CTYPE, "en_US.UTF-8");
}

void cwidth_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_locale);
}

int cwidth_columns(uint32_t scalar) {
    cwidth_prepare();
    return wcwidth((wchar_t)scalar);
}

bool cwidth_is_utf8(void) {
    cwidth_prepare();
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}
