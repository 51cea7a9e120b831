/* SPDX-License-Identifier: Apache-2.0
 * cli_check.c - posencd check-config: tries everything of serve that can fail because of the
 * configuration, except the addresses, on which a running service may listen. */
#include <unistd.h>

#include "server/cli/command/call.h"
#include "server/cli/command/hint.h"
#include "server/cli/command/say.h"
#include "server/config/config.h"
#include "server/files/dir_watch.h"
#include "server/service.h"
#include "server/sys/log.h"
#include "server/warm.h"

/* Reads keys, certificates, models and tables as serve does; 0, or the exit code. */
static int try_service(const struct config *config)
{
    struct config tried = *config;
    struct service_error error;
    struct log *log = log_new(STDERR_FILENO, LOG_WARN, false, UINT64_MAX);
    struct service *service;
    char why[400];

    config_log_old_names(config, log);
    tried.listen.count = tried.admin_listen.count = 0;
    tried.threads = tried.workers = 1;
    tried.threads_short = 0;
    dir_watch_set_threads();
    tried.warm = NULL; /* else its requests would be computed */
    service = service_new(&tried, log, &error);
    service_free(service);
    log_free(log);
    if (!service)
        return say_error(error.exit_code, "%s", error.text);
    if (config->warm && !warm_check(config->warm, why, sizeof why))
        return say_error(CONFIG_INVALID, "--warm %s", why);
    return 0;
}

int cli_check(const struct call *call)
{
    struct config config;
    struct config_error error;
    struct buffer text = {0};
    enum config_status status;
    int code;

    if (hint_listen((int)call->count, call->word))
        return CLI_USAGE;
    status = config_load(&config, (int)call->count, call->word, environ, &error);
    if (!status)
        status = config_check(&config, &error);
    if (status)
        return say_lines((int)status, error.text);
    code = try_service(&config);
    if (code != 0)
        return code;
    config_show(&config, &text);
    return say_text(&text);
}
