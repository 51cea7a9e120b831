/* SPDX-License-Identifier: Apache-2.0
 * mhd_shortcut.h - all ways past libmicrohttpd's public interface: what reads or writes memory
 * of its own, or acts on the text of its log. The self-test at start (mhd_selftest.h) tries
 * each by itself, and those that work are the set of the server that serves with them; without
 * them posencd is slower, and as strict. */
#pragma once

#include <microhttpd.h>
#include <stdarg.h>
#include <stdbool.h>

#include "server/http/head.h"

enum mhd_shortcut {
#define SHORTCUT(ID, NAME) SHORTCUT_##ID,
#include "server/mhd/mhd_shortcuts.def"
#undef SHORTCUT
    SHORTCUT_COUNT
};

/* A set of shortcuts has the bit 1 << shortcut of each. Nothing about it is kept for the
 * process: each transport has its own, and each response is made and sent with one. */
enum { SHORTCUTS_ALL = (1 << SHORTCUT_COUNT) - 1 };

static inline bool mhd_shortcut_is_in(unsigned shortcuts, enum mhd_shortcut shortcut)
{
    return shortcuts >> shortcut & 1;
}

const char *mhd_shortcut_name(enum mhd_shortcut shortcut);

/* The functions that are named after a shortcut do nothing, and return false or 0, if it is
 * not in the set. */

/* RAW_HEAD: reads the head that has arrived from libmicrohttpd's read buffer, in the first call
 * of the handler. A proxy before us may see one request where libmicrohttpd sees two; what
 * version 0.9.75 hands on no longer shows the difference, and the bytes do. */
bool mhd_shortcut_raw_head(unsigned shortcuts, struct MHD_Connection *mhd,
                           struct head_bytes *bytes);
/* NO_QUERY: cuts the query off the raw target, which is in the read buffer: libmicrohttpd would
 * parse it too, and 2,000 arguments would exhaust its pool and end the connection. */
void mhd_shortcut_cut_query(unsigned shortcuts, const char *raw);
/* REFUSALS: the status with which libmicrohttpd refuses a request, if its message says so; 0:
 * it says something else. libmicrohttpd checks Content-Length, and counts cookies, before it
 * calls our handler, and answers a request that it refuses there by itself. Version 0.9.75
 * writes the head of that answer twice: a client finds a head in the body, and a part of the
 * body behind it. */
unsigned mhd_shortcut_refusal(unsigned shortcuts, const char *format, va_list args);
/* ID_IN_PLACE and ONE_FIELD, one of which the caller has: writes a value over that
 * of a field, in the response's own memory, if both have the same length. False: the field is
 * not there, or its value has another length. */
bool mhd_shortcut_set_value(struct MHD_Response *response, const char *name, const char *value,
                            size_t len);
