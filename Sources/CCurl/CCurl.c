#include "CCurl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

// An hour: the sleep ends earlier when a transfer has something to do.
enum { longest_sleep = 3600 * 1000 };

// Of the body of an error, where the body of a success goes into a file.
enum { longest_error = 64 << 10 };

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
    // The number of bytes that was reported last, and the time of that report.
    size_t reported;
    long long reported_at;
    bool is_too_long;
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

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    transfer *one = context;
    size_t length = size * count;
    bool goes_to_file = is_file(one);
    size_t longest = one->file >= 0 && !goes_to_file ? longest_error : one->longest;
    if (one->length > longest || length > longest - one->length || is_bomb(one, one->length + length)) {
        one->is_too_long = true;
        return 0;
    }
    if (goes_to_file) {
        if (!write_all(one->file, bytes, length)) return 0;
        one->length += length;
        return length;
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

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    static const char name[] = "retry-after:";
    transfer *one = context;
    size_t length = size * count, at = sizeof name - 1;
    if (length > at && !strncasecmp(bytes, name, at)) {
        while (at < length && bytes[at] == ' ') at++;
        size_t end = length;
        while (end > at && (bytes[end - 1] == '\r' || bytes[end - 1] == '\n' || bytes[end - 1] == ' ')) end--;
        if (end - at < sizeof one->retry_after) {
            memcpy(one->retry_after, bytes + at, end - at);
            one->retry_after[end - at] = 0;
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
    // Every encoding that libcurl knows; the limit of the body counts what comes out of it.
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
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
    CURLcode code = message->data.result;
    ccurl_end end = {
        .code = (int)code,
        .reason = one->reason[0] ? one->reason : curl_easy_strerror(code),
        .body = one->body,
        .body_length = one->body ? one->length : 0,
        .retry_after = one->retry_after[0] ? one->retry_after : NULL,
        .is_too_long = one->is_too_long,
    };
    curl_easy_getinfo(one->easy, CURLINFO_RESPONSE_CODE, &end.status);
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
