/* SPDX-License-Identifier: Apache-2.0
 * mhd_probe.h - a libmicrohttpd daemon that has the gate and nothing behind it, asked over a
 * pair of sockets on one thread. For the self-test at start, and for fuzzing. */
#ifndef SERVER_MHD_PROBE_H
#define SERVER_MHD_PROBE_H

#include <stddef.h>

struct mhd_probe;

/* What came of some bytes. */
struct gate_verdict {
    int status;        /* of the first answer; 0: none came, -1: they could not be sent */
    unsigned executed; /* requests that passed the gate and were complete */
    int arguments;     /* of those, that libmicrohttpd parsed by itself: it must not */
};

struct mhd_probe *mhd_probe_new(void); /* NULL: out of memory or descriptors */
void mhd_probe_free(struct mhd_probe *probe);
struct gate_verdict mhd_probe_ask(struct mhd_probe *probe, const char *bytes, size_t len);

#endif
