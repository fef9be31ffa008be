/* Sits between a process and libc (LD_PRELOAD): every call that changes something below a folder is counted or written
 * down. Armed, it kills the process at a call of one's choice, in the middle of a write if wanted. Recording, it logs
 * each call with its data, for a power cut to be worked out afterwards. It can also move the wall clock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FILES 4096
#define REAL(name) ((__typeof__(&name))real(#name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[4096];
static size_t root_length;
static unsigned char ours[FILES]; /* by file descriptor: is it below the folder? */
static long left = -1;            /* calls until the end; negative: not armed */
static int torn;                  /* per mille of a write that still happens when the end comes in one */
static int last_words = -1; /* where the call is named at which the process ends */
static long seen;
static FILE *record;
static int64_t clock_offset_s;

static void *real(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

/* What a path means to the kernel, seen from a directory's descriptor; without resolving links. */
static const char *whole(int dir, const char *path, char *buffer, size_t size) {
    if (path[0] == '/')
        return path;
    char link[64], base[4096];
    ssize_t length;
    if (dir == AT_FDCWD) {
        if (!getcwd(base, sizeof base))
            return path;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
        if ((length = readlink(link, base, sizeof base - 1)) < 0)
            return path;
        base[length] = 0;
    }
    snprintf(buffer, size, "%s/%s", base, path);
    return buffer;
}

static int below(const char *path) {
    return root_length && !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

static void note(char what, int fd, int64_t number, const char *path, const char *other, const void *data, size_t n) {
    if (!record)
        return;
    struct __attribute__((packed)) {
        char what;
        int32_t fd;
        int64_t number;
        uint32_t path, other, data;
    } head = {what, fd, number, path ? strlen(path) : 0, other ? strlen(other) : 0, n};
    fwrite(&head, sizeof head, 1, record);
    fwrite(path, 1, head.path, record);
    fwrite(other, 1, head.other, record);
    fwrite(data, 1, n, record);
}

/* True when this call is the last one. */
static int due(void) {
    seen++;
    return left >= 0 && left-- == 0;
}

static void end(const char *call, int fd, const char *path) {
    char link[64], found[4096];
    if (!path) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(link, found, sizeof found - 1);
        found[length < 0 ? 0 : length] = 0;
        path = found;
    }
    if (last_words >= 0)
        dprintf(last_words, "killed %s %s\n", call, path);
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

/* ---- what Python calls through ctypes */

void calls_below(const char *folder) {
    pthread_mutex_lock(&lock);
    snprintf(root, sizeof root, "%s", folder);
    root_length = strlen(root);
    pthread_mutex_unlock(&lock);
}

void calls_kill_at(long number, int per_mille, int tell) {
    pthread_mutex_lock(&lock);
    left = number, torn = per_mille, last_words = tell, seen = 0;
    pthread_mutex_unlock(&lock);
}

long calls_seen(void) {
    return seen;
}

void calls_record(const char *path) {
    pthread_mutex_lock(&lock);
    if (record)
        fclose(record);
    record = path ? fopen(path, "we") : NULL;
    pthread_mutex_unlock(&lock);
}

void calls_mark(const char *text) {
    pthread_mutex_lock(&lock);
    note('!', -1, 0, text, NULL, NULL, 0);
    pthread_mutex_unlock(&lock);
}

void calls_move_clock(int64_t seconds) {
    clock_offset_s = seconds;
}

/* ---- files */

static int opened(int fd, int dir, const char *path, int flags) {
    char buffer[8192];
    int error = errno;
    if (fd >= 0 && fd < FILES) {
        const char *name = whole(dir, path, buffer, sizeof buffer);
        if ((ours[fd] = below(name)))
            note('o', fd, (flags & O_CREAT ? 1 : 0) | (flags & O_TRUNC ? 2 : 0), name, NULL, NULL, 0);
    }
    errno = error;
    return fd;
}

#define OPEN(name, calls, parameters, dir, mine)                                                                       \
    int name parameters {                                                                                              \
        mode_t mode = 0;                                                                                               \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                                           \
            va_list rest;                                                                                              \
            va_start(rest, flags);                                                                                     \
            mode = va_arg(rest, mode_t);                                                                               \
            va_end(rest);                                                                                              \
        }                                                                                                              \
        char buffer[8192];                                                                                             \
        pthread_mutex_lock(&lock);                                                                                     \
        if ((flags & (O_CREAT | O_TRUNC)) && below(whole(dir, path, buffer, sizeof buffer)) && due())                  \
            end("open", -1, path);                                                                                     \
        int fd = opened(REAL(calls) mine, dir, path, flags);                                                           \
        pthread_mutex_unlock(&lock);                                                                                   \
        return fd;                                                                                                     \
    }

OPEN(open, open, (const char *path, int flags, ...), AT_FDCWD, (path, flags, mode))
OPEN(open64, open64, (const char *path, int flags, ...), AT_FDCWD, (path, flags, mode))
OPEN(openat, openat, (int dir, const char *path, int flags, ...), dir, (dir, path, flags, mode))
OPEN(openat64, openat64, (int dir, const char *path, int flags, ...), dir, (dir, path, flags, mode))

static int mine(int fd) {
    return fd >= 0 && fd < FILES && ours[fd];
}

int close(int fd) {
    pthread_mutex_lock(&lock);
    if (mine(fd))
        ours[fd] = 0;
    int result = REAL(close)(fd);
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t write(int fd, const void *data, size_t size) {
    if (!mine(fd))
        return REAL(write)(fd, data, size);
    pthread_mutex_lock(&lock);
    if (due()) {
        REAL(write)(fd, data, size * torn / 1000);
        end("write", fd, NULL);
    }
    ssize_t done = REAL(write)(fd, data, size);
    int error = errno;
    if (done > 0)
        note('w', fd, lseek(fd, 0, SEEK_CUR) - done, NULL, NULL, data, done);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

#define PWRITE(name, number)                                                                                           \
    ssize_t name(int fd, const void *data, size_t size, number at) {                                                   \
        if (!mine(fd))                                                                                                 \
            return REAL(name)(fd, data, size, at);                                                                     \
        pthread_mutex_lock(&lock);                                                                                     \
        if (due()) {                                                                                                   \
            REAL(name)(fd, data, size * torn / 1000, at);                                                              \
            end("write", fd, NULL);                                                                                    \
        }                                                                                                              \
        ssize_t done = REAL(name)(fd, data, size, at);                                                                 \
        int error = errno;                                                                                             \
        if (done > 0)                                                                                                  \
            note('w', fd, at, NULL, NULL, data, done);                                                                 \
        pthread_mutex_unlock(&lock);                                                                                   \
        errno = error;                                                                                                 \
        return done;                                                                                                   \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, number)                                                                                         \
    int name(int fd, number size) {                                                                                    \
        if (!mine(fd))                                                                                                 \
            return REAL(name)(fd, size);                                                                               \
        pthread_mutex_lock(&lock);                                                                                     \
        if (due())                                                                                                     \
            end("truncate", fd, NULL);                                                                                 \
        int result = REAL(name)(fd, size), error = errno;                                                              \
        if (!result)                                                                                                   \
            note('t', fd, size, NULL, NULL, NULL, 0);                                                                  \
        pthread_mutex_unlock(&lock);                                                                                   \
        errno = error;                                                                                                 \
        return result;                                                                                                 \
    }

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                                                                     \
    int name(int fd) {                                                                                                 \
        if (!mine(fd))                                                                                                 \
            return REAL(name)(fd);                                                                                     \
        pthread_mutex_lock(&lock);                                                                                     \
        if (due())                                                                                                     \
            end("sync", fd, NULL);                                                                                     \
        int result = REAL(name)(fd), error = errno;                                                                    \
        if (!result)                                                                                                   \
            note('s', fd, 0, NULL, NULL, NULL, 0);                                                                     \
        pthread_mutex_unlock(&lock);                                                                                   \
        errno = error;                                                                                                 \
        return result;                                                                                                 \
    }

SYNC(fsync)
SYNC(fdatasync)

/* ---- names */

/* A change of one or two names: counted, made, written down. */
#define NAMES(call_name, what, from_dir, from, to_dir, to, call)                                                       \
    do {                                                                                                               \
        char one[8192], two[8192];                                                                                     \
        const char *first = whole(from_dir, from, one, sizeof one), *second = to;                                      \
        if (second)                                                                                                    \
            second = whole(to_dir, second, two, sizeof two);                                                           \
        if (!below(first) && !(second && below(second)))                                                               \
            return call;                                                                                               \
        pthread_mutex_lock(&lock);                                                                                     \
        if (due())                                                                                                     \
            end(call_name, -1, first);                                                                                 \
        int result = call, error = errno;                                                                              \
        if (!result)                                                                                                   \
            note(what, -1, 0, first, second, NULL, 0);                                                                 \
        pthread_mutex_unlock(&lock);                                                                                   \
        errno = error;                                                                                                 \
        return result;                                                                                                 \
    } while (0)

int rename(const char *from, const char *to) {
    NAMES("rename", 'r', AT_FDCWD, from, AT_FDCWD, to, REAL(rename)(from, to));
}
int renameat(int from_dir, const char *from, int to_dir, const char *to) {
    NAMES("rename", 'r', from_dir, from, to_dir, to, REAL(renameat)(from_dir, from, to_dir, to));
}
int link(const char *from, const char *to) {
    NAMES("link", 'l', AT_FDCWD, from, AT_FDCWD, to, REAL(link)(from, to));
}
int unlink(const char *path) {
    NAMES("remove", 'u', AT_FDCWD, path, AT_FDCWD, NULL, REAL(unlink)(path));
}
int unlinkat(int dir, const char *path, int flags) {
    NAMES("remove", 'u', dir, path, AT_FDCWD, NULL, REAL(unlinkat)(dir, path, flags));
}
int rmdir(const char *path) {
    NAMES("remove", 'u', AT_FDCWD, path, AT_FDCWD, NULL, REAL(rmdir)(path));
}
int mkdir(const char *path, mode_t mode) {
    NAMES("mkdir", 'm', AT_FDCWD, path, AT_FDCWD, NULL, REAL(mkdir)(path, mode));
}
int mkdirat(int dir, const char *path, mode_t mode) {
    NAMES("mkdir", 'm', dir, path, AT_FDCWD, NULL, REAL(mkdirat)(dir, path, mode));
}

/* ---- the wall clock */

int clock_gettime(clockid_t which, struct timespec *now) {
    int result = REAL(clock_gettime)(which, now);
    if (!result && which == CLOCK_REALTIME)
        now->tv_sec += clock_offset_s;
    return result;
}
