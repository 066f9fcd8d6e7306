#define _GNU_SOURCE
#include "CMapping.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sigaction former;
static atomic_int losses;
static uintptr_t page_size;

static const char ending[] = "-shm";

// Whether an address lies in a mapping of a `*-shm` file. Reads /proc/self/maps, whose lines look like this one of
// proc_pid_maps(5):
// 7f17fc358000-7f17fc360000 rw-s 00000000 08:01 262151   /home/ana/.cache/kedge/chats-1234/records.db-shm
static bool is_shared_memory(uintptr_t address) {
    int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps < 0)
        return false;
    char buffer[4096];
    uintptr_t bounds[2] = {0, 0};
    int field = 0; // 0 and 1: the bounds; 2: the rest of the line
    size_t matched = 0;
    bool is_named = false, is_found = false;
    ssize_t count;
    while (!is_found && (count = read(maps, buffer, sizeof buffer)) > 0) {
        for (ssize_t i = 0; i < count && !is_found; i++) {
            char c = buffer[i];
            if (c == '\n') {
                is_found = is_named && bounds[0] <= address && address < bounds[1];
                bounds[0] = bounds[1] = 0;
                field = 0;
                matched = 0;
                is_named = false;
            } else if (field < 2) {
                if (c == '-' || c == ' ')
                    field++;
                else
                    bounds[field] = bounds[field] << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
            } else {
                matched = c == ending[matched] ? matched + 1 : c == ending[0];
                if (matched == sizeof ending - 1) {
                    is_named = true;
                    matched = 0;
                }
            }
        }
    }
    close(maps);
    return is_found;
}

static void mend(int number, siginfo_t *info, void *context) {
    int saved = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    if (info->si_code == BUS_ADRERR && is_shared_memory(address)) {
        void *page = (void *)(address & ~(page_size - 1));
        int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
        if (mmap(page, page_size, PROT_READ | PROT_WRITE, kind, -1, 0) != MAP_FAILED) {
            atomic_fetch_add(&losses, 1);
            errno = saved;
            return;
        }
    }
    if (former.sa_flags & SA_SIGINFO) {
        former.sa_sigaction(number, info, context);
    } else if (former.sa_handler == SIG_DFL || former.sa_handler == SIG_IGN) {
        // The signal takes its former action as soon as this handler returns.
        sigaction(number, &former, NULL);
        raise(number);
    } else {
        former.sa_handler(number);
    }
    errno = saved;
}

static void guard(void) {
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = mend;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &former);
}

void cmapping_guard(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, guard);
}

int cmapping_losses(void) { return atomic_load(&losses); }
