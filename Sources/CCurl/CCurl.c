#define _GNU_SOURCE
#include "CCurl.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

// An hour: the sleep ends earlier when a transfer has something to do.
enum { longest_sleep = 3600 * 1000 };

// Of the body of an error: the rest of a longer one is not read.
enum { longest_error = 64 << 10 };

// Of all headers of a response: an attacker could send them without an end.
enum { longest_headers = 256 << 10 };

// A longer body goes into a file without a name, so that it takes no memory.
enum { most_in_memory = 2 << 20 };

// A body that is packed may unpack to this many times its size; what is shorter than this number of bytes, to any size. The events of
// a room shrink to a tenth, seldom to a thirtieth.
enum { most_unpacked = 100, always_unpacked = 4 << 20 };

// Between two reports of how much a file has taken, in milliseconds.
enum { report_pause = 250 };

typedef struct transfer {
    struct transfer *next;
    CURL *easy;
    struct curl_slist *headers;
    void *context;
    char *body;
    size_t length, capacity, longest;
    int file;
    // The file without a name that has the body; -1 as long as it is in memory.
    int spill;
    size_t headers_length;
    // The number of bytes that was reported last, and the time of that report.
    size_t reported;
    long long reported_at;
    // True after the first 64 KiB of an error: the rest is not read.
    bool is_cut;
    // The reason why the response was given up; NULL if it was not.
    const char *refusal;
    char retry_after[32];
    char reason[CURL_ERROR_SIZE];
} transfer;

struct ccurl {
    CURLM *multi;
    transfer *first;
};

static bool write_all(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(file, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

static bool is_file(transfer *one) {
    long status = 0;
    if (one->file < 0) return false;
    curl_easy_getinfo(one->easy, CURLINFO_RESPONSE_CODE, &status);
    return status == 200;
}

// A body that unpacks to far more than its packed size was made to exhaust the memory.
static bool is_bomb(transfer *one, size_t length) {
    curl_off_t packed = 0;
    if (length <= always_unpacked) return false;
    curl_easy_getinfo(one->easy, CURLINFO_SIZE_DOWNLOAD_T, &packed);
    return packed > 0 && length / most_unpacked > (size_t)packed;
}

// Opens a file that has no name: nobody else can open it, and nothing is left of it when the process ends. -1 if no folder takes one.
static int nameless_file(void) {
    const char *const folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (size_t at = 0; at < sizeof folders / sizeof *folders; at++) {
        if (!folders[at] || !*folders[at]) continue;
        int file = open(folders[at], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (file >= 0) return file;
        char name[4096];
        if ((size_t)snprintf(name, sizeof name, "%s/kedge-XXXXXX", folders[at]) >= sizeof name) continue;
        file = mkostemp(name, O_CLOEXEC);
        if (file < 0) continue;
        unlink(name);
        return file;
    }
    return -1;
}

// Takes bytes of a body that is too long for the memory. Without a file it stays in memory all the same.
static bool spill(transfer *one, const char *bytes, size_t length) {
    if (one->spill < 0) {
        one->spill = nameless_file();
        if (one->spill < 0) return false;
        if (one->length > 0 && !write_all(one->spill, one->body, one->length)) {
            close(one->spill);
            one->spill = -1;
            return false;
        }
        free(one->body);
        one->body = NULL;
        one->capacity = 0;
    }
    return write_all(one->spill, bytes, length);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    transfer *one = context;
    size_t length = size * count;
    long status = 0;
    curl_easy_getinfo(one->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200 && length > longest_error - one->length) {
        one->is_cut = true;
        return 0;
    }
    if (one->length > one->longest || length > one->longest - one->length || is_bomb(one, one->length + length)) {
        one->refusal = "the response is too long";
        return 0;
    }
    if (is_file(one)) {
        if (!write_all(one->file, bytes, length)) return 0;
        one->length += length;
        return length;
    }
    if (one->spill >= 0 || one->length + length > most_in_memory) {
        if (spill(one, bytes, length)) {
            one->length += length;
            return length;
        }
        if (one->spill >= 0) {
            one->refusal = "the disk has no room for the response";
            return 0;
        }
    }
    if (one->length + length > one->capacity) {
        size_t capacity = one->capacity * 2 > one->length + length ? one->capacity * 2 : one->length + length + 16384;
        char *larger = realloc(one->body, capacity);
        if (!larger) return 0;
        one->body = larger;
        one->capacity = capacity;
    }
    memcpy(one->body + one->length, bytes, length);
    one->length += length;
    return length;
}

// The length of the name if a header has it, and its value: without the blanks around it.
static size_t header_value(const char *bytes, size_t length, const char *name, const char **value) {
    size_t at = strlen(name);
    if (length <= at || strncasecmp(bytes, name, at)) return 0;
    while (at < length && bytes[at] == ' ') at++;
    size_t end = length;
    while (end > at && (bytes[end - 1] == '\r' || bytes[end - 1] == '\n' || bytes[end - 1] == ' ')) end--;
    *value = bytes + at;
    return end - at;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    transfer *one = context;
    size_t length = size * count;
    const char *value = NULL;
    one->headers_length += length;
    if (one->headers_length > longest_headers) {
        one->refusal = "the headers of the response are too long";
        return 0;
    }
    size_t found = header_value(bytes, length, "retry-after:", &value);
    if (found > 0 && found < sizeof one->retry_after) {
        memcpy(one->retry_after, value, found);
        one->retry_after[found] = 0;
    }
    // libcurl unpacks whatever it can, also what was not asked for: a window of zstd has 128 MiB.
    found = header_value(bytes, length, "content-encoding:", &value);
    for (size_t at = 0; at < found; at++) {
        if (!strncasecmp(value + at, "zstd", 4) || !strncasecmp(value + at, "br", 2)) {
            one->refusal = "the response is packed in a way that was not asked for";
            return 0;
        }
    }
    return length;
}

static void discard(ccurl *all, transfer *one) {
    for (transfer **link = &all->first; *link; link = &(*link)->next) {
        if (*link == one) {
            *link = one->next;
            break;
        }
    }
    curl_multi_remove_handle(all->multi, one->easy);
    curl_easy_cleanup(one->easy);
    curl_slist_free_all(one->headers);
    free(one->body);
    if (one->spill >= 0) close(one->spill);
    free(one);
}

ccurl *ccurl_create(void) {
    if (curl_global_init(CURL_GLOBAL_DEFAULT)) return NULL;
    ccurl *all = calloc(1, sizeof *all);
    if (!all) return NULL;
    all->multi = curl_multi_init();
    if (all->multi) return all;
    free(all);
    return NULL;
}

void ccurl_destroy(ccurl *all) {
    if (!all) return;
    while (all->first) discard(all, all->first);
    curl_multi_cleanup(all->multi);
    free(all);
}

static void allow_protocols(CURL *easy, bool is_secure) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, is_secure ? "https" : "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl_easy_setopt(
        easy, CURLOPT_REDIR_PROTOCOLS, (long)(is_secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

bool ccurl_add(ccurl *all, const ccurl_request *request, void *context) {
    transfer *one = calloc(1, sizeof *one);
    CURL *easy = curl_easy_init();
    if (!one || !easy) {
        free(one);
        curl_easy_cleanup(easy);
        return false;
    }
    one->easy = easy;
    one->context = context;
    one->longest = request->longest_body;
    one->file = request->file;
    one->spill = -1;
    for (const char *const *header = request->headers; *header; header++) {
        struct curl_slist *longer = curl_slist_append(one->headers, *header);
        if (longer) one->headers = longer;
    }
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, one);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, one->reason);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, one->headers);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, one);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, one);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_limit);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->whole_limit);
    if (request->silence_limit > 0) {
        curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 20L);
        curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, request->silence_limit);
    }
    // No limit of speed without need: libcurl wakes once a second to look at it.
    // A dead connection in the midst of a long poll is noticed.
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    // The limit of the body counts what comes out of it.
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    allow_protocols(easy, !strncasecmp(request->url, "https:", 6));
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, request->follows ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 5L);
    if (request->body) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request->body);
    }
    if (strcmp(request->method, "GET")) curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    one->next = all->first;
    all->first = one;
    if (curl_multi_add_handle(all->multi, easy) == CURLM_OK) return true;
    discard(all, one);
    return false;
}

