// Debug builds would check for misuse, and return other errors than release builds. Both must return the same here.
#define SIMDJSON_DEVELOPMENT_CHECKS 0
// Code that uses a result without checking it would throw; without exceptions it does not compile.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include "CSimdjson.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace simdjson;
static_assert(csj_padding == SIMDJSON_PADDING);

struct csj_parser {
    ondemand::parser parser;
    std::string names;
    std::vector<std::string_view> keys;
    std::vector<csj_value> values;
    /// A copy of the JSON with padding after it, for callers whose JSON has none.
    std::string padded;
    /// A copy of the JSON in which lone surrogates and invalid UTF-8 are replaced.
    std::string repaired;
};

namespace {

/// Most documents are below this. A parser takes six times as much memory as its document may have bytes: so little of it is
/// taken from the heap, where the system would have to give larger buffers and take them back each time.
constexpr size_t least_capacity = 16 * 1024;
/// One long line must not hold its memory for ever.
constexpr size_t usual_capacity = 256 * 1024;

/// The buffers of the small parser that this thread has destroyed last, for its next one: a start reads some ten small documents,
/// each by a parser of its own, whose 100 KB the system would have to give page by page.
thread_local std::optional<ondemand::parser> spare;

size_t key_index(const csj_parser &self, std::string_view key, size_t guess) {
    // Writers keep an order of keys, so the next key is mostly the one after the last.
    for (size_t i = 0; i < self.keys.size(); i++) {
        const size_t index = guess + i < self.keys.size() ? guess + i : guess + i - self.keys.size();
        if (self.keys[index] == key) { return index; }
    }
    return self.keys.size();
}

error_code read_slice(std::string_view raw, csj_kind kind, csj_value &out) {
    out = {kind, raw.data(), raw.size()};
    return SUCCESS;
}

/// True if a token is a JSON number, even if a double cannot hold it.
bool is_number(std::string_view token) {
    size_t at = 0;
    const auto is_digit = [&] { return at < token.size() && token[at] >= '0' && token[at] <= '9'; };
    const auto is_one_of = [&](std::string_view set) { return at < token.size() && set.find(token[at]) != set.npos; };
    const auto take_digits = [&] {
        const size_t start = at;
        while (is_digit()) { at++; }
        return at > start;
    };
    if (is_one_of("-")) { at++; }
    if (is_one_of("0")) { at++; } else if (!take_digits()) { return false; }
    if (is_one_of(".")) {
        at++;
        if (!take_digits()) { return false; }
    }
    if (is_one_of("eE")) {
        at++;
        if (is_one_of("+-")) { at++; }
        if (!take_digits()) { return false; }
    }
    return at == token.size();
}

error_code read_value(ondemand::value value, csj_value &out) {
    ondemand::json_type type;
    SIMDJSON_TRY(value.type().get(type));
    switch (type) {
    case ondemand::json_type::string: {
        std::string_view text;
        SIMDJSON_TRY(value.get_string().get(text));
        return read_slice(text, CSJ_STRING, out);
    }
    case ondemand::json_type::number: {
        std::string_view token = value.raw_json_token();
        token = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
        return is_number(token) ? read_slice(token, CSJ_NUMBER, out) : NUMBER_ERROR;
    }
    case ondemand::json_type::boolean: {
        bool truth;
        SIMDJSON_TRY(value.get_bool().get(truth));
        return read_slice({}, truth ? CSJ_TRUE : CSJ_FALSE, out);
    }
    case ondemand::json_type::null: {
        bool is_null;
        SIMDJSON_TRY(value.is_null().get(is_null));
        return is_null ? read_slice({}, CSJ_NULL, out) : N_ATOM_ERROR;
    }
    case ondemand::json_type::object: {
        ondemand::object object;
        std::string_view raw;
        SIMDJSON_TRY(value.get_object().get(object));
        SIMDJSON_TRY(object.raw_json().get(raw));
        return read_slice(raw, CSJ_OBJECT, out);
    }
    case ondemand::json_type::array: {
        ondemand::array array;
        std::string_view raw;
        SIMDJSON_TRY(value.get_array().get(array));
        SIMDJSON_TRY(array.raw_json().get(raw));
        return read_slice(raw, CSJ_ARRAY, out);
    }
    }
    return TAPE_ERROR;
}

error_code read_fields(csj_parser &self, ondemand::object object) {
    std::fill(self.values.begin(), self.values.end(), csj_value{CSJ_ABSENT, nullptr, 0});
    size_t guess = 0;
    for (auto result : object) {
        ondemand::field field;
        SIMDJSON_TRY(std::move(result).get(field));
        const char *raw = field.key().raw();
        size_t length = 0;
        while (raw[length] != '"' && raw[length] != '\\') { length++; }
        std::string_view key(raw, length);
        if (raw[length] == '\\') { SIMDJSON_TRY(field.unescaped_key().get(key)); }
        const size_t index = key_index(self, key, guess);
        if (index == self.keys.size()) { continue; }
        const error_code error = read_value(field.value(), self.values[index]);
        // Only the document itself can be of the wrong kind; a value such as `12x` is not JSON.
        if (error) { return error == INCORRECT_TYPE ? TAPE_ERROR : error; }
        guess = index + 1;
    }
    return SUCCESS;
}

/// Fails when anything follows the document: two objects on a line are not a record.
error_code expect_end(ondemand::document &document) {
    return document.current_location().error() == OUT_OF_BOUNDS ? SUCCESS : TRAILING_CONTENT;
}

/// The code unit that the `\uXXXX` at `at` stands for; -1 when there is none.
int unicode_escape(std::string_view text, size_t at) {
    if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') { return -1; }
    int value = 0;
    for (size_t i = at + 2; i < at + 6; i++) {
        const char c = text[i];
        const int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (digit < 0) { return -1; }
        value = value * 16 + digit;
    }
    return value;
}

/// Replaces lone surrogates, which JavaScript writes and simdjson refuses: the message matters more than one character.
bool repair_surrogates(std::string &text) {
    bool changed = false;
    for (size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
        const int first = unicode_escape(text, at);
        const int second = first >= 0xD800 && first < 0xDC00 ? unicode_escape(text, at + 6) : -1;
        if (second >= 0xDC00 && second < 0xE000) {
            at += 12;
        } else if (first >= 0xD800 && first < 0xE000) {
            text.replace(at, 6, "\\ufffd");
            changed = true;
            at += 6;
        } else {
            at += 2;
        }
    }
    return changed;
}

/// The length of the well-formed character at `at` (RFC 3629, table 3-7 of Unicode). When it is not well-formed, sets
/// `whole` to false and returns the length of its valid beginning, at least 1.
size_t utf8_prefix(std::string_view text, size_t at, bool &whole) {
    const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
    const unsigned char lead = byte(at);
    const size_t length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : (lead & 0xF0) == 0xE0 ? 3
        : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
    whole = length != 0;
    if (length < 2) { return 1; }
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (size_t i = 1; i < length; i++) {
        const unsigned char next = byte(at + i);
        whole = i == 1 ? next >= low && next <= high : (next & 0xC0) == 0x80;
        if (!whole) { return i; }
    }
    return length;
}

/// Replaces invalid UTF-8 with U+FFFD and keeps the rest of the message: old logs mix encodings.
void repair_utf8(std::string &text) {
    std::string fixed;
    fixed.reserve(text.size() + csj_padding);
    for (size_t at = 0; at < text.size();) {
        bool whole;
        const size_t length = utf8_prefix(text, at, whole);
        fixed.append(whole ? std::string_view(text).substr(at, length) : std::string_view("\xEF\xBF\xBD"));
        at += length;
    }
    text.swap(fixed);
}

/// Sets `repaired` to the JSON with its text repaired, and padding after it. Returns its length without padding.
size_t repair(std::string_view json, std::string &repaired) {
    repaired.assign(json);
    if (!validate_utf8(repaired)) { repair_utf8(repaired); }
    repair_surrogates(repaired);
    const size_t length = repaired.size();
    repaired.resize(length + csj_padding, ' ');
    return length;
}

/// Calls `read` with the document and enough padding: first as it is, then repaired if simdjson refused its text.
template <typename Read>
csj_status with_document(csj_parser &self, std::string_view json, size_t capacity, Read read) {
    const auto attempt = [&](const char *bytes, size_t length, size_t readable) -> error_code {
        ondemand::document document;
        SIMDJSON_TRY(self.parser.iterate(bytes, length, readable).get(document));
        return read(document);
    };
    if (self.parser.capacity() == 0 && json.size() <= least_capacity && spare) {
        self.parser = std::move(*spare);
        spare.reset();
    }
    if (json.size() > self.parser.capacity() || self.parser.capacity() > usual_capacity || self.parser.capacity() == 0) {
        const size_t wanted =
            json.size() > usual_capacity ? json.size() : std::max(std::bit_ceil(json.size()), least_capacity);
        if (self.parser.capacity() != wanted && self.parser.allocate(wanted)) { return CSJ_NO_MEMORY; }
    }
    if (capacity < json.size() + csj_padding) {
        self.padded.assign(json);
        self.padded.resize(json.size() + csj_padding, ' ');
        json = std::string_view(self.padded).substr(0, json.size());
    }
    const size_t start = json.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos
        || std::string_view("{[\"-0123456789tfn").find(json[start]) == std::string_view::npos) { return CSJ_NOT_JSON; }
    error_code error = attempt(json.data(), json.size(), json.size() + csj_padding);
    if (error == STRING_ERROR || error == UTF8_ERROR) {
        const size_t length = repair(json, self.repaired);
        error = attempt(self.repaired.data(), length, length + csj_padding);
    }
    if (error == MEMALLOC || error == CAPACITY) { return CSJ_NO_MEMORY; }
    return error == SUCCESS ? CSJ_OK : error == INCORRECT_TYPE ? CSJ_WRONG_KIND : CSJ_NOT_JSON;
}

