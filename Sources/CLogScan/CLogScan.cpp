#include "CLogScan.h"

#include <cstring>
#include <string_view>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

constexpr size_t chunk = 64;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

template <typename Number>
uint64_t load(const char *bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

uint64_t mixed(uint64_t hash, uint64_t word) {
    const uint64_t product = (hash ^ word) * 0x9e3779b97f4a7c15;
    return product ^ (product >> 32);
}

/// Up to seven bytes as a number: of those of one length, two have the same number only when they are the same.
uint64_t short_word(const char *bytes, size_t count) {
    if (count >= 4) { return load<uint32_t>(bytes) | load<uint32_t>(bytes + count - 4) << 32; }
    if (count == 0) { return 0; }
    return load<uint8_t>(bytes) | load<uint8_t>(bytes + count / 2) << 8 | load<uint8_t>(bytes + count - 1) << 16;
}

/// Eight bytes at a step: a log has an ID in each line.
uint64_t id_hash(std::string_view id) {
    // Far apart for each length: else "gd" and "hdd" differed by the same bits as their lengths, and had one hash.
    uint64_t hash = 0xcbf29ce484222325 + id.size() * 0x9e3779b97f4a7c15;
    const char *next = id.data();
    size_t left = id.size();
    for (; left >= 8; left -= 8, next += 8) { hash = mixed(hash, load<uint64_t>(next)); }
    hash = mixed(hash, short_word(next, left));
    // As MurmurHash3 ends.
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
    return hash ^ (hash >> 33);
}

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The first place at or after `at` of a quote, a backslash or a byte that is not ASCII; the size when there is none.
size_t end_of_plain(std::string_view bytes, size_t at) {
#if defined(__SSE2__)
    for (; at + 16 <= bytes.size(); at += 16) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes.data() + at));
        const __m128i ends = _mm_or_si128(
            _mm_cmpeq_epi8(text, _mm_set1_epi8('"')), _mm_cmpeq_epi8(text, _mm_set1_epi8('\\')));
        // The highest bit of a byte is what counts: that of the text says that it is not ASCII.
        const int mask = _mm_movemask_epi8(_mm_or_si128(ends, text));
        if (mask != 0) { return at + static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(mask))); }
    }
#endif
    while (at < bytes.size() && bytes[at] != '"' && bytes[at] != '\\' && static_cast<unsigned char>(bytes[at]) < 0x80) {
        at++;
    }
    return at;
}

/// True if the key that ends with the quote at `quote` has a value that may be one of the IDs.
bool may_be(std::string_view bytes, size_t quote, const cls_ids &ids, bool links) {
    const std::string_view before = bytes.substr(0, quote + 1);
    if (links ? !ends_with(before, "\"target\"") && !ends_with(before, "\"thread\"") : !ends_with(before, "\"id\"")) {
        return false;
    }
    size_t at = quote + 1;
    while (at < bytes.size() && is_blank(bytes[at])) { at++; }
    if (at >= bytes.size() || bytes[at] != ':') { return false; }
    at++;
    while (at < bytes.size() && is_blank(bytes[at])) { at++; }
    if (at >= bytes.size() || bytes[at] != '"') { return false; }
    const size_t start = at + 1;
    const size_t end = end_of_plain(bytes, start);
    if (end < bytes.size() && bytes[end] != '"') { return true; }
    const uint64_t hash = id_hash(bytes.substr(start, end - start));
    return ids.bits[(hash >> 6) & 63] >> (hash & 63) & 1;
}

/// True if one of the keys may end here: "id", or "target" and "thread", end with two letters and a quote that are rarely
/// together elsewhere.
template <bool links>
bool is_end(const char *bytes) {
    const char a = bytes[0], b = bytes[1];
    const bool is_key = links ? ((a == 'e') & (b == 't')) | ((a == 'a') & (b == 'd')) : (a == 'i') & (b == 'd');
    return is_key & (bytes[2] == '"');
}

