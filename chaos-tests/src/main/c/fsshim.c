/*
 * LD_PRELOAD library: syncs and writes of one process are slow or fail.
 *
 * FSSHIM_FILE    file of at least one page that holds a struct control; another process writes the
 *                orders and reads the counts
 * FSSHIM_PREFIX  real path of the folder that is meant; without it all files are
 *
 * A sync that is told to fail does not reach the file system at all, and neither does a write.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "control.h"

/* The same numbers are in FsShim.java. */
struct control {
    int64_t sync_delay_micros;
    int64_t sync_fail_percent;
    int64_t no_space_percent;
    int64_t unused;
    int64_t syncs_seen;
    int64_t syncs_delayed;
    int64_t syncs_failed;
    int64_t writes_failed;
};
_Static_assert(offsetof(struct control, syncs_seen) == 32, "as in FsShim.java");
_Static_assert(offsetof(struct control, writes_failed) == 56, "as in FsShim.java");
_Static_assert(sizeof(off_t) == 8, "write and its kin exist once for all sizes of files");

static struct control nothing;
static struct control *control = &nothing;
static const char *prefix;
static uint64_t draws;

__attribute__((constructor)) static void map_control(void)
{
    prefix = getenv("FSSHIM_PREFIX");
    void *mapped = map_file("FSSHIM_FILE");
    if (mapped != NULL) {
        control = mapped;
    }
}

static int64_t order(const int64_t *field)
{
    return __atomic_load_n(field, __ATOMIC_RELAXED);
}

static void count(int64_t *field)
{
    __atomic_fetch_add(field, 1, __ATOMIC_RELAXED);
}

/* Draws without a lock: a number is mixed from how many were drawn before (splitmix64). */
static int happens(int64_t percent)
{
    if (percent <= 0) {
        return 0;
    }
    uint64_t mixed = __atomic_add_fetch(&draws, 1, __ATOMIC_RELAXED) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return (int64_t) ((mixed ^ (mixed >> 31)) % 100) < percent;
}

/* Tells whether a file lies in the folder, and not in one whose name only begins like it. */
static int is_meant(int fd)
{
    if (prefix == NULL) {
        return 1;
    }
    char link[64];
    char path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) {
        return 0;
    }
    path[length] = '\0';
    size_t folder = strlen(prefix);
    return strncmp(path, prefix, folder) == 0 && (path[folder] == '/' || path[folder] == '\0');
}

static void wait_micros(int64_t micros)
{
    struct timespec left = {micros / 1000000, (micros % 1000000) * 1000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

/* Returns whether this sync has to fail; delays it first. Leaves errno alone if it must not. */
static int sync_fails(int fd)
{
    int before = errno;
    if (!is_meant(fd)) {
        errno = before;
        return 0;
    }
    count(&control->syncs_seen);
    int64_t delay = order(&control->sync_delay_micros);
    if (delay > 0) {
        wait_micros(delay);
        count(&control->syncs_delayed);
    }
    if (happens(order(&control->sync_fail_percent))) {
        count(&control->syncs_failed);
        errno = EIO;
        return 1;
    }
    errno = before;
    return 0;
}

/* Returns whether this write has to fail for want of space. Leaves errno alone if it must not. */
static int write_fails(int fd)
{
    int before = errno;
    if (happens(order(&control->no_space_percent)) && is_meant(fd)) {
        count(&control->writes_failed);
        errno = ENOSPC;
        return 1;
    }
    errno = before;
    return 0;
}

/* Two threads may look the same function up at once: both store the same pointer. */
#define NEXT(name)                                                              \
    static __typeof__(&name) next;                                              \
    if (__atomic_load_n(&next, __ATOMIC_RELAXED) == NULL) {                     \
        __atomic_store_n(                                                       \
            &next, (__typeof__(&name)) dlsym(RTLD_NEXT, #name), __ATOMIC_RELAXED); \
    }

int fsync(int fd)
{
    NEXT(fsync)
    return sync_fails(fd) ? -1 : next(fd);
}

int fdatasync(int fd)
{
    NEXT(fdatasync)
    return sync_fails(fd) ? -1 : next(fd);
}

int sync_file_range(int fd, off64_t offset, off64_t bytes, unsigned int flags)
{
    NEXT(sync_file_range)
    return sync_fails(fd) ? -1 : next(fd, offset, bytes, flags);
}

ssize_t write(int fd, const void *from, size_t bytes)
{
    NEXT(write)
    return write_fails(fd) ? -1 : next(fd, from, bytes);
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t offset)
{
    NEXT(pwrite)
    return write_fails(fd) ? -1 : next(fd, from, bytes, offset);
}

ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t offset)
{
    NEXT(pwrite64)
    return write_fails(fd) ? -1 : next(fd, from, bytes, offset);
}

ssize_t writev(int fd, const struct iovec *from, int pieces)
{
    NEXT(writev)
    return write_fails(fd) ? -1 : next(fd, from, pieces);
}

ssize_t pwritev(int fd, const struct iovec *from, int pieces, off_t offset)
{
    NEXT(pwritev)
    return write_fails(fd) ? -1 : next(fd, from, pieces, offset);
}

ssize_t pwritev64(int fd, const struct iovec *from, int pieces, off64_t offset)
{
    NEXT(pwritev64)
    return write_fails(fd) ? -1 : next(fd, from, pieces, offset);
}

int fallocate(int fd, int mode, off_t offset, off_t bytes)
{
    NEXT(fallocate)
    return write_fails(fd) ? -1 : next(fd, mode, offset, bytes);
}

int fallocate64(int fd, int mode, off64_t offset, off64_t bytes)
{
    NEXT(fallocate64)
    return write_fails(fd) ? -1 : next(fd, mode, offset, bytes);
}
