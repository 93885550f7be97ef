/*
 * LD_PRELOAD library: one process has clocks of its own.
 *
 * CLOCKSHIM_FILE  file of at least one page that holds a struct control; another process writes it
 *
 * The wall clock shows the true one plus an offset. The monotonic clock shows
 *
 *     true + offset + (true - base) * ppm / 1000000
 *
 * Who writes the control takes care that this line goes on from where the line before it ended:
 * then the monotonic clock never steps back. For that a clock is read between two looks at the
 * sequence, so that the time and the line that it is shown by belong together.
 *
 * Deadlines that a process waits for are its own times, and are mapped back to true time when the
 * wait begins. A wait that is under way when a clock changes ends when it would have without the
 * change. Waits for a span of time (epoll_wait, poll, nanosleep) last as long as they say in true
 * time. CLOCK_MONOTONIC_RAW and CLOCK_BOOTTIME stay true.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "control.h"

#define NANOS 1000000000LL
#define MILLION 1000000LL
/* A deadline above this is of the wall clock (2001), one below of the monotonic one (31 years). */
#define WALL_SECONDS 1000000000LL
/* No clock gets here: such a deadline means never, and is not reckoned with. */
#define NEVER_SECONDS 9000000000LL

/* The same numbers are in ClockControl.java. The sequence is odd while a line is being written. */
struct control {
    uint64_t sequence;
    int64_t wall_offset_nanos;
    int64_t base_nanos;
    int64_t offset_nanos;
    int64_t ppm;
    int64_t unused[3];
    uint64_t faked_reads;
};
_Static_assert(offsetof(struct control, ppm) == 32, "as in ClockControl.java");
_Static_assert(offsetof(struct control, faked_reads) == 64, "on a cache line of its own");
_Static_assert(sizeof(time_t) == 8, "seconds of 64 bits");

struct line {
    int64_t wall_offset_nanos;
    int64_t base_nanos;
    int64_t offset_nanos;
    int64_t ppm;
};

static struct control truth;
static struct control *control = &truth;

__attribute__((constructor)) static void map_control(void)
{
    void *mapped = map_file("CLOCKSHIM_FILE");
    if (mapped != NULL) {
        control = mapped;
    }
}

/* Two threads may look the same function up at once: both store the same pointer. */
#define NEXT(name)                                                                 \
    static __typeof__(&name) next;                                                 \
    if (__atomic_load_n(&next, __ATOMIC_RELAXED) == NULL) {                        \
        __atomic_store_n(                                                          \
            &next, (__typeof__(&name)) dlsym(RTLD_NEXT, #name), __ATOMIC_RELAXED); \
    }

static int true_time(clockid_t clock, struct timespec *time)
{
    NEXT(clock_gettime)
    return next(clock, time);
}

/* Waits until no line is being written; the writer is between a few stores then. */
static uint64_t begin(void)
{
    uint64_t sequence;
    while ((sequence = __atomic_load_n(&control->sequence, __ATOMIC_ACQUIRE)) & 1) {
        sched_yield();
    }
    return sequence;
}

static int is_still(uint64_t sequence)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&control->sequence, __ATOMIC_RELAXED) == sequence;
}

static struct line current(void)
{
    struct line line;
    line.wall_offset_nanos = __atomic_load_n(&control->wall_offset_nanos, __ATOMIC_RELAXED);
    line.base_nanos = __atomic_load_n(&control->base_nanos, __ATOMIC_RELAXED);
    line.offset_nanos = __atomic_load_n(&control->offset_nanos, __ATOMIC_RELAXED);
    line.ppm = __atomic_load_n(&control->ppm, __ATOMIC_RELAXED);
    return line;
}

/* value * factor / divisor without overflow; the factor and the divisor are small. */
static int64_t scaled(int64_t value, int64_t factor, int64_t divisor)
{
    return value / divisor * factor + value % divisor * factor / divisor;
}

