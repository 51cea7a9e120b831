/* SPDX-License-Identifier: Apache-2.0
 * warm.c - asks for the targets of --warm before /readyz turns 200; see warm.h. */
#include "server/warm.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "server/head.h"
#include "server/log.h"
#include "server/loop.h"
#include "server/service.h"

struct warm {
    struct service *service;
    FILE *file;
    uv_thread_t thread;
    atomic_bool stop;
};

/* One request, its answer read to the end of the connection. The status, 0 if none came. */
static int ask(struct service *service, const char *target)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    char request[HEAD_TARGET_MAX + 80], answer[16384];
    int pair[2], len, status = 0;
    ssize_t got, total = 0;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return 0;
    /* The loop makes its end non-blocking; this thread may wait. */
    loop_give(service->loops[0], pair[1], &local, sizeof local.sa_family, DOOR_INSIDE);
    len = snprintf(request, sizeof request,
                   "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", target);
    if (send(pair[0], request, (size_t)len, MSG_NOSIGNAL) == len)
        while ((got = recv(pair[0], answer, sizeof answer - 1, 0)) > 0) {
            answer[got] = '\0';
            if (total == 0 && sscanf(answer, "HTTP/1.1 %d", &status) != 1)
                status = 0;
            total += got;
        }
    close(pair[0]);
    return status;
}

/* The next line without its end, false when there is none. One that is too long for a target is
 * cut, which the service refuses; what is left of it is no target. */
static bool next_line(FILE *file, char *line, size_t size)
{
    if (!fgets(line, (int)size, file))
        return false;
    if (!strchr(line, '\n'))
        for (int c = getc(file); c != '\n' && c != EOF;)
            c = getc(file);
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

static void run(void *arg)
{
    struct warm *warm = arg;
    struct service *service = warm->service;
    char line[HEAD_TARGET_MAX + 2]; /* one more than a target may have, and NUL */
    int64_t asked = 0, failed = 0;

    while (!atomic_load(&warm->stop) && next_line(warm->file, line, sizeof line)) {
        if (*line == '\0' || *line == '#')
            continue;
        int status = ask(service, line);
        asked++;
        if (status == 200)
            continue;
        failed++;
        log_event(service->log, LOG_WARN, "warm",
                  (struct log_field[]){{.name = "target", .text = line},
                                       {.name = "status", .number = status},
                                       {0}});
    }
    log_event(service->log, LOG_INFO, "warmed",
              (struct log_field[]){{.name = "targets", .number = asked},
                                   {.name = "failed", .number = failed},
                                   {0}});
    service_ready(service);
}

FILE *warm_open(const char *path)
{
    FILE *file = fopen(path, "re");
    int first = file ? getc(file) : EOF;

    if (first != EOF)
        ungetc(first, file);
    if (!file || !ferror(file))
        return file;
    fclose(file);
    return NULL;
}

struct warm *warm_new(struct service *service, const char *path)
{
    struct warm *warm = calloc(1, sizeof *warm);

    if (!warm)
        return NULL;
    warm->service = service;
    warm->file = warm_open(path);
    if (warm->file && uv_thread_create(&warm->thread, run, warm) == 0)
        return warm;
    if (warm->file)
        fclose(warm->file);
    free(warm);
    return NULL;
}

void warm_free(struct warm *warm)
{
    if (!warm)
        return;
    atomic_store(&warm->stop, true);
    uv_thread_join(&warm->thread);
    fclose(warm->file);
    free(warm);
}
