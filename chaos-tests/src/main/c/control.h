/*
 * What the libraries share: each is told what to do, and tells what it did, by a file that another
 * process maps too.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The least that the file has. */
#define CONTROL_BYTES 4096

/* Returns the file that the variable names, mapped for good; NULL if there is none. */
static void *map_file(const char *variable)
{
    const char *file = getenv(variable);
    if (file == NULL) {
        return NULL;
    }
    int fd = open(file, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    void *mapped = mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return mapped == MAP_FAILED ? NULL : mapped;
}

#endif
