/* SPDX-License-Identifier: Apache-2.0
 * door.h - by which way a connection came in; it decides what may be asked there. */
#ifndef SERVER_DOOR_H
#define SERVER_DOOR_H

enum door {
    DOOR_PUBLIC, /* --listen */
    DOOR_TLS,    /* the same, encrypted */
    DOOR_ADMIN,  /* --admin-listen */
    DOOR_INSIDE, /* ourselves: --warm */
};

#endif
