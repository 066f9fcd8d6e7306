#define _GNU_SOURCE
#include "CMapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sigaction former;
static uintptr_t page_size;

// The watched mappings. A slot whose start is 0 is free; a start of 1 is taken and not watched yet.
enum { most_watched = 1024 };
static struct {
    _Atomic uintptr_t start, end;
    atomic_bool is_cut;
} watched[most_watched];

// Marks the watched mapping with an address as cut off; returns whether there is one.
static bool note_cut(uintptr_t address) {
    for (int i = 0; i < most_watched; i++) {
        uintptr_t start = atomic_load(&watched[i].start);
        if (start > 1 && start <= address && address < atomic_load(&watched[i].end)) {
            atomic_store(&watched[i].is_cut, true);
            return true;
        }
    }
    return false;
}

static void mend(int number, siginfo_t *info, void *context) {
    int saved = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    if (info->si_code == BUS_ADRERR && note_cut(address)) {
        void *page = (void *)(address & ~(page_size - 1));
        int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
        if (mmap(page, page_size, PROT_READ | PROT_WRITE, kind, -1, 0) != MAP_FAILED) {
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

int cmapping_watch(const void *address, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, guard);
    for (int i = 0; i < most_watched; i++) {
        uintptr_t none = 0;
        if (!atomic_compare_exchange_strong(&watched[i].start, &none, 1))
            continue;
        uintptr_t start = (uintptr_t)address;
        atomic_store(&watched[i].is_cut, false);
        atomic_store(&watched[i].end, (start + size + page_size - 1) & ~(page_size - 1));
        atomic_store(&watched[i].start, start);
        return i;
    }
    return -1;
}

void cmapping_unwatch(int number) {
    if (number >= 0)
        atomic_store(&watched[number].start, 0);
}

bool cmapping_is_cut(int number) { return number >= 0 && atomic_load(&watched[number].is_cut); }
