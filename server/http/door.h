/* SPDX-License-Identifier: Apache-2.0
 * door.h - by which way a connection came in; it decides what may be asked there. */
#ifndef SERVER_DOOR_H
#define SERVER_DOOR_H

#include <stdbool.h>

enum door {
    DOOR_PUBLIC, /* --listen */
    DOOR_TLS,    /* the same, encrypted */
    DOOR_ADMIN,  /* --admin-listen */
    DOOR_INSIDE, /* ourselves: --warm */
    DOOR_GUEST,  /* --listen, when there is no room: for health alone, and for a moment */
    DOOR_GUEST_TLS,
};

static inline bool door_is_tls(enum door door)
{
    return door == DOOR_TLS || door == DOOR_GUEST_TLS;
}

static inline bool door_is_guest(enum door door)
{
    return door == DOOR_GUEST || door == DOOR_GUEST_TLS;
}

#endif