/* A coarse clock lags behind, so its time may be before the line began: it shows the beginning. */
static int64_t monotonic_of(const struct line *line, int64_t nanos)
{
    int64_t since = nanos > line->base_nanos ? nanos - line->base_nanos : 0;
    return line->base_nanos + since + line->offset_nanos + scaled(since, line->ppm, MILLION);
}

static int64_t monotonic_to_true(const struct line *line, int64_t shown)
{
    int64_t since = shown - line->base_nanos - line->offset_nanos;
    return line->base_nanos + scaled(since, MILLION, MILLION + line->ppm);
}

static int is_wall(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

static int is_monotonic(clockid_t clock)
{
    return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE;
}

static int64_t to_nanos(const struct timespec *time)
{
    return (int64_t) time->tv_sec * NANOS + time->tv_nsec;
}

static struct timespec to_timespec(int64_t nanos)
{
    int64_t from = nanos < 0 ? 0 : nanos;
    struct timespec time = {from / NANOS, from % NANOS};
    return time;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!is_wall(clock) && !is_monotonic(clock)) {
        return true_time(clock, time);
    }
    uint64_t sequence;
    struct line line;
    do {
        sequence = begin();
        line = current();
        int failed = true_time(clock, time);
        if (failed) {
            return failed;
        }
    } while (!is_still(sequence));
    if (line.wall_offset_nanos == 0 && line.offset_nanos == 0 && line.ppm == 0) {
        return 0;
    }
    __atomic_fetch_add(&control->faked_reads, 1, __ATOMIC_RELAXED);
    int64_t nanos = to_nanos(time);
    *time = to_timespec(
        is_wall(clock) ? nanos + line.wall_offset_nanos : monotonic_of(&line, nanos));
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    (void) zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return -1;
    }
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *copy)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return (time_t) -1;
    }
    if (copy != NULL) {
        *copy = now.tv_sec;
    }
    return now.tv_sec;
}

/* Maps a deadline of the process's own clock to the true one. */
static struct timespec to_true(const struct timespec *deadline, int wall)
{
    if (deadline->tv_sec < 0 || deadline->tv_sec > NEVER_SECONDS) {
        return *deadline;
    }
    uint64_t sequence;
    struct line line;
    do {
        sequence = begin();
        line = current();
    } while (!is_still(sequence));
    int64_t nanos = to_nanos(deadline);
    return to_timespec(wall ? nanos - line.wall_offset_nanos : monotonic_to_true(&line, nanos));
}

/*
 * The condition's clock cannot be asked for, so the size of the deadline tells which it is. The
 * function exists in two versions on some machines, and the plain name may find the oldest.
 */
int pthread_cond_timedwait(
    pthread_cond_t *restrict condition,
    pthread_mutex_t *restrict mutex,
    const struct timespec *restrict deadline)
{
    static __typeof__(&pthread_cond_timedwait) next;
    if (__atomic_load_n(&next, __ATOMIC_RELAXED) == NULL) {
        void *found = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
        if (found == NULL) {
            found = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
        }
        __atomic_store_n(
            &next, (__typeof__(&pthread_cond_timedwait)) found, __ATOMIC_RELAXED);
    }
    struct timespec mapped = to_true(deadline, deadline->tv_sec > WALL_SECONDS);
    return next(condition, mutex, &mapped);
}

int pthread_cond_clockwait(
    pthread_cond_t *restrict condition,
    pthread_mutex_t *restrict mutex,
    clockid_t clock,
    const struct timespec *restrict deadline)
{
    NEXT(pthread_cond_clockwait)
    struct timespec mapped = to_true(deadline, is_wall(clock));
    return next(condition, mutex, clock, &mapped);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline)
{
    NEXT(sem_timedwait)
    struct timespec mapped = to_true(deadline, 1);
    return next(semaphore, &mapped);
}

int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *deadline, struct timespec *left)
{
    NEXT(clock_nanosleep)
    if ((flags & TIMER_ABSTIME) == 0 || (!is_wall(clock) && !is_monotonic(clock))) {
        return next(clock, flags, deadline, left);
    }
    struct timespec mapped = to_true(deadline, is_wall(clock));
    return next(clock, flags, &mapped, left);
}
