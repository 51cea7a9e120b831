/* SPDX-License-Identifier: Apache-2.0
 * fail_library.c - a libmicrohttpd that reports another version (POSENC_LIBRARY=version), or
 * one that counts a byte more to the head of a request (POSENC_LIBRARY=habits). */
#include <microhttpd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/campaign/fail.h"

static bool is_told(const char *what)
{
    const char *told = getenv("POSENC_LIBRARY");

    return told && strcmp(told, what) == 0;
}

const char *MHD_get_version(void)
{
    REAL(const char *, MHD_get_version, void);

    return is_told("version") ? "0.9.76" : real();
}

const union MHD_ConnectionInfo *MHD_get_connection_info(struct MHD_Connection *connection,
                                                        enum MHD_ConnectionInfoType kind, ...)
{
    REAL(const union MHD_ConnectionInfo *, MHD_get_connection_info, struct MHD_Connection *,
         enum MHD_ConnectionInfoType, ...);
    static _Thread_local union MHD_ConnectionInfo other;
    const union MHD_ConnectionInfo *info = real(connection, kind);

    if (!info || kind != MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE || !is_told("habits"))
        return info;
    other = *info;
    other.header_size++;
    return &other;
}
