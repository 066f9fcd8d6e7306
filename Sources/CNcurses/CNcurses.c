#define _GNU_SOURCE
#include "CNcurses.h"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <term.h>

enum cn_problem cn_problem_of_terminal(const char *name, int descriptor) {
    int status = 1;
    if (setupterm(name, descriptor, &status) == ERR)
        return status < 0 ? CN_NO_DATABASE : CN_UNKNOWN;
    del_curterm(cur_term);
    return CN_FINE;
}

int cn_cursor_sequence(int row, int column, char *buffer, size_t size) {
    const char *move = tigetstr("cup");
    if (move == NULL || move == (const char *)-1)
        return 0;
    const char *sequence = tiparm(move, row, column);
    if (sequence == NULL || strlen(sequence) >= size)
        return 0;
    strcpy(buffer, sequence);
    return (int)strlen(sequence);
}

const char *cn_key_sequence(const char *name) {
    const char *sequence = tigetstr(name);
    return sequence == (char *)-1 ? NULL : sequence;
}

// Replaces a part of a sequence, in place, with a text that is not longer.
static void shorten(const char *name, const char *part, const char *shorter) {
    char *sequence = tigetstr(name);
    if (sequence == NULL || sequence == (char *)-1)
        return;
    char *found = strstr(sequence, part);
    if (found == NULL)
        return;
    char *rest = found + strlen(part);
    memcpy(found, shorter, strlen(shorter));
    memmove(found + strlen(shorter), rest, strlen(rest) + 1);
}

void cn_shorten_looks(void) {
    shorten("sgr", "%?%p9%t\033(0%e\033(B%;", ""); // xterm
    shorten("sgr0", "\033(B", "");
    shorten("sgr", "%?%p9%t\016%e\017%;", ""); // tmux, screen
    shorten("sgr0", "\017", "");
    shorten("sgr", "\033[0%", "\033[%");
}

// Calls a function of ncurses while the terminal's sequence of this name is hidden from it.
static void call_without(const char *name, int (*function)(void)) {
    char *sequence = tigetstr(name);
    if (sequence == NULL || sequence == (char *)-1) {
        function();
        return;
    }
    const char first = sequence[0];
    sequence[0] = 0;
    function();
    sequence[0] = first;
}

void cn_join_writes(void) {
    call_without("rmcup", endwin);
    call_without("smcup", doupdate);
}

bool cn_terminal_size(int descriptor, int *size_columns, int *size_rows) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0)
        return false;
    *size_columns = size.ws_col;
    *size_rows = size.ws_row;
    return true;
}

bool cn_terminal_pixels(int descriptor, int *width, int *height) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_xpixel == 0 || size.ws_ypixel == 0)
        return false;
    *width = size.ws_xpixel;
    *height = size.ws_ypixel;
    return true;
}

// The locale of the environment, when its charset is not UTF-8, which this process always uses. Input is then decoded
// by that locale. ASCII does not count: it would only lose input in UTF-8.
static locale_t typing_locale(void) {
    static bool is_known;
    static locale_t found;
    if (is_known)
        return found;
    is_known = true;
    locale_t named = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (named == (locale_t)0)
        return found;
    const char *charset = nl_langinfo_l(CODESET, named);
    if (strcmp(charset, "UTF-8") != 0 && strcmp(charset, "ANSI_X3.4-1968") != 0)
        found = named;
    else
        freelocale(named);
    return found;
}

int cn_decode(const uint8_t *bytes, size_t count, uint32_t *scalar) {
    mbstate_t state;
    memset(&state, 0, sizeof state);
    wchar_t character = 0;
    locale_t typing = typing_locale();
    locale_t before = typing != (locale_t)0 ? uselocale(typing) : (locale_t)0;
    size_t length = mbrtowc(&character, (const char *)bytes, count, &state);
    if (typing != (locale_t)0)
        uselocale(before);
    if (length == (size_t)-2)
        return 0;
    if (length == (size_t)-1)
        return -1;
    *scalar = (uint32_t)character;
    return length == 0 ? 1 : (int)length;
}

bool cn_private_pipe(int ends[2]) { return pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0; }

static volatile sig_atomic_t signal_descriptor = -1;

// True for a signal that ends the program, which must not then wait for a terminal that accepts no output.
static bool is_ending(int number) { return number != SIGWINCH && number != SIGCONT && number != SIGTSTP; }

static void note_signal(int number) {
    int saved = errno;
    if (is_ending(number))
        cn_note_ending();
    unsigned char byte = (unsigned char)number;
    if (signal_descriptor >= 0 && write(signal_descriptor, &byte, 1) < 0) {
        // The pipe is full, so the reader wakes anyway.
    }
    errno = saved;
}

void cn_watch_signal(int number, struct sigaction *old) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    // Without SA_RESTART, a signal that ends the program also ends a write that waits for the terminal.
    action.sa_flags = is_ending(number) ? 0 : SA_RESTART;
    sigemptyset(&action.sa_mask);
    // Hardly any signal is ignored, so this is one call for each of them, not two.
    sigaction(number, &action, old);
    if (!(old->sa_flags & SA_SIGINFO) && old->sa_handler == SIG_IGN)
        sigaction(number, old, NULL);
}

int cn_set_signal_descriptor(int descriptor) {
    int old = signal_descriptor;
    cn_forget_ending();
    signal_descriptor = descriptor;
    return old;
}

void cn_stop(void) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, &action, &old);
    // Stops the whole process group, as the terminal itself does on ^Z: under make, the shell waits for make to stop.
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &old, NULL);
}
