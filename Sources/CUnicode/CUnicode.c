#include "CUnicode.h"

#include <utf8proc.h>

size_t cu_fold(uint32_t scalar, uint32_t *scalars, size_t capacity) {
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    utf8proc_ssize_t count = utf8proc_decompose_char(
        (utf8proc_int32_t)scalar, (utf8proc_int32_t *)scalars, (utf8proc_ssize_t)capacity, options, NULL);
    return count < 0 ? 0 : (size_t)count < capacity ? (size_t)count : capacity;
}
