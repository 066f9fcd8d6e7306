#pragma once

// Without this macro curses.h does not declare the functions for wide characters.
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// Attributes are macros made of casts and shifts, which Swift does not import.
static inline attr_t cn_bold(void) { return WA_BOLD; }
static inline attr_t cn_dim(void) { return WA_DIM; }
static inline attr_t cn_italic(void) { return WA_ITALIC; }
static inline attr_t cn_underline(void) { return WA_UNDERLINE; }
static inline attr_t cn_reverse(void) { return WA_REVERSE; }

/// Reason: errno is a macro.
static inline int cn_errno(void) { return errno; }
/// A copy of a descriptor that programs which this one starts do not inherit; negative if there is none. Reason: fcntl is variadic.
static inline int cn_copy(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

/// Reason: COLORS is a mutable global.
static inline int cn_color_count(void) { return COLORS; }

/// The window of the current screen, as large as the screen, and freed with it. Reason: stdscr is a mutable global.
static inline WINDOW *cn_window(void) { return stdscr; }

/// Makes the next update redraw every cell. Reason: curscr is a mutable global.
static inline void cn_forget_screen(void) { clearok(curscr, TRUE); }

/// Sets a cell to one scalar. Reason: setcchar takes an array that ends in a null.
static inline void cn_set_cell(cchar_t *cell, uint32_t base, attr_t attributes, short pair) {
    const wchar_t text[2] = {(wchar_t)base, 0};
    setcchar(cell, text, attributes, pair, NULL);
}

/// Adds a mark to a cell; marks beyond a cell's capacity are left out. Reason: Swift sees the array of a cell as a
/// tuple.
static inline void cn_add_mark(cchar_t *cell, uint32_t mark) {
    for (int i = 1; i < CCHARW_MAX; i++)
        if (cell->chars[i] == 0) {
            cell->chars[i] = (wchar_t)mark;
            return;
        }
}

enum cn_problem { CN_FINE, CN_UNKNOWN, CN_NO_DATABASE };

/// The reason why newterm has refused a terminal of this name, as far as terminfo knows it: newterm does not tell. Reason: in term.h
/// `cur_term` is a macro on a global. term.h also defines names like `lines`, so it is kept out of this header.
enum cn_problem cn_problem_of_terminal(const char *name, int descriptor);

/// The sequence that the current terminal has for a terminfo name; NULL when it has none. Reason: tigetstr is in
/// term.h, and has (char *)-1 as a second way to report that there is none.
const char *cn_key_sequence(const char *name);

/// Writes the sequence that moves the cursor of the current terminal, as a null-terminated string. Returns its length;
/// 0 when there is none. Reason: tiparm is variadic, and a macro in some versions.
int cn_cursor_sequence(int row, int column, char *buffer, size_t size);

/// Shortens the sequences that change the look of text on the current terminal. Each of them turns line drawing off,
/// although nothing here turns it on and newterm has turned it off; and each writes a 0 where nothing means the same.
/// Reason: only tigetstr returns ncurses' own copy of a sequence, which is cut in place (the macros of term.h return
/// another copy).
void cn_shorten_looks(void);

/// Makes ncurses write each frame in one piece. Until the first `endwin` of a screen, ncurses 6.4 flushes its output at
/// each move of the cursor: dozens of writes a frame, for as long as the screen lives. So this leaves and enters the
/// screen once before anything is drawn, without sending the terminal the sequences for that. Reason: as for
/// `cn_shorten_looks`, only tigetstr returns the copies that ncurses uses.
void cn_join_writes(void);

/// The size of a terminal; false when the descriptor is not a terminal. Reason: ioctl is variadic.
bool cn_terminal_size(int descriptor, int *columns, int *rows);

/// The size of a terminal in pixels; false when it is not known. Reason: ioctl is variadic.
bool cn_terminal_pixels(int descriptor, int *width, int *height);

/// Decodes the first character of bytes in the locale's charset. Returns its length, 0 when more bytes are needed, -1
/// when the bytes are invalid. Reason: mbrtowc returns (size_t)-1 and -2, and needs a zeroed mbstate_t.
int cn_decode(const uint8_t *bytes, size_t count, uint32_t *scalar);

/// Makes a pipe whose ends do not block, and are closed in programs that this one starts. Reason: Swift does not see pipe2.
bool cn_private_pipe(int ends[2]);

/// Makes a signal write its number to the signal descriptor; an ignored signal stays ignored. Reason: a signal handler
/// must do nothing else, which Swift cannot promise of a closure.
void cn_watch_signal(int number, struct sigaction *old);
/// Sets the descriptor that signals are written to; -1 for none. Returns the former one.
int cn_set_signal_descriptor(int descriptor);

/// Stops the process as ^Z does by default, and returns when it is continued. Reason: SIG_DFL is a macro of a cast.
void cn_stop(void);

// Gives the terminal back when the program cannot: it crashes, or must end while the terminal accepts no output. Reason
// for C: signal handlers call most of this, and must not allocate or lock, as any line of Swift may.

/// Remembers the terminal of one screen, which can be given back from now on.
/// - descriptor: the descriptor that ncurses writes to.
/// - settings: the terminal's settings before ncurses changed them.
void cn_arm_terminal(int descriptor, const struct termios *settings);
/// Sets the bytes that give the terminal back; at most 1024.
void cn_set_farewell(const uint8_t *bytes, size_t count);
/// Notes whether ncurses has the terminal at the moment, and not the shell.
void cn_hold_terminal(bool is_held);
void cn_disarm_terminal(void);
/// Gives the terminal back without ncurses. Waits for a second at most. Returns whether the terminal has taken every
/// byte.
bool cn_restore_terminal(void);

/// Notes that a signal has come that ends the program. A write to the terminal that waits then goes to /dev/null.
void cn_note_ending(void);
void cn_forget_ending(void);
/// Call this before ncurses writes. Returns false when the program is to end, and nothing may be written any more.
bool cn_begin_output(void);
/// Call this after ncurses has written. Returns false when the terminal may not have taken all of it.
bool cn_end_output(void);

/// Makes the signals of a crash give the terminal back, write one line to the log and one to stderr, and then end the
/// process as they would have. Call it once, before there are other threads.
/// - path: of the log; empty for none.
/// - shown: the path as it may be printed on a terminal.
void cn_guard_crashes(const char *path, const char *shown);
