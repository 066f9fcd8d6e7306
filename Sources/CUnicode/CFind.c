#include "CUnicode.h"

#include <stdbool.h>

enum { chunk = 64 };

static inline bool stands_at(const uint8_t *bytes, size_t count, const uint8_t *key, size_t length) {
    if (length == 0 || length > count) { return false; }
    for (size_t i = 0; i < length; i++) {
        if ((bytes[i] | 0x20) != key[i]) { return false; }
    }
    return true;
}

static inline bool is_candidate(const uint8_t *bytes, size_t count, const uint8_t *key, size_t length) {
    return bytes[0] >= 0x80 || (bytes[0] == '\\' && count > 1 && bytes[1] == 'u')
        || stands_at(bytes, count, key, length);
}

size_t cu_find(const uint8_t *bytes, size_t count, const uint8_t *key, size_t length) {
    // The first and the last byte of the key are rarely found at this distance (Mula, "SIMD-friendly algorithms for
    // substring searching"). 0xFF is not ASCII, and so found anyway.
    const uint8_t first = length > 0 ? key[0] : 0xFF;
    const uint8_t last = length > 0 ? key[length - 1] : 0xFF;
    const size_t distance = length > 0 ? length - 1 : 0;
    const size_t reach = distance > 1 ? distance : 1;
    size_t at = 0;
    while (count >= chunk + reach && at <= count - chunk - reach) {
        uint8_t any = 0;
        // No early exit, so that the compiler vectorises the loop.
        for (size_t i = at; i < at + chunk; i++) {
            any |= ((bytes[i] | 0x20) == first) & ((bytes[i + distance] | 0x20) == last);
            any |= (bytes[i] == '\\') & (bytes[i + 1] == 'u');
            any |= bytes[i] >> 7;
        }
        if (any) {
            for (size_t i = at; i < at + chunk; i++) {
                if (is_candidate(bytes + i, count - i, key, length)) { return i; }
            }
        }
        at += chunk;
    }
    while (at < count && !is_candidate(bytes + at, count - at, key, length)) { at++; }
    return at;
}
