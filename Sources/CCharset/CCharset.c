#include "CCharset.h"

#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>
#include <pthread.h>
#include <string.h>

// Only old logs need uchardet, and it brings the library of C++ with it: it is loaded when one is met. These are the functions of
// its header, which nobody then has to install.
static struct {
    void *(*make)(void);
    void (*remove)(void *);
    int (*handle_data)(void *, const char *, size_t);
    void (*data_end)(void *);
    const char *(*get_charset)(void *);
} library;

static bool is_loaded;

static void load(void) {
    void *handle = dlopen("libuchardet.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) { return; }
    library.make = (void *(*)(void))dlsym(handle, "uchardet_new");
    library.remove = (void (*)(void *))dlsym(handle, "uchardet_delete");
    library.handle_data = (int (*)(void *, const char *, size_t))dlsym(handle, "uchardet_handle_data");
    library.data_end = (void (*)(void *))dlsym(handle, "uchardet_data_end");
    library.get_charset = (const char *(*)(void *))dlsym(handle, "uchardet_get_charset");
    is_loaded =
        library.make && library.remove && library.handle_data && library.data_end && library.get_charset;
}

bool cch_detect(const void *bytes, size_t count, char *name, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    name[0] = 0;
    if (!is_loaded) { return false; }
    void *detector = library.make();
    if (!detector) { return true; }
    if (library.handle_data(detector, bytes, count) == 0) {
        library.data_end(detector);
        strncpy(name, library.get_charset(detector), size - 1);
        name[size - 1] = 0;
    }
    library.remove(detector);
    return true;
}

void *cch_open(const char *charset) {
    const iconv_t decoder = iconv_open("UTF-8", charset);
    if (decoder == (iconv_t)-1) { return NULL; }
    char text[16];
    if (cch_decode(decoder, "A\n", 2, text) != 2 || memcmp(text, "A\n", 2) != 0) {
        iconv_close(decoder);
        return NULL;
    }
    return decoder;
}

void cch_close(void *decoder) { iconv_close(decoder); }

size_t cch_decode(void *decoder, const void *bytes, size_t count, char *text) {
    char *from = (char *)bytes, *to = text;
    size_t left = count, room = count * 4;
    if (decoder) { iconv(decoder, NULL, NULL, NULL, NULL); }
    // Some decoders hold a letter until they know that no accent follows it. A call without input writes it.
    while (left > 0 && (!decoder || (iconv(decoder, &from, &left, &to, &room) == (size_t)-1 && errno != E2BIG))) {
        if (decoder) { iconv(decoder, NULL, NULL, &to, &room); }
        const unsigned char byte = (unsigned char)*from;
        if (byte < 0x80) {
            *to++ = (char)byte;
            room--;
        } else {
            *to++ = (char)(0xC0 | byte >> 6);
            *to++ = (char)(0x80 | (byte & 0x3F));
            room -= 2;
        }
        from++;
        left--;
    }
    if (decoder) { iconv(decoder, NULL, NULL, &to, &room); }
    return (size_t)(to - text);
}
