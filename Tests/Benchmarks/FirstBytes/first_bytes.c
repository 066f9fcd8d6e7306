#define _GNU_SOURCE
#include "include/first_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static int open_terminal(int rows, int columns, char *path, size_t path_size) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    if (terminal < 0)
        return -1;
    if (grantpt(terminal) == 0 && unlockpt(terminal) == 0 && ptsname_r(terminal, path, path_size) == 0 &&
        ioctl(terminal, TIOCSWINSZ, &size) == 0)
        return terminal;
    close(terminal);
    return -1;
}

static int start(const char *path, char *const *arguments, char *const *environment, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // The first terminal that the leader of a session opens is its own.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 1);
    posix_spawn_file_actions_adddup2(&actions, 0, 2);
    int status = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return status;
}

// Reads until the target has come: it may come in two reads.
static enum first_bytes_problem read_target(int terminal, const char *target, size_t size, double deadline) {
    static char bytes[1 << 20];
    size_t count = 0;
    while (1) {
        struct pollfd request = {.fd = terminal, .events = POLLIN};
        double left = deadline - now();
        if (left <= 0)
            return FB_LATE;
        if (poll(&request, 1, (int)(left * 1000) + 1) <= 0)
            continue;
        if (count == sizeof bytes) {
            memmove(bytes, bytes + count - size, size);
            count = size;
        }
        ssize_t length = read(terminal, bytes + count, sizeof bytes - count);
        if (length < 0 && errno == EINTR)
            continue;
        if (length <= 0)
            return FB_ENDED;
        size_t from = count >= size ? count - size : 0;
        count += (size_t)length;
        if (memmem(bytes + from, count - from, target, size) != NULL)
            return FB_NONE;
    }
}

enum first_bytes_problem first_bytes(char *const *arguments, char *const *environment, int rows, int columns,
                                     const char *target, size_t target_size, double limit, struct first_bytes *result) {
    char path[128];
    int terminal = open_terminal(rows, columns, path, sizeof path);
    if (terminal < 0)
        return FB_NO_TERMINAL;
    pid_t process = 0;
    double begin = now();
    if (start(path, arguments, environment, &process) != 0) {
        close(terminal);
        return FB_NO_PROGRAM;
    }
    enum first_bytes_problem problem = read_target(terminal, target, target_size, begin + limit);
    result->seconds = now() - begin;
    kill(process, SIGKILL);
    struct rusage usage;
    while (wait4(process, NULL, 0, &usage) < 0 && errno == EINTR) {
    }
    result->processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    close(terminal);
    return problem;
}
