/* SPDX-License-Identifier: Apache-2.0
 * process_metrics.c - reads /proc/self; a metric that cannot be read is left out. */
#include "server/sys/process_metrics.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void write_one(struct buffer *out, const char *name, const char *type, const char *help,
                      double value)
{
    buffer_add_format(out, "# HELP process_%s %s\n# TYPE process_%s %s\nprocess_%s %.15g\n",
                      name, help, name, type, name, value);
}

/* Fields 14, 15 (CPU ticks), 22 (start, ticks after boot), 23, 24 (virtual bytes, resident
 * pages) of /proc/self/stat, which start after the last ')'. */
static void write_stat(struct buffer *out)
{
    char text[1024], *at;
    uint64_t user, system, start, virtual_bytes, pages;
    FILE *file = fopen("/proc/self/stat", "re");
    size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;
    double tick = (double)sysconf(_SC_CLK_TCK);
    struct timespec now, up;

    if (file)
        fclose(file);
    text[len] = '\0';
    at = strrchr(text, ')');
    if (!at || sscanf(at + 1,
                      " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
                      " %*d %*d %*d %*d %*d %*d %" SCNu64 " %" SCNu64 " %" SCNu64,
                      &user, &system, &start, &virtual_bytes, &pages) != 5)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &up);
    write_one(out, "cpu_seconds_total", "counter", "User and system CPU time.",
              (double)(user + system) / tick);
    write_one(out, "resident_memory_bytes", "gauge", "Resident memory.",
              (double)pages * (double)sysconf(_SC_PAGESIZE));
    write_one(out, "virtual_memory_bytes", "gauge", "Virtual memory.", (double)virtual_bytes);
    write_one(out, "start_time_seconds", "gauge", "Start, in seconds since 1970.",
              (double)now.tv_sec - (double)up.tv_sec + (double)start / tick);
}

static void write_descriptors(struct buffer *out)
{
    struct rlimit limit;
    DIR *directory = opendir("/proc/self/fd");
    double count = -3; /* ".", ".." and the directory itself */

    while (directory && readdir(directory))
        count++;
    if (directory) {
        closedir(directory);
        write_one(out, "open_fds", "gauge", "Open file descriptors.", count);
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        write_one(out, "max_fds", "gauge", "Most file descriptors it may open.",
                  (double)limit.rlim_cur);
}

void process_metrics_write(struct buffer *out)
{
    write_stat(out);
    write_descriptors(out);
}
