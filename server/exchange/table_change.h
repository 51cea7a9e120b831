/* SPDX-License-Identifier: Apache-2.0
 * table_change.h - PUT and DELETE of /v1/tables/{name}: an administrator's, carried out on the
 * pool, acknowledged when it is on the disk and in service. */
#ifndef SERVER_TABLE_CHANGE_H
#define SERVER_TABLE_CHANGE_H

#include "server/exchange/internal.h"

/* This client may change this file here; else the problem's step is next. Before its body is
 * taken, and again before anything is done. */
bool table_change_admits(struct exchange *ex);
/* The body a PUT brings; what it names is its media type. */
const char *table_change_media_type(void);
exchange_step table_change_begin;
/* The exchange waits no longer; what was begun is done nevertheless. */
void table_change_cancel(struct exchange *ex);

#endif
