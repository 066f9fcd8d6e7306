#include "CLogScan.h"

#include <cstring>
#include <string_view>

namespace {

constexpr size_t chunk = 64;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

uint64_t id_hash(std::string_view id) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : id) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3; }
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
    return hash ^ (hash >> 33);
}

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Whether the key that ends with the quote at `quote` has a value that may be one of the IDs.
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
    size_t end = start;
    while (end < bytes.size() && bytes[end] != '"') {
        if (bytes[end] == '\\' || static_cast<unsigned char>(bytes[end]) >= 0x80) { return true; }
        end++;
    }
    const uint64_t hash = id_hash(bytes.substr(start, end - start));
    return ids.bits[(hash >> 6) & 63] >> (hash & 63) & 1;
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
    return std::string_view(bytes, count).rfind('\n') + 1;
}

size_t cls_find_ids(const char *data, size_t count, size_t from, const cls_ids *ids, bool links) {
    const std::string_view bytes(data, count);
    // "id", or "target" and "thread", end with two letters and a quote that are rarely together elsewhere.
    const char x = links ? 'e' : 'i', y = links ? 't' : 'd';
    const char z = links ? 'a' : 'i', w = 'd';
    const auto is_end = [=](size_t i) {
        const char a = data[i], b = data[i + 1];
        return (((a == x) & (b == y)) | ((a == z) & (b == w))) & (data[i + 2] == '"');
    };
    size_t at = from;
    for (; at + chunk + 2 <= count; at += chunk) {
        alignas(uint64_t) unsigned char ends[chunk];
        // No early exit, so that it becomes vectors.
        unsigned char any = 0;
        for (size_t i = 0; i < chunk; i++) {
            ends[i] = is_end(at + i);
            any |= ends[i];
        }
        if (!any) { continue; }
        for (size_t i = 0; i < chunk; i++) {
            // Eight at once, since there are few.
            uint64_t eight;
            std::memcpy(&eight, ends + (i & ~size_t{7}), sizeof eight);
            if (eight == 0) {
                i |= 7;
            } else if (ends[i] && may_be(bytes, at + i + 2, *ids, links)) {
                return at + i;
            }
        }
    }
    for (; at + 2 < count; at++) {
        if (is_end(at) && may_be(bytes, at + 2, *ids, links)) { return at; }
    }
    return count;
}