/// Calls `give` with each element of an array that has the wanted type, until `give` sets `goes_on` to false.
template <typename Give>
csj_status with_elements(
    csj_parser &self, std::string_view json, size_t capacity, ondemand::json_type wanted, bool is_strict, Give give) {
    size_t given = 0;
    return with_document(self, json, capacity, [&](ondemand::document &document) -> error_code {
        ondemand::array array;
        SIMDJSON_TRY(document.get_array().get(array));
        size_t index = 0;
        for (auto result : array) {
            ondemand::value value;
            ondemand::json_type type;
            SIMDJSON_TRY(std::move(result).get(value));
            SIMDJSON_TRY(value.type().get(type));
            if (type != wanted && is_strict) { return INCORRECT_TYPE; }
            if (type != wanted) { continue; }
            // The second attempt, on repaired text, starts over, and must not give the same elements again.
            const bool is_new = index++ >= given;
            bool goes_on = true;
            SIMDJSON_TRY(give(value, is_new, goes_on));
            if (is_new) { given++; }
            if (!goes_on) { return SUCCESS; }
        }
        return expect_end(document);
    });
}

}  // namespace

// Only the standard library throws, and only when there is no memory.
csj_parser *csj_parser_create(const char *names) try {
    auto *self = new csj_parser;
    self->names = names;
    const std::string_view all = self->names;
    for (size_t begin = 0; begin < all.size();) {
        const size_t end = std::min(all.find(' ', begin), all.size());
        self->keys.push_back(all.substr(begin, end - begin));
        begin = end + 1;
    }
    self->values.resize(self->keys.size());
    return self;
} catch (...) {
    return nullptr;
}

