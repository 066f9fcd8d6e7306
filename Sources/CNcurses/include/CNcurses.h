#pragma once

// Without it the wide functions are not declared (curses.h leaves them out unless asked by a feature macro).
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

// Attributes: macros made of casts and shifts.
static inline attr_t cn_bold(void) { return WA_BOLD; }
static inline attr_t cn_dim(void) { return WA_DIM; }
static inline attr_t cn_italic(void) { return WA_ITALIC; }
static inline attr_t cn_underline(void) { return WA_UNDERLINE; }
static inline attr_t cn_reverse(void) { return WA_REVERSE; }

/// Reason: errno is a macro.
static inline int cn_errno(void) { return errno; }

/// Reason: COLORS is a mutable global.
static inline int cn_color_count(void) { return COLORS; }

/// Reason: curscr is a mutable global. The next update redraws every cell.
static inline void cn_forget_screen(void) { clearok(curscr, TRUE); }

/// Reason: setcchar wants an array that ends in a null; here is one scalar.
static inline void cn_set_cell(cchar_t *cell, uint32_t base, attr_t attributes, short pair) {
    const wchar_t text[2] = {(wchar_t)base, 0};
    setcchar(cell, text, attributes, pair, NULL);
}

/// Reason: Swift sees the array of a cell as a tuple. Marks beyond what a cell can hold are left out.
static inline void cn_add_mark(cchar_t *cell, uint32_t mark) {
    for (int i = 1; i < CCHARW_MAX; i++)
        if (cell->chars[i] == 0) {
            cell->chars[i] = (wchar_t)mark;
            return;
        }
}

enum cn_problem { CN_FINE, CN_UNKNOWN, CN_NO_DATABASE, CN_NO_CURSOR };

/// Whether a full-screen program can run on a terminal of this name. Reason: in term.h `cur_term` and
/// `cursor_address` are macros on globals (and so are names like `lines`, so that it is kept out of this header).
enum cn_problem cn_problem_of_terminal(const char *name, int descriptor);

/// What the current terminal's keys send, by terminfo name; NULL when it has no such key. Reason: tigetstr is in
/// term.h, and has (char *)-1 as a second way to say no.
const char *cn_key_sequence(const char *name);

/// What moves the cursor of the current terminal, as a string with its end; answers with its length, 0 for none. Reason:
/// tiparm is variadic, and a macro in some versions.
int cn_cursor_sequence(int row, int column, char *buffer, size_t size);

/// Makes what says to the current terminal how text looks shorter: takes out of each change of look that no line drawing set
/// is on (nothing here turns one on, and newterm has turned it off), and a 0 where nothing means the same. Reason: only
/// tigetstr gives ncurses' own copy of a sequence (the macros of term.h give another one), to be cut in place.
void cn_shorten_looks(void);

/// Makes ncurses write each frame in one piece. Until the first `endwin` of a screen, ncurses 6.4 writes out at each move of the
/// cursor: dozens of pieces a frame, for as long as the screen lives. So the screen is left and entered again here, before
/// anything is drawn; the terminal is not told to leave its second screen meanwhile. Reason: as with `cn_shorten_looks`, only
/// tigetstr gives the copies that ncurses uses.
void cn_join_writes(void);

/// Reason: ioctl is variadic. False when the descriptor is no terminal.
bool cn_terminal_size(int descriptor, int *columns, int *rows);

/// The first character of bytes in the locale's charset: its length, 0 when more bytes are needed, -1 when it is none.
/// Reason: mbrtowc answers with (size_t)-1 and -2, and needs a zeroed mbstate_t.
int cn_decode(const uint8_t *bytes, size_t count, uint32_t *scalar);

/// Non-blocking, and closed in programs that this one starts. Reason: fcntl is variadic.
void cn_make_private(int descriptor);

/// Makes a signal write its number into a descriptor; one that is ignored stays so. Reason: a signal handler must do
/// no more than that, which Swift cannot promise of a closure.
void cn_watch_signal(int number, struct sigaction *old);
/// Where the signals go; -1 is nowhere. Answers with where they went before.
int cn_set_signal_descriptor(int descriptor);

/// Stops the process as ^Z does by default, and returns when it is continued. Reason: SIG_DFL is a macro of a cast.
void cn_stop(void);

// What gives the terminal back when the program cannot: it crashes, or is told to end while the terminal takes nothing.
// Reason for C: signal handlers call most of it, and must do nothing that Swift may do behind a line (allocate, lock).

/// From now on there is a terminal that can be given back. Of one screen at a time.
/// - descriptor: what ncurses writes to.
/// - settings: of the terminal before ncurses changed them.
void cn_arm_terminal(int descriptor, const struct termios *settings);
/// What is written to the terminal to give it back; at most 1024 bytes.
void cn_set_farewell(const uint8_t *bytes, size_t count);
/// Whether the terminal is in the hands of ncurses just now, and not in those of the shell.
void cn_hold_terminal(bool is_held);
void cn_disarm_terminal(void);
/// Gives the terminal back, without ncurses. Waits a second at most.
/// Answers with whether the terminal has taken all that was written.
bool cn_restore_terminal(void);

/// A signal has come that ends the program. What is being written to the terminal goes nowhere then, if it waits.
void cn_note_ending(void);
void cn_forget_ending(void);
/// To be called before ncurses writes. False when nothing may be written any more, since the program is to end.
bool cn_begin_output(void);
/// To be called when it has written. False when not all of it may have reached the terminal.
bool cn_end_output(void);

/// Lets the signals of a crash give the terminal back, write a line into the log and one on stderr, and then end the process
/// as they would have. To be called once, before other threads are there.
/// - path: of the log; empty for none.
/// - shown: the same as it may be shown.
void cn_guard_crashes(const char *path, const char *shown);
