/* SPDX-License-Identifier: Apache-2.0
 * table_change.h - PUT and DELETE of /v1/tables/{name}: an administrator's change of a file,
 * made on the pool and acknowledged when it is on the disk and in service. */
#ifndef SERVER_TABLE_CHANGE_H
#define SERVER_TABLE_CHANGE_H

#include "server/exchange/internal.h"

/* True if this client may change this file here; else the problem's step is next. Called before
 * the body is read, and again before the change. */
bool table_change_admits(struct exchange *ex);
/* The media type of the body of a PUT. */
const char *table_change_media_type(void);
exchange_step table_change_begin;
/* The exchange waits no longer; a change that was begun is still made. */
void table_change_cancel(struct exchange *ex);

#endif
