/* SPDX-License-Identifier: Apache-2.0
 * listener_kind.h - the kind of listener that accepted a connection; it decides which requests
 * the connection may make. */
#pragma once

#include <stdbool.h>

enum listener_kind {
    LISTENER_KIND_PUBLIC,   /* --listen */
    LISTENER_KIND_TLS,      /* --listen, encrypted */
    LISTENER_KIND_ADMIN,    /* --admin-listen */
    LISTENER_KIND_INTERNAL, /* the service's own requests: --warm */
    /* --listen beyond --max-connections or --max-connections-per-address: the connection may
     * ask for health, within a second. */
    LISTENER_KIND_GUEST,
    LISTENER_KIND_GUEST_TLS,
};

/* Connections beyond these limits: of --admin-listen, of clients that may ask for health,
 * and of clients that wait until it is known what they ask for (health_admission.h). */
enum {
    LISTENER_KIND_ADMIN_PLACES = 32,
    LISTENER_KIND_GUEST_PLACES = 16,
    LISTENER_KIND_WAITING_PLACES = 32,
};

static inline bool listener_kind_is_tls(enum listener_kind listener_kind)
{
    return listener_kind == LISTENER_KIND_TLS || listener_kind == LISTENER_KIND_GUEST_TLS;
}

static inline bool listener_kind_is_guest(enum listener_kind listener_kind)
{
    return listener_kind == LISTENER_KIND_GUEST || listener_kind == LISTENER_KIND_GUEST_TLS;
}
