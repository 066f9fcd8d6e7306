#include "CRegex.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

struct cr_pattern {
    RE2 expression;
};

namespace {

/// The bytes that a pattern may take: some thousand characters, or a class of all letters a thousand times.
constexpr int64_t most_memory = 4 << 20;

RE2::Options options() {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(false);
    options.set_max_mem(most_memory);
    return options;
}

void tell(const std::string &text, char *reason, size_t capacity) {
    const size_t count = std::min(text.size(), capacity - 1);
    std::memcpy(reason, text.data(), count);
    reason[count] = 0;
}

}

cr_pattern *cr_compile(const char *bytes, size_t count, char *reason, size_t capacity) {
    try {
        auto *pattern = new cr_pattern{RE2("(?m)" + std::string(bytes, count), options())};
        if (pattern->expression.ok()) return pattern;
        tell(pattern->expression.error(), reason, capacity);
        delete pattern;
    } catch (const std::bad_alloc &) {
        tell("too little memory", reason, capacity);
    }
    return nullptr;
}

void cr_free(cr_pattern *pattern) { delete pattern; }

bool cr_find(
    const cr_pattern *pattern, const char *bytes, size_t count, size_t start, size_t *lower, size_t *upper) {
    try {
        re2::StringPiece found;
        const re2::StringPiece text(bytes, count);
        if (!pattern->expression.Match(text, start, count, RE2::UNANCHORED, &found, 1)) return false;
        *lower = static_cast<size_t>(found.data() - bytes);
        *upper = *lower + found.size();
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}
