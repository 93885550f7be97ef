/*
 * godown FOLDER: the power of a disk goes off, as far as its file system can tell.
 *
 * From then on all I/O on it fails, and what was not synced is lost when it is mounted again: the
 * journal is not flushed. Works on ext4 and xfs.
 *
 * It must never hit a file system that the machine lives on. So the folder has to be where a file
 * system on a loop device is mounted, and nothing else is shut down.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define FS_IOC_SHUTDOWN _IOR('X', 125, uint32_t)
#define FLAGS_NO_LOG_FLUSH 2u
#define LOOP_MAJOR 7u

static int fail(const char *what)
{
    fprintf(stderr, "godown: %s: %s\n", what, strerror(errno));
    return 1;
}

static int is_loop_mount(int folder)
{
    struct stat here;
    struct stat above;
    return fstat(folder, &here) == 0 && fstatat(folder, "..", &above, 0) == 0
        && here.st_dev != above.st_dev && major(here.st_dev) == LOOP_MAJOR;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: godown FOLDER\n");
        return 2;
    }
    int folder = open(arguments[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return fail(arguments[1]);
    }
    if (!is_loop_mount(folder)) {
        fprintf(stderr, "godown: %s: no loop device is mounted there\n", arguments[1]);
        return 3;
    }
    uint32_t flags = FLAGS_NO_LOG_FLUSH;
    if (ioctl(folder, FS_IOC_SHUTDOWN, &flags) < 0) {
        return fail("shutdown");
    }
    close(folder);
    return 0;
}
