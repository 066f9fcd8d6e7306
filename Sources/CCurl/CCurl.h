// HTTP by libcurl's multi interface: any number of transfers on one thread, which sleeps until something happens. Swift cannot
// call curl_easy_setopt, which is variadic, nor give it functions to call. A redirect is followed only if the request allows it, and
// certificates are checked.
#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>

/// Owns all transfers. All functions but ccurl_wake belong to one thread.
typedef struct ccurl ccurl;

typedef struct {
    /// "GET", "POST" or "PUT".
    const char *method;
    const char *url;
    /// A line each, "Name: value"; ends with NULL.
    const char *const *headers;
    /// Copied; NULL without a body.
    const char *body;
    size_t body_length;
    /// The transfer fails when it takes longer, in milliseconds.
    long connect_limit, whole_limit;
    /// It fails when hardly a byte has come for so many seconds; 0 for no such limit.
    long silence_limit;
    /// It fails when the body is longer.
    size_t longest_body;
    /// Takes the body of a response with status 200; stays open. -1 to keep the body in memory.
    int file;
    /// True: follow up to five redirects, but never one from https to http.
    bool follows;
} ccurl_request;

/// The result of a transfer. All fields but the body are valid only during the call that receives it. The body of an error is cut after 64 KiB.
typedef struct {
    /// Of curl; 0 if there was a response.
    int code;
    /// The reason, if there was none.
    const char *reason;
    /// Of HTTP.
    long status;
    /// Belongs to the receiver, who frees it; NULL without a body, and for one in a file.
    char *body;
    size_t body_length;
    /// A file without a name that has a body of more than 2 MiB, or -1. Belongs to the receiver, who closes it.
    int body_file;
    /// The header Retry-After; NULL without one.
    const char *retry_after;
    /// The reason why the response was given up: the body or the headers were longer than they may be, or the body unpacked to more than a
    /// hundred times its size; NULL if it was not.
    const char *refusal;
} ccurl_end;

/// NULL without memory, or if libcurl cannot be initialised.
ccurl *ccurl_create(void);
/// Ends all transfers. Calls nothing.
void ccurl_destroy(ccurl *all);

/// Begins a transfer that `context` names. False if it cannot begin; ccurl_run never reports it then.
bool ccurl_add(ccurl *all, const ccurl_request *request, void *context);
/// Ends a transfer. ccurl_run never reports it. Does nothing if it has ended.
void ccurl_remove(ccurl *all, void *context);

/// Moves all transfers on, and calls `ended` for each that has ended. If none has, sleeps until one can move on, or until ccurl_wake.
/// `moved` hears how many bytes a file has taken: after the first ones, and then four times a second at most.
void ccurl_run(
    ccurl *all, void *owner, void (*moved)(void *owner, void *context, size_t received),
    void (*ended)(void *owner, void *context, const ccurl_end *end));

/// Ends the current or the next sleep. Any thread may call it.
void ccurl_wake(ccurl *all);

#endif