void csj_parser_destroy(csj_parser *parser) {
    if (parser != nullptr && !spare && parser->parser.capacity() == least_capacity) {
        spare.emplace(std::move(parser->parser));
    }
    delete parser;
}

void csj_parser_trim(csj_parser *parser) {
    if (parser->parser.capacity() <= usual_capacity) { return; }
    parser->parser = ondemand::parser();
    std::string().swap(parser->padded);
    std::string().swap(parser->repaired);
}

csj_status csj_read_object(
    csj_parser *parser, const char *bytes, size_t length, size_t capacity, const csj_value **values) try {
    *values = parser->values.data();
    return with_document(*parser, {bytes, length}, capacity, [&](ondemand::document &document) -> error_code {
        ondemand::object object;
        SIMDJSON_TRY(document.get_object().get(object));
        SIMDJSON_TRY(read_fields(*parser, object));
        return expect_end(document);
    });
} catch (...) {
    return CSJ_NO_MEMORY;
}

csj_status csj_read_array(
    csj_parser *parser, const char *bytes, size_t length, size_t capacity, bool is_strict,
    bool (*element)(void *context, const csj_value *values), void *context) try {
    return with_elements(
        *parser, {bytes, length}, capacity, ondemand::json_type::object, is_strict,
        [&](ondemand::value value, bool is_new, bool &goes_on) -> error_code {
            ondemand::object object;
            SIMDJSON_TRY(value.get_object().get(object));
            SIMDJSON_TRY(read_fields(*parser, object));
            if (is_new) { goes_on = element(context, parser->values.data()); }
            return SUCCESS;
        });
} catch (...) {
    return CSJ_NO_MEMORY;
}

