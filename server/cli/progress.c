/* SPDX-License-Identifier: Apache-2.0
 * progress.c - see progress.h. */
#include "server/cli/progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30, LINE_SIZE = 160 };

struct progress {
    atomic_uint_fast64_t done, total;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news; /* the work is over */
    bool over;
    struct timespec begin;
};

/* ---- the line ------------------------------------------------------------------------ */

static void write_bytes(struct buffer *out, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double amount = (double)bytes;
    size_t unit = 0;

    while (amount >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        amount /= 1024;
        unit++;
    }
    buffer_add_format(out, "%.*f %s", unit == 0 ? 0 : 1, amount, units[unit]);
}

void progress_write(struct buffer *out, uint64_t done, uint64_t total, uint64_t elapsed_ms)
{
    if (total == PROGRESS_UNKNOWN || total == 0 || done == 0) {
        if (done > 0)
            write_bytes(out, done);
        else
            buffer_add_text(out, "computing");
        buffer_add_format(out, ", %" PRIu64 " s", elapsed_ms / 1000);
        return;
    }
    const double share = done < total ? (double)done / (double)total : 1;
    const int filled = (int)(share * BAR);

    buffer_add_format(out, "%3d %% [", (int)(share * 100));
    for (int i = 0; i < BAR; i++)
        buffer_add_text(out, i < filled ? "#" : " ");
    buffer_add_text(out, "] ");
    write_bytes(out, done);
    buffer_add_text(out, " of ");
    write_bytes(out, total);
    buffer_add_format(out, ", %.0f s left", (double)elapsed_ms / 1000 * (1 - share) / share);
}

/* ---- the thread ---------------------------------------------------------------------- */

static uint64_t elapsed_ms(const struct progress *progress)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)((now.tv_sec - progress->begin.tv_sec) * 1000 +
                      (now.tv_nsec - progress->begin.tv_nsec) / 1000000);
}

/* Draws the line over a line of `width` characters; returns its own width. */
static int draw(struct progress *progress, int width)
{
    char memory[LINE_SIZE];
    struct buffer line = buffer_over(memory, sizeof memory);

    progress_write(&line, atomic_load(&progress->done), atomic_load(&progress->total),
                   elapsed_ms(progress));
    const int len = line.failed ? 0 : (int)line.len;
    fprintf(stderr, "\r%.*s%*s", len, memory, width > len ? width - len : 0, "");
    fflush(stderr);
    return len > width ? len : width;
}

static struct timespec later(struct timespec from, uint64_t ms)
{
    from.tv_sec += (time_t)(ms / 1000);
    from.tv_nsec += (long)(ms % 1000) * 1000000;
    if (from.tv_nsec >= 1000000000) {
        from.tv_sec++;
        from.tv_nsec -= 1000000000;
    }
    return from;
}

static void *watch(void *arg)
{
    struct progress *progress = arg;
    struct timespec next = later(progress->begin, PROGRESS_AFTER_MS);
    int width = 0;

    pthread_mutex_lock(&progress->lock);
    while (!progress->over) {
        if (pthread_cond_timedwait(&progress->news, &progress->lock, &next) == 0)
            continue;
        width = draw(progress, width);
        clock_gettime(CLOCK_MONOTONIC, &next);
        next = later(next, PROGRESS_EVERY_MS);
    }
    pthread_mutex_unlock(&progress->lock);
    if (width > 0)
        fprintf(stderr, "\r%*s\r", width, "");
    return NULL;
}

static bool init(struct progress *progress)
{
    pthread_condattr_t monotonic;

    atomic_init(&progress->done, 0);
    atomic_init(&progress->total, PROGRESS_UNKNOWN);
    clock_gettime(CLOCK_MONOTONIC, &progress->begin);
    pthread_mutex_init(&progress->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&progress->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return pthread_create(&progress->thread, NULL, watch, progress) == 0;
}

static void destroy(struct progress *progress)
{
    pthread_mutex_destroy(&progress->lock);
    pthread_cond_destroy(&progress->news);
    free(progress);
}

struct progress *progress_start(void)
{
    struct progress *progress = isatty(STDERR_FILENO) ? calloc(1, sizeof *progress) : NULL;

    if (progress && !init(progress)) {
        destroy(progress);
        return NULL;
    }
    return progress;
}

void progress_set_total(struct progress *progress, uint64_t total)
{
    if (progress)
        atomic_store(&progress->total, total);
}

void progress_add(struct progress *progress, uint64_t bytes)
{
    if (progress)
        atomic_fetch_add(&progress->done, bytes);
}

void progress_end(struct progress *progress)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->over = true;
    pthread_cond_signal(&progress->news);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->thread, NULL);
    destroy(progress);
}
