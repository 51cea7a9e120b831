/* SPDX-License-Identifier: Apache-2.0
 * warm.c - see warm.h. */
#include "server/warm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/files/read_file.h"
#include "server/http/head.h"
#include "server/net/loop.h"
#include "server/shared.h"
#include "server/sys/log.h"
#include "server/sys/resources.h"

enum { LIST_MAX = 16 << 20 }; /* bytes of the file of targets */

struct warm {
    struct service *service;
    void (*done)(struct service *service);
    char *list; /* the whole file, so that the thread reads none */
    size_t len, at;
    pthread_t thread;
    atomic_bool stop;
};

struct line {
    const char *text;
    size_t len;
};

/* A service that drains will not become ready, so the rest of the list is skipped. */
static bool goes_on(const struct warm *warm)
{
    return !atomic_load(&warm->stop) && service_state(warm->service) == SERVICE_LOADING;
}

static size_t write_request(char *out, const struct line *target)
{
    static const char method[] = "GET ",
                      fields[] = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    size_t len = sizeof method - 1;

    memcpy(out, method, len);
    memcpy(out + len, target->text, target->len);
    memcpy(out + len + target->len, fields, sizeof fields - 1);
    return len + target->len + sizeof fields - 1;
}

/* Sends one request and reads the response to its end; returns the status, 0 without one. */
static int ask(const struct warm *warm, const struct line *target)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    char request[HEAD_TARGET_MAX + 80], answer[16384];
    size_t len = write_request(request, target);
    int pair[2], status = 0;
    ssize_t got, total = 0;

    if (memchr(target->text, '\0', target->len))
        return 400; /* libmicrohttpd closes without an answer since 1.0.0 */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return 0;
    /* The loop makes its end of the pair non-blocking; this thread may wait. */
    loop_give(warm->service->loops[0], pair[1], &local, sizeof local.sa_family,
              LISTENER_KIND_INTERNAL);
    if (send(pair[0], request, len, MSG_NOSIGNAL) == (ssize_t)len)
        while (goes_on(warm) && (got = recv(pair[0], answer, sizeof answer - 1, 0)) > 0) {
            answer[got] = '\0';
            if (total == 0 && sscanf(answer, "HTTP/1.1 %d", &status) != 1)
                status = 0;
            total += got;
        }
    close(pair[0]);
    return status;
}

/* The next line without its line end; false at the end of the list. A line that is too long for
 * a target is cut to one byte more than a target may have, so that the service refuses it. */
static bool next_line(struct warm *warm, struct line *line)
{
    const char *text = warm->list + warm->at;
    size_t left = warm->len - warm->at, len;
    const char *end = left > 0 ? memchr(text, '\n', left) : NULL;

    if (left == 0)
        return false;
    len = end ? (size_t)(end - text) : left;
    warm->at += len + (end != NULL);
    if (len > 0 && text[len - 1] == '\r')
        len--;
    *line = (struct line){text, len <= HEAD_TARGET_MAX ? len : HEAD_TARGET_MAX + 1};
    return true;
}

static void tell_failed(const struct warm *warm, const struct line *line, int status)
{
    char target[HEAD_TARGET_MAX + 2];

    snprintf(target, sizeof target, "%.*s", (int)line->len, line->text);
    log_event(warm->service->log, LOG_WARN, "warm",
              (struct log_field[]){{.name = "target", .text = target},
                                   {.name = "status", .number = status},
                                   {0}});
}

static void *run(void *arg)
{
    struct warm *warm = arg;
    struct line line;
    int64_t asked = 0, failed = 0;

    while (goes_on(warm) && next_line(warm, &line)) {
        int status;

        if (line.len == 0 || line.text[0] == '#')
            continue;
        status = ask(warm, &line);
        asked++;
        if (status == 200 || !goes_on(warm))
            continue;
        failed++;
        tell_failed(warm, &line, status);
    }
    log_event(warm->service->log, LOG_INFO, "warmed",
              (struct log_field[]){{.name = "targets", .number = asked},
                                   {.name = "failed", .number = failed},
                                   {0}});
    warm->done(warm->service);
    return NULL;
}

static char *read_list(const char *path, size_t *len, char *why, size_t size)
{
    return read_file_read(path, LIST_MAX, len, why, size);
}

bool warm_check(const char *path, char *why, size_t size)
{
    size_t len = 0;
    char *list = read_list(path, &len, why, size);

    read_file_free(list, len);
    return list != NULL;
}

struct warm *warm_new(struct service *service, void (*done)(struct service *service), char *why,
                      size_t size)
{
    const char *path = service->config.warm;
    struct warm *warm = calloc(1, sizeof *warm);

    snprintf(why, size, "out of memory");
    if (!warm)
        return NULL;
    warm->service = service;
    warm->done = done;
    warm->list = read_list(path, &warm->len, why, size);
    if (warm->list && pthread_create(&warm->thread, NULL, run, warm) == 0)
        return warm;
    if (warm->list)
        snprintf(why, size, "%.200s: %s", path, resources_no_thread);
    read_file_free(warm->list, warm->len);
    free(warm);
    return NULL;
}

void warm_free(struct warm *warm)
{
    if (!warm)
        return;
    atomic_store(&warm->stop, true);
    pthread_join(warm->thread, NULL);
    read_file_free(warm->list, warm->len);
    free(warm);
}
