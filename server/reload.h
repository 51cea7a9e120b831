/* SPDX-License-Identifier: Apache-2.0
 * reload.h - reads the operator's files again after HUP: models, learned tables, keys and
 * certificate. Used on the main loop's thread. */
#pragma once

struct announcer;
struct reload;
struct service;

/* NULL: out of memory. */
struct reload *reload_new(struct service *service, struct announcer *announcer);
/* Begins a reload, or another one once the one that goes on is over. When all files are read,
 * "reloaded" is logged. */
void reload_begin(struct reload *reload);
void reload_free(struct reload *reload); /* after the loop has ended; NULL is ignored */
