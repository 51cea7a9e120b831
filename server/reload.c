/* SPDX-License-Identifier: Apache-2.0
 * reload.c - see reload.h. Folders are read on libuv's pool, keys and certificate at once. */
#include "server/reload.h"

#include <stdbool.h>
#include <stdlib.h>

#include "server/announcer.h"
#include "server/files/model_files.h"
#include "server/files/secrets.h"
#include "server/files/table_files.h"
#include "server/shared.h"
#include "server/sys/log.h"

struct reload {
    struct service *service;
    struct announcer *announcer;
    unsigned unread; /* parts of the reload that goes on; 0: none goes on */
    bool again;
};

struct reload *reload_new(struct service *service, struct announcer *announcer)
{
    struct reload *reload = calloc(1, sizeof *reload);

    if (reload)
        *reload = (struct reload){.service = service, .announcer = announcer};
    return reload;
}

static void on_read(void *cls)
{
    struct reload *reload = cls;

    if (--reload->unread > 0)
        return;
    log_event(reload->service->log, LOG_INFO, "reloaded", NULL);
    announcer_ready(reload->announcer);
    if (reload->again)
        reload_begin(reload);
}

void reload_begin(struct reload *reload)
{
    struct service *service = reload->service;

    reload->again = reload->unread > 0;
    if (reload->again)
        return;
    announcer_reloading(reload->announcer);
    reload->unread = 1; /* this function */
    reload->unread += model_files_scan(service->models, on_read, reload);
    reload->unread += table_files_scan(service->tables, on_read, reload);
    secrets_read(service->secrets);
    on_read(reload);
}

void reload_free(struct reload *reload)
{
    free(reload);
}
