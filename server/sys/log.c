/* SPDX-License-Identifier: Apache-2.0
 * log.c - writes lines to a descriptor without waiting for it: the descriptor is polled before
 * each line, and a line that it cannot take at once is dropped and counted. */
#include "server/sys/log.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_SIZE = 1024, TEXT_MAX = 400 };

struct log {
    int fd;
    enum log_level level;
    bool json;
    uint64_t lines_a_second; /* at most */
    pthread_mutex_t lock;
    time_t second; /* in which `lines` were written */
    uint64_t lines;
    bool torn;           /* the last line was written in part, without its end */
    uint64_t unreported; /* lines dropped since the last report of dropped lines */
    _Atomic uint64_t dropped;
};

static const char *const level_names[] = {"error", "warn", "info", "debug"};

struct log *log_new(int fd, enum log_level level, bool json, uint64_t lines_a_second)
{
    struct log *log = calloc(1, sizeof *log);

    if (!log)
        return NULL;
    log->fd = fd;
    log->level = level;
    log->json = json;
    log->lines_a_second = lines_a_second;
    pthread_mutex_init(&log->lock, NULL);
    return log;
}

void log_free(struct log *log)
{
    if (!log)
        return;
    pthread_mutex_destroy(&log->lock);
    free(log);
}

bool log_wants(const struct log *log, enum log_level level)
{
    return log && level <= log->level;
}

uint64_t log_dropped(const struct log *log)
{
    return log ? atomic_load_explicit(&log->dropped, memory_order_relaxed) : 0;
}

/* ---- a line ------------------------------------------------------------------------ */

struct line {
    char bytes[LINE_SIZE];
    size_t len; /* at most LINE_SIZE - 4, so that the end always fits */
};

static void add(struct line *line, const char *text, size_t len)
{
    size_t left = sizeof line->bytes - 4 - line->len;

    if (len > left)
        len = left;
    memcpy(line->bytes + line->len, text, len);
    line->len += len;
}

static void add_text(struct line *line, const char *text)
{
    add(line, text, strlen(text));
}

/* Adds the text in quotes. Quotes and bytes that are not printable ASCII are escaped as in
 * JSON, so that no client can forge a line or send escapes to a terminal. The text is cut to
 * fit, but not inside an escape. */
static void add_quoted(struct line *line, const char *text)
{
    size_t left = TEXT_MAX;
    char escape[8];

    add_text(line, "\"");
    for (; *text && left > 0; text++, left--) {
        unsigned char c = (unsigned char)*text;
        int len = c == '"' || c == '\\'  ? snprintf(escape, sizeof escape, "\\%c", c)
                  : c < 0x20 || c > 0x7e ? snprintf(escape, sizeof escape, "\\u%04x", c)
                                         : snprintf(escape, sizeof escape, "%c", c);

        if ((size_t)len + 8 > sizeof line->bytes - 4 - line->len)
            break;
        add(line, escape, (size_t)len);
    }
    add_text(line, *text ? "...\"" : "\"");
}

static void add_field(struct line *line, bool json, const char *name, const char *text,
                      int64_t number)
{
    char digits[32];
    /* Only whole fields are added: a cut field would not be JSON. */
    size_t start = line->len;

    snprintf(digits, sizeof digits, "%" PRId64, number);
    add_text(line, json ? ",\"" : " ");
    add_text(line, name);
    add_text(line, json ? "\":" : "=");
    if (text)
        add_quoted(line, text);
    else
        add_text(line, digits);
    if (line->len > sizeof line->bytes - 8)
        line->len = start;
}

static void begin(struct line *line, const struct log *log, enum log_level level,
                  const char *event, const struct timespec *now)
{
    struct tm tm;
    char time[40];
    size_t len;

    line->len = 0;
    gmtime_r(&now->tv_sec, &tm);
    len = strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(time + len, sizeof time - len, ".%03ldZ", now->tv_nsec / 1000000);
    add_text(line, log->json ? "{\"time\":\"" : "");
    add_text(line, time);
    add_text(line, log->json ? "\",\"level\":\"" : " ");
    add_text(line, level_names[level]);
    add_text(line, log->json ? "\",\"event\":\"" : " ");
    add_text(line, event);
    add_text(line, log->json ? "\"" : "");
}

/* A full disk takes a part of a line: then the next line begins with a line end. */
static bool put(struct log *log, struct line *line)
{
    struct pollfd ready = {.fd = log->fd, .events = POLLOUT};
    ssize_t taken;

    if (log->json)
        line->bytes[line->len++] = '}';
    line->bytes[line->len++] = '\n';
    /* A pipe that is ready takes 4 KiB at once, more than a line. */
    if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT) ||
        (log->torn && write(log->fd, "\n", 1) != 1))
        return false;
    taken = write(log->fd, line->bytes, line->len);
    log->torn = taken > 0 && taken < (ssize_t)line->len;
    return taken == (ssize_t)line->len;
}

/* Begins a new second, in which lines are allowed again; first reports lines that were
 * dropped. */
static void begin_second(struct log *log, const struct timespec *now)
{
    struct line line;

    log->second = now->tv_sec;
    log->lines = 0;
    if (!log->unreported)
        return;
    begin(&line, log, LOG_WARN, "lines dropped", now);
    add_field(&line, log->json, "count", NULL, (int64_t)log->unreported);
    if (put(log, &line))
        log->unreported = 0;
}

void log_event(struct log *log, enum log_level level, const char *event,
               const struct log_field *fields)
{
    struct timespec now;
    struct line line;

    if (!log_wants(log, level))
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    begin(&line, log, level, event, &now);
    for (; fields && fields->name; fields++)
        add_field(&line, log->json, fields->name, fields->text, fields->number);
    pthread_mutex_lock(&log->lock);
    if (now.tv_sec != log->second)
        begin_second(log, &now);
    if (log->lines >= log->lines_a_second || !put(log, &line)) {
        log->unreported++;
        atomic_fetch_add_explicit(&log->dropped, 1, memory_order_relaxed);
    } else {
        log->lines++;
    }
    pthread_mutex_unlock(&log->lock);
}
