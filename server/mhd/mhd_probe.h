/* SPDX-License-Identifier: Apache-2.0
 * mhd_probe.h - a transport with the request check and nothing behind it, asked over a pair of
 * sockets on one thread. For the self-test at start, and for fuzzing. */
#pragma once

#include <stddef.h>

struct mhd_probe;

/* The result of sending some bytes. */
struct mhd_probe_verdict {
    int status; /* of the first response; 0: none came; -1: the bytes could not be sent */
    unsigned executed; /* complete requests that passed the check */
    /* Of their responses, which are one object of libmicrohttpd, those that have the lines of
     * their head and an X-Request-Id of their own. */
    unsigned right;
    int arguments;    /* query arguments that libmicrohttpd parsed */
    unsigned refused; /* status with which libmicrohttpd was told to refuse a head; 0: none */
};

/* Reads and answers with this set of shortcuts (mhd_shortcut.h). NULL: out of memory or
 * descriptors. */
struct mhd_probe *mhd_probe_new(unsigned shortcuts);
void mhd_probe_free(struct mhd_probe *probe);
/* Sends the bytes on a connection. */
struct mhd_probe_verdict mhd_probe_ask(struct mhd_probe *probe, const char *bytes, size_t len);
/* Sends them on two connections, before either is read. */
struct mhd_probe_verdict mhd_probe_ask_two(struct mhd_probe *probe, const char *bytes,
                                           size_t len);