void ccurl_remove(ccurl *all, void *context) {
    for (transfer *one = all->first; one; one = one->next) {
        if (one->context == context) return discard(all, one);
    }
}

static void report(ccurl *all, CURLMsg *message, void *owner, void (*ended)(void *, void *, const ccurl_end *)) {
    transfer *one = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&one);
    // The message does not outlive its handle.
    CURLcode code = one->is_cut ? CURLE_OK : message->data.result;
    ccurl_end end = {
        .code = (int)code,
        .reason = one->reason[0] ? one->reason : curl_easy_strerror(code),
        .body = one->body,
        .body_length = one->body || one->spill >= 0 ? one->length : 0,
        .body_file = one->spill,
        .retry_after = one->retry_after[0] ? one->retry_after : NULL,
        .refusal = one->refusal,
    };
    curl_easy_getinfo(one->easy, CURLINFO_RESPONSE_CODE, &end.status);
    one->body = NULL;
    one->spill = -1;
    ended(owner, one->context, &end);
    discard(all, one);
}

static void report_files(ccurl *all, void *owner, void (*moved)(void *, void *, size_t)) {
    for (transfer *one = all->first; one; one = one->next) {
        if (one->length == one->reported || !is_file(one)) continue;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        long long at = now.tv_sec * 1000LL + now.tv_nsec / 1000000;
        if (one->reported && at - one->reported_at < report_pause) continue;
        one->reported = one->length;
        one->reported_at = at;
        moved(owner, one->context, one->length);
    }
}

void ccurl_run(
    ccurl *all, void *owner, void (*moved)(void *owner, void *context, size_t received),
    void (*ended)(void *owner, void *context, const ccurl_end *end)) {
    int running = 0, left = 0;
    curl_multi_perform(all->multi, &running);
    report_files(all, owner, moved);
    CURLMsg *message;
    bool has_ended = false;
    while ((message = curl_multi_info_read(all->multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        has_ended = true;
        report(all, message, owner, ended);
    }
    // `ended` may have begun another transfer, which must be performed before this thread sleeps.
    if (!has_ended) curl_multi_poll(all->multi, NULL, 0, longest_sleep, NULL);
}

void ccurl_wake(ccurl *all) { curl_multi_wakeup(all->multi); }
