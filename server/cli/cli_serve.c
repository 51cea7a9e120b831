/* SPDX-License-Identifier: Apache-2.0
 * cli_serve.c - posencd serve: the settings of the process, beside those of a service: signals,
 * standard streams, allocator, size of the pool. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/posenc.h"
#include "server/cli/command/call.h"
#include "server/cli/command/hint.h"
#include "server/cli/command/say.h"
#include "server/files/dir_watch.h"
#include "server/http/transport.h"
#include "server/landlock.h"
#include "server/sandbox.h"
#include "server/service.h"
#include "server/sys/heap.h"
#include "server/sys/log.h"
#include "server/sys/notify_socket.h"
#include "server/sys/passed_sockets.h"
#include "server/sys/resources.h"

/* ---- signals: blocked in every thread but one that waits ---------------------------- */

enum { OVER = SIGUSR2 }; /* sent by the main thread when .over is set */

struct signals {
    struct service *service;
    atomic_bool over; /* the service has ended */
    sigset_t set;
    pthread_t thread;
};

/* 0 when a person waits at a terminal; a load balancer needs the time to notice /readyz. */
static uint64_t drain_delay(const struct config *config, int number)
{
    bool person = config->source[CONFIG_DRAIN_DELAY] == CONFIG_DEFAULT &&
                  (number == SIGINT || isatty(STDERR_FILENO));

    return person ? 0 : config->drain_delay_ms;
}

static void *await_signals(void *arg)
{
    struct signals *signals = arg;
    const struct config *config = &signals->service->config;
    bool draining = false;
    int number;

    while (sigwait(&signals->set, &number) == 0 && !atomic_load(&signals->over)) {
        if (number == OVER)
            continue; /* sent by another process */
        if (number == SIGHUP)
            service_reload(signals->service);
        else if (draining)
            service_stop_now(signals->service);
        else
            service_drain(signals->service, drain_delay(config, number),
                          config->drain_timeout_ms);
        draining |= number != SIGHUP;
    }
    return NULL;
}

static void block_signals(struct signals *signals)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};

    sigemptyset(&signals->set);
    sigaddset(&signals->set, SIGTERM);
    sigaddset(&signals->set, SIGINT);
    sigaddset(&signals->set, SIGHUP);
    sigaddset(&signals->set, OVER);
    pthread_sigmask(SIG_BLOCK, &signals->set, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
    sigaction(SIGUSR1, &ignore, NULL);
}

/* ---- the process ------------------------------------------------------------------- */

static void on_panic(void *context, const char *file, unsigned line, const char *reason)
{
    log_event(context, LOG_ERROR, "libmicrohttpd panics",
              (struct log_field[]){{.name = "reason", .text = reason},
                                   {.name = "file", .text = file},
                                   {.name = "line", .number = line},
                                   {0}});
    abort();
}

static void prepare_process(const struct config *config, struct log *log)
{
    dir_watch_set_threads();
    heap_set((int)config->threads);
    transport_on_panic(on_panic, log);
    if (config->cpu_path > 0)
        pe_cpu_path_set((size_t)config->cpu_path - 1);
}

/* Opens the descriptors 0 to 2, so that no client's socket becomes standard error. */
static void open_standard_streams(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

static struct log *open_log(const struct config *config)
{
    bool json = config->log_format == CONFIG_LOG_JSON ||
                (config->log_format == CONFIG_LOG_AUTO && !isatty(STDERR_FILENO));

    return log_new(STDERR_FILENO, (enum log_level)config->log_level, json, config->log_rate);
}

/* Without the service manager's socket it serves as well. */
static void open_notify_socket(struct notify_socket *notify, struct log *log)
{
    char why[200];

    if (!notify_socket_open(notify, why, sizeof why))
        log_event(log, LOG_WARN, "the service manager cannot be notified",
                  (struct log_field[]){{.name = "reason", .text = why}, {0}});
}

/* Called before any thread is started, since threads are restricted one by one. False: the
 * kernel refuses. */
static bool restrict_files(const struct config *config, struct log *log, char *why, size_t size)
{
    enum landlock_result result;

    if (config->seccomp != CONFIG_SECCOMP_ON)
        return true;
    result = landlock_process(config, why, size);
    if (result == LANDLOCK_MISSING)
        log_event(log, LOG_INFO, "which files can be changed is not restricted",
                  (struct log_field[]){{.name = "reason", .text = why}, {0}});
    return result != LANDLOCK_FAILED;
}

static int serve(const struct config *config, struct log *log)
{
    struct service_error error;
    struct signals signals = {.over = false};
    struct notify_socket notify;
    char why[200];
    bool confined;

    config_log_old_names(config, log);
    if (!restrict_files(config, log, why, sizeof why) ||
        !sandbox_forbid_rings(config, why, sizeof why))
        return say_error(70, "%s", why);
    open_notify_socket(&notify, log);
    prepare_process(config, log);
    block_signals(&signals);
    signals.service = service_new(config, log, &error);
    if (!signals.service)
        return say_error(error.exit_code, "%s", error.text);
    if (pthread_create(&signals.thread, NULL, await_signals, &signals) != 0) {
        service_free(signals.service);
        return say_error(78, "%s", resources_no_thread);
    }
    confined = sandbox_process(config, why, sizeof why);
    if (confined)
        service_announce_to(signals.service, &notify);
    else
        service_stop_now(signals.service);
    service_run(signals.service);
    atomic_store(&signals.over, true);
    pthread_kill(signals.thread, OVER);
    pthread_join(signals.thread, NULL);
    service_free(signals.service);
    notify_socket_close(&notify);
    log_event(log, LOG_INFO, "stopped", NULL);
    return confined ? 0 : say_error(70, "%s", why);
}

int cli_serve(const struct call *call)
{
    struct config config;
    struct config_error error;
    struct passed_sockets sockets;
    enum config_status status;
    struct log *log;
    char why[200];
    int code;

    open_standard_streams();
    if (!passed_sockets_take(&sockets, why, sizeof why))
        return say_error(CONFIG_INVALID, "%s", why);
    if (hint_listen((int)call->count, call->word))
        return CLI_USAGE;
    status = config_load(&config, (int)call->count, call->word, environ, &error);
    if (!status)
        status = config_claim_sockets(&config, &sockets, &error);
    if (!status)
        status = config_check(&config, &error);
    if (status)
        return say_lines((int)status, error.text);
    log = open_log(&config);
    if (!log)
        return say_error(70, "out of memory");
    code = serve(&config, log);
    log_free(log);
    return code;
}