csj_status csj_read_strings(
    csj_parser *parser, const char *bytes, size_t length, size_t capacity, bool is_strict,
    void (*element)(void *context, const char *bytes, size_t length), void *context) try {
    return with_elements(
        *parser, {bytes, length}, capacity, ondemand::json_type::string, is_strict,
        [&](ondemand::value value, bool is_new, bool &) -> error_code {
            std::string_view text;
            SIMDJSON_TRY(value.get_string().get(text));
            if (is_new) { element(context, text.data(), text.size()); }
            return SUCCESS;
        });
} catch (...) {
    return CSJ_NO_MEMORY;
}

struct csj_tree {
    dom::parser parser;
    /// A copy of the JSON with padding after it, repaired where that is necessary.
    std::string copy;
};

csj_tree *csj_tree_create(void) try { return new csj_tree; } catch (...) { return nullptr; }

void csj_tree_destroy(csj_tree *tree) { delete tree; }

csj_status csj_tree_parse(
    csj_tree *tree, const char *bytes, size_t length, size_t capacity, const uint64_t **tape,
    const uint8_t **strings) try {
    dom::parser &parser = tree->parser;
    if (capacity < length + csj_padding) {
        tree->copy.assign(bytes, length);
        tree->copy.resize(length + csj_padding, ' ');
        bytes = tree->copy.data();
    }
    // A long document must not keep its memory for ever, and most documents are short.
    if (parser.capacity() > usual_capacity && length <= usual_capacity && parser.allocate(usual_capacity)) {
        return CSJ_NO_MEMORY;
    }
    if (parser.capacity() < least_capacity && parser.allocate(least_capacity)) { return CSJ_NO_MEMORY; }
    error_code error = parser.parse(bytes, length, false).error();
    if (error == STRING_ERROR || error == UTF8_ERROR) {
        std::string repaired;
        const size_t size = repair({bytes, length}, repaired);
        tree->copy.swap(repaired);
        error = parser.parse(tree->copy.data(), size, false).error();
    }
    if (error == MEMALLOC || error == CAPACITY) { return CSJ_NO_MEMORY; }
    if (error) { return CSJ_NOT_JSON; }
    *tape = parser.doc.tape.get();
    *strings = parser.doc.string_buf.get();
    return CSJ_OK;
} catch (...) {
    return CSJ_NO_MEMORY;
}

