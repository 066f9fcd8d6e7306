// An assertion in a parser of what people write must not end the process: each one is thrown, in every build.
#undef NDEBUG
#define TOML_EXCEPTIONS 1
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
/// Values within values; settings need two. How deep keys with dots go, this does not limit: `too_deep_line` does.
#define TOML_MAX_NESTED_VALUES 8

namespace {

/// An assertion of the parser that does not hold.
struct broken_parser {};

[[noreturn]] void fail() { throw broken_parser(); }

}

#define TOML_ASSERT(expr) (static_cast<bool>(expr) ? static_cast<void>(0) : fail())
#include <toml++/impl/preprocessor.h>
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE fail()
#undef TOML_ASSUME
#define TOML_ASSUME(expr) TOML_ASSERT(expr)
#include <toml++/toml.h>

#include "CToml.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <vector>

namespace {

ctoml_text text_of(std::string_view text) { return {text.data(), text.size()}; }

constexpr size_t most_dots = 64;

/// The first line on which more dots may stand between the parts of keys; 0 for none. Each part is a table in a table, and toml++
/// frees those by recursion: thousands would exhaust the stack. Two dots in a row separate nothing.
size_t too_deep_line(std::string_view toml) {
    size_t line = 1, dots = 0;
    bool is_behind_dot = false;
    for (const char byte : toml) {
        if (byte == '\n') {
            line++;
            dots = 0;
        } else if (byte == ' ' || byte == '\t') {
            continue;
        } else if (byte == '.' && !is_behind_dot && ++dots > most_dots) {
            return line;
        }
        is_behind_dot = byte == '.';
    }
    return 0;
}

/// Whether the parser gets lost in a text: it neither reads it nor says why not.
bool is_lost_in(std::string_view toml) {
    try {
        static_cast<void>(toml::parse(toml));
        return false;
    } catch (const toml::parse_error &) {
        return false;
    } catch (const std::bad_alloc &) {
        throw;
    } catch (...) {
        return true;
    }
}

/// The line in which the parser gets lost: the last one of the shortest beginning that it gets lost in.
size_t lost_line(std::string_view toml) {
    std::vector<size_t> ends;
    for (size_t i = 0; i < toml.size(); i++) {
        if (toml[i] == '\n') { ends.push_back(i); }
    }
    const auto first = std::partition_point(
        ends.begin(), ends.end(), [&](size_t end) { return !is_lost_in(toml.substr(0, end)); });
    return static_cast<size_t>(first - ends.begin()) + 1;
}

ctoml_entry entry_of(const toml::key &key, const toml::node &node) {
    ctoml_entry entry{};
    entry.kind = CTOML_OTHER;
    entry.key = text_of(key.str());
    entry.line = key.source().begin.line;
    if (const auto *text = node.as_string()) {
        entry.kind = CTOML_TEXT;
        entry.text = text_of(text->get());
    } else if (const auto *truth = node.as_boolean()) {
        entry.kind = CTOML_TRUTH;
        entry.truth = truth->get();
    } else if (node.is_table()) {
        entry.kind = CTOML_TABLE;
    }
    return entry;
}

void give(const toml::table &root, void *context, void (*give_entry)(void *, const ctoml_entry *)) {
    for (const auto &[name, node] : root) {
        const auto entry = entry_of(name, node);
        give_entry(context, &entry);
        const auto *table = node.as_table();
        if (!table) { continue; }
        for (const auto &[key, value] : *table) {
            auto inner = entry_of(key, value);
            inner.is_in_table = true;
            inner.table = entry.key;
            give_entry(context, &inner);
        }
    }
}

ctoml_status read(
    std::string_view toml, void *context, void (*entry)(void *, const ctoml_entry *),
    void (*error)(void *, size_t, ctoml_text)) {
    if (const size_t line = too_deep_line(toml)) {
        error(context, line, text_of("more than 64 dots in a line"));
        return CTOML_NOT_TOML;
    }
    try {
        give(toml::parse(toml), context, entry);
        return CTOML_OK;
    } catch (const toml::parse_error &failure) {
        error(context, failure.source().begin.line, text_of(failure.description()));
    } catch (const std::bad_alloc &) {
        throw;
    } catch (...) {
        error(context, lost_line(toml), text_of("this is no TOML"));
    }
    return CTOML_NOT_TOML;
}

}

ctoml_status ctoml_read(
    const char *bytes, size_t length, void *context, void (*entry)(void *, const ctoml_entry *),
    void (*error)(void *, size_t, ctoml_text)) {
    try {
        return read({bytes, length}, context, entry, error);
    } catch (...) {
        return CTOML_NO_MEMORY;
    }
}
