#define _GNU_SOURCE
#include "CNcurses.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

// Every function that a signal handler calls here is async-signal-safe (signal-safety(7)), or a plain system call on
// Linux.

// A descriptor for giving the terminal back. It is a separate open file of the same terminal, because its writes must
// not block: O_NONBLOCK belongs to the open file, and the shell shares the other one.
static int terminal = -1;
static struct termios terminal_settings;
static uint8_t terminal_bytes[1024];
static size_t terminal_count;
static volatile sig_atomic_t is_armed;

// The descriptor that ncurses writes to, and /dev/null, which replaces it once the terminal accepts no output.
static int output = -1;
static int nowhere = -1;
static volatile sig_atomic_t is_writing;
static volatile sig_atomic_t is_ending;
static volatile sig_atomic_t is_diverted;

// The milliseconds that are left, over all writes, for waiting until the terminal accepts output.
static int patience;

static bool write_patiently(int descriptor, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    while (count > 0) {
        ssize_t written = write(descriptor, next, count);
        if (written > 0) {
            next += written;
            count -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            struct pollfd request = {.fd = descriptor, .events = POLLOUT};
            if (patience <= 0)
                return false;
            patience -= 20;
            poll(&request, 1, 20);
        } else if (written == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

// Opens the terminal a second time; where that fails, duplicates its descriptor.
static int reopen(int descriptor) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    int own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return own >= 0 ? own : fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

void cn_arm_terminal(int descriptor, const struct termios *settings) {
    cn_disarm_terminal();
    output = descriptor;
    terminal_settings = *settings;
    terminal_count = 0;
    terminal = reopen(descriptor);
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    is_diverted = 0;
}

void cn_set_farewell(const uint8_t *bytes, size_t count) {
    if (count > sizeof terminal_bytes)
        return;
    memcpy(terminal_bytes, bytes, count);
    terminal_count = count;
}

void cn_hold_terminal(bool is_held) { is_armed = is_held; }

void cn_disarm_terminal(void) {
    is_armed = 0;
    output = -1;
    if (terminal >= 0)
        close(terminal);
    if (nowhere >= 0)
        close(nowhere);
    terminal = nowhere = -1;
}

bool cn_restore_terminal(void) {
    is_armed = 0;
    if (terminal < 0)
        return false;
    // SIGTTOU would stop a process in the background that changes the terminal's settings.
    sigset_t background, before;
    sigemptyset(&background);
    sigaddset(&background, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &background, &before);
    patience = 1000;
    bool is_written = write_patiently(terminal, terminal_bytes, terminal_count);
    while (tcsetattr(terminal, TCSANOW, &terminal_settings) != 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_written;
}

// MARK: Ending while the terminal takes nothing

static void divert(void) {
    if (nowhere >= 0 && output >= 0)
        dup2(nowhere, output);
    is_diverted = 1;
}

void cn_note_ending(void) {
    is_ending = 1;
    if (is_writing)
        divert();
}

void cn_forget_ending(void) { is_ending = 0; }

bool cn_begin_output(void) {
    // The flag is set before the check, so that a signal between the two lines is noticed by the one or the other.
    is_writing = 1;
    if (!is_ending)
        return true;
    is_writing = 0;
    return false;
}

bool cn_end_output(void) {
    is_writing = 0;
    return !is_diverted;
}

// MARK: Crashes

static const struct {
    int number;
    const char *name;
} crashes[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGABRT, "SIGABRT"}, {SIGILL, "SIGILL"},
               {SIGTRAP, "SIGTRAP"}, {SIGFPE, "SIGFPE"},   {SIGSYS, "SIGSYS"}};
enum { crash_count = sizeof crashes / sizeof crashes[0] };
static struct sigaction former[crash_count];
static atomic_int crashing_thread;
static char log_path[4096];
static char shown_path[4096];
static uint8_t alternate_stack[64 << 10];

extern const char __executable_start;

struct text {
    char bytes[4096 + 512];
    size_t count;
};

static void put(struct text *text, const char *part) {
    while (*part != 0 && text->count < sizeof text->bytes)
        text->bytes[text->count++] = *part++;
}

static void put_number(struct text *text, uint64_t value, unsigned base, int digits) {
    char reversed[64];
    int count = 0;
    do {
        reversed[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0 || count < digits);
    while (count > 0 && text->count < sizeof text->bytes)
        text->bytes[text->count++] = reversed[--count];
}

// Writes the time as 2026-11-22T18:31:22.123Z. Uses Howard Hinnant's days-to-civil, because gmtime may take a lock.
static void put_time(struct text *text) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t days = now.tv_sec / 86400 + 719468;
    int64_t era = days / 146097, of_era = days % 146097;
    int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * of_year + 2) / 153;
    int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    put_number(text, (uint64_t)(year_of_era + era * 400 + (month <= 2)), 10, 4);
    put(text, "-");
    put_number(text, (uint64_t)month, 10, 2);
    put(text, "-");
    put_number(text, (uint64_t)(of_year - (153 * shifted + 2) / 5 + 1), 10, 2);
    put(text, "T");
    put_number(text, (uint64_t)(now.tv_sec / 3600 % 24), 10, 2);
    put(text, ":");
    put_number(text, (uint64_t)(now.tv_sec / 60 % 60), 10, 2);
    put(text, ":");
    put_number(text, (uint64_t)(now.tv_sec % 60), 10, 2);
    put(text, ".");
    put_number(text, (uint64_t)(now.tv_nsec / 1000000), 10, 3);
    put(text, "Z");
}

// The address of the faulty instruction as an offset into the program, for addr2line.
static uintptr_t code_offset(const void *context) {
    if (context == NULL)
        return 0;
    const ucontext_t *state = context;
#if defined(__x86_64__)
    uintptr_t place = (uintptr_t)state->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    uintptr_t place = (uintptr_t)state->uc_mcontext.pc;
#else
    uintptr_t place = 0;
#endif
    return place - (uintptr_t)&__executable_start;
}

// Creates the log's folders, for their owner alone, and appends one line.
static bool write_log(const struct text *line) {
    if (log_path[0] == 0)
        return false;
    for (char *end = strchr(log_path + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = 0;
        mkdir(log_path, 0700);
        *end = '/';
    }
    int file = open(log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file < 0)
        return false;
    bool is_written = write(file, line->bytes, line->count) == (ssize_t)line->count;
    close(file);
    return is_written;
}

static bool has_memory(void) {
    size_t size = 1 << 20;
    void *some = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (some == MAP_FAILED)
        return false;
    munmap(some, size);
    return true;
}

static void tell(const struct text *line) {
    // The terminal may be stopped, so every wait here has a limit.
    struct pollfd request = {.fd = STDERR_FILENO, .events = POLLOUT};
    patience = 200;
    if (isatty(STDERR_FILENO) && terminal >= 0)
        write_patiently(terminal, line->bytes, line->count);
    else if (poll(&request, 1, 200) == 1 && (request.revents & POLLOUT))
        write_patiently(STDERR_FILENO, line->bytes, line->count);
}

static void die(int number, siginfo_t *info, void *context) {
    int self = (int)syscall(SYS_gettid), nobody = 0;
    size_t index = 0;
    while (index + 1 < crash_count && crashes[index].number != number)
        index++;
    if (atomic_compare_exchange_strong(&crashing_thread, &nobody, self)) {
        const char *reason = has_memory() ? "crashed" : "ended, since there is no memory left";
        if (is_armed)
            cn_restore_terminal();
        struct text record = {.count = 0};
        put_time(&record);
        put(&record, " critical ");
        put(&record, reason);
        put(&record, ": ");
        put(&record, crashes[index].name);
        put(&record, info->si_code > 0 ? ", address 0x" : ", sent by process ");
        if (info->si_code > 0)
            put_number(&record, (uint64_t)(uintptr_t)info->si_addr, 16, 1);
        else
            put_number(&record, (uint64_t)info->si_pid, 10, 1);
        put(&record, ", code 0x");
        put_number(&record, code_offset(context), 16, 1);
        put(&record, "\n");
        bool is_logged = write_log(&record);
        struct text line = {.count = 0};
        put(&line, "kedge: ");
        put(&line, reason);
        put(&line, " (");
        put(&line, crashes[index].name);
        put(&line, is_logged ? "); the log is " : "); there is no log");
        if (is_logged)
            put(&line, shown_path);
        put(&line, "\n");
        tell(&line);
    } else if (nobody != self) {
        // Another thread crashed first and ends the process.
        for (;;)
            pause();
    }
    // Ends the process as it would have ended without this handler: by the former handler, or by the system.
    sigaction(number, &former[index], NULL);
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, number);
    pthread_sigmask(SIG_UNBLOCK, &own, NULL);
    raise(number);
}

void cn_guard_crashes(const char *path, const char *shown) {
    snprintf(log_path, sizeof log_path, "%s", strlen(path) < sizeof log_path ? path : "");
    snprintf(shown_path, sizeof shown_path, "%s", shown);
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    sigaltstack(&stack, NULL);
    for (size_t index = 0; index < crash_count; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = die;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        // Crash signals stay unblocked: a fault within the handler must end the process.
        sigfillset(&action.sa_mask);
        for (size_t other = 0; other < crash_count; other++)
            sigdelset(&action.sa_mask, crashes[other].number);
        sigaction(crashes[index].number, &action, &former[index]);
    }
}