size_t csj_escape(const char *bytes, size_t length, char *escaped, bool *has_high) {
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    char *out = escaped;
    uint64_t high = 0;
    while (at < length) {
        // Eight bytes at a time, as long as none needs a backslash. A false alarm costs a look at one byte.
        if (at + 8 <= length) {
            uint64_t word;
            memcpy(&word, bytes + at, 8);
            memcpy(out, &word, 8);
            const uint64_t ones = 0x0101010101010101, tops = ones * 0x80;
            const auto has_zero = [=](uint64_t value) { return (value - ones) & ~value; };
            const uint64_t low = (word - ones * 0x20) & ~word;
            const uint64_t found = low | has_zero(word ^ ones * '"') | has_zero(word ^ ones * '\\') | has_zero(word ^ ones * 0x7F);
            if ((found & tops) == 0) {
                high |= word;
                at += 8;
                out += 8;
                continue;
            }
        }
        const unsigned char byte = bytes[at++];
        high |= byte;
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F) { *out++ = char(byte); continue; }
        *out++ = '\\';
        switch (byte) {
        case '\n': *out++ = 'n'; break;
        case '\r': *out++ = 'r'; break;
        case '\t': *out++ = 't'; break;
        case '"': case '\\': *out++ = char(byte); break;
        default:
            memcpy(out, "u00", 3);
            out[3] = digits[byte >> 4];
            out[4] = digits[byte & 15];
            out += 5;
        }
    }
    *has_high = (high & 0x8080808080808080) != 0;
    return size_t(out - escaped);
}

bool csj_is_utf8(const char *bytes, size_t length) { return validate_utf8(bytes, length); }

/// The first quote or backslash from `at` on; `length` if there is none.
static size_t plain_end(const char *bytes, size_t length, size_t at) {
    // Eight bytes at a time, as long as none is a quote or a backslash.
    while (at + 8 <= length) {
        uint64_t word;
        memcpy(&word, bytes + at, 8);
        const uint64_t ones = 0x0101010101010101;
        const auto has_zero = [=](uint64_t value) { return (value - ones) & ~value; };
        if ((has_zero(word ^ ones * '"') | has_zero(word ^ ones * '\\')) & ones * 0x80) { break; }
        at += 8;
    }
    while (at < length && bytes[at] != '"' && bytes[at] != '\\') { at++; }
    return at;
}

size_t csj_scan_on(csj_scan *scan, const char *bytes, size_t length) {
    size_t at = 0;
    while (at < length) {
        if (scan->is_escaped) {
            scan->is_escaped = false;
            at++;
            continue;
        }
        if (scan->is_string) {
            at = plain_end(bytes, length, at);
            if (at == length) { break; }
            scan->is_escaped = bytes[at] == '\\';
            scan->is_string = scan->is_escaped;
            scan->is_end = !scan->is_string && scan->depth == 0;
            at++;
            if (scan->is_end) { return at; }
            continue;
        }
        switch (bytes[at]) {
        case '"': scan->is_string = true; break;
        case '{': case '[': scan->depth++; break;
        case '}': case ']':
            // It ends a number, or a word, which stands before it.
            scan->is_end = scan->depth <= 1;
            if (scan->depth == 0) { return at; }
            scan->depth--;
            break;
        case ',': case ' ': case '\n': case '\r': case '\t':
            scan->is_end = scan->depth == 0;
            if (scan->is_end) { return at; }
        }
        at++;
        if (scan->is_end) { return at; }
    }
    return at;
}

size_t csj_value_end(const char *bytes, size_t length) {
    if (length == 0 || (bytes[0] != '{' && bytes[0] != '[')) { return 0; }
    csj_scan scan = {};
    const size_t end = csj_scan_on(&scan, bytes, length);
    return scan.is_end ? end : 0;
}

size_t csj_find(const char *bytes, size_t length, const char *part, size_t part_length) {
    const void *found = memmem(bytes, length, part, part_length);
    return found ? static_cast<size_t>(static_cast<const char *>(found) - bytes) : length;
}

size_t csj_next_record(const char *bytes, size_t length, size_t indentation) {
    const char *const end = bytes + length;
    for (const char *at = bytes; (at = static_cast<const char *>(memchr(at, '\n', end - at)));) {
        const char *line = ++at;
        while (at < end && *at == ' ') { at++; }
        if (at < end && *at == '{' && static_cast<size_t>(at - line) == indentation) { return line - bytes; }
    }
    return 0;
}
