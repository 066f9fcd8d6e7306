#define _XOPEN_SOURCE 700
#include "CWidth.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static bool is_terminal_utf8;

// True if the first of these variables that is set names UTF-8. For a locale that this machine does not have, as over
// ssh.
static bool names_utf8(void) {
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL || *value == 0)
            continue;
        const char *charset = strchr(value, '.');
        return charset != NULL && (strncasecmp(charset, ".UTF-8", 6) == 0 || strncasecmp(charset, ".UTF8", 5) == 0);
    }
    return false;
}

static bool is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

static void set_locale(void) {
    is_terminal_utf8 = setlocale(LC_CTYPE, "") != NULL ? is_utf8() : names_utf8();
    // Text is always measured as UTF-8. For a terminal that does not read UTF-8 it is turned into ASCII when it is
    // sent.
    if (!is_utf8() && setlocale(LC_CTYPE, "C.UTF-8") == NULL)
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

bool cwidth_is_terminal_utf8(void) {
    cwidth_prepare();
    return is_terminal_utf8;
}