/// As cls_find_ids, of 64 bytes after the other as long as there are so many. Sets `from` to where it ended.
template <bool links>
bool find_in_chunks(std::string_view bytes, size_t &from, const cls_ids &ids) {
    for (; from + chunk + 2 <= bytes.size(); from += chunk) {
        alignas(uint64_t) unsigned char ends[chunk];
        // No early exit, so that it becomes vectors.
        unsigned char any = 0;
        for (size_t i = 0; i < chunk; i++) {
            ends[i] = is_end<links>(bytes.data() + from + i);
            any |= ends[i];
        }
        if (!any) { continue; }
        for (size_t i = 0; i < chunk; i++) {
            // Eight at once, since there are few.
            if (load<uint64_t>(reinterpret_cast<const char *>(ends) + (i & ~size_t{7})) == 0) {
                i |= 7;
            } else if (ends[i] && may_be(bytes, from + i + 2, ids, links)) {
                from += i;
                return true;
            }
        }
    }
    return false;
}

#if defined(__x86_64__)
template <bool links>
[[gnu::target("avx2")]] uint32_t ends_of_keys(const char *bytes) {
    const auto is = [](const char *at, char c) __attribute__((target("avx2"), always_inline)) {
        return _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(at)), _mm256_set1_epi8(c));
    };
    __m256i keys = links ? _mm256_or_si256(
                               _mm256_and_si256(is(bytes, 'e'), is(bytes + 1, 't')),
                               _mm256_and_si256(is(bytes, 'a'), is(bytes + 1, 'd')))
                         : _mm256_and_si256(is(bytes, 'i'), is(bytes + 1, 'd'));
    keys = _mm256_and_si256(keys, is(bytes + 2, '"'));
    return static_cast<uint32_t>(_mm256_movemask_epi8(keys));
}

/// The same with AVX2, which not every processor has: three times as fast.
template <bool links>
[[gnu::target("avx2")]] bool find_in_chunks_avx2(std::string_view bytes, size_t &from, const cls_ids &ids) {
    for (; from + chunk + 2 <= bytes.size(); from += chunk) {
        const char *data = bytes.data() + from;
        uint64_t ends = ends_of_keys<links>(data) | static_cast<uint64_t>(ends_of_keys<links>(data + 32)) << 32;
        for (; ends != 0; ends &= ends - 1) {
            const size_t i = static_cast<size_t>(__builtin_ctzll(ends));
            if (may_be(bytes, from + i + 2, ids, links)) {
                from += i;
                return true;
            }
        }
    }
    return false;
}

const bool has_avx2 = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}();
#endif

template <bool links>
size_t find_ids(std::string_view bytes, size_t from, const cls_ids &ids) {
#if defined(__x86_64__)
    if (has_avx2 ? find_in_chunks_avx2<links>(bytes, from, ids) : find_in_chunks<links>(bytes, from, ids)) {
        return from;
    }
#else
    if (find_in_chunks<links>(bytes, from, ids)) { return from; }
#endif
    for (; from + 2 < bytes.size(); from++) {
        if (is_end<links>(bytes.data() + from) && may_be(bytes, from + 2, ids, links)) { return from; }
    }
    return bytes.size();
}

}  // namespace

uint64_t cls_hash_id(const void *bytes, size_t count) {
    return id_hash(std::string_view(static_cast<const char *>(bytes), count));
}

bool cls_escapes_letters(const char *bytes, size_t count) {
    const std::string_view text(bytes, count);
    for (size_t at = text.find("\\u00"); at != text.npos; at = text.find("\\u00", at + 1)) {
        if (at + 4 < count && (text[at + 4] == '6' || text[at + 4] == '7')) { return true; }
    }
    return false;
}

size_t cls_last_line(const char *bytes, size_t count) {
    const void *feed = memrchr(bytes, '\n', count);
    return feed ? static_cast<size_t>(static_cast<const char *>(feed) - bytes) + 1 : 0;
}

size_t cls_find_ids(const char *data, size_t count, size_t from, const cls_ids *ids, bool links) {
    const std::string_view bytes(data, count);
    return links ? find_ids<true>(bytes, from, *ids) : find_ids<false>(bytes, from, *ids);
}
