/* SPDX-License-Identifier: Apache-2.0
 * gate_probe.h - a libmicrohttpd daemon that has the gate and nothing behind it, asked over a
 * pair of sockets on one thread. For the self-test at start, and for fuzzing. */
#ifndef SERVER_GATE_PROBE_H
#define SERVER_GATE_PROBE_H

#include <stddef.h>

struct gate_probe;

/* What came of some bytes. */
struct gate_verdict {
    int status;        /* of the first answer; 0: none came, -1: they could not be sent */
    unsigned executed; /* requests that passed the gate and were complete */
    int arguments;     /* of those, that libmicrohttpd parsed by itself: it must not */
};

struct gate_probe *gate_probe_new(void); /* NULL: out of memory or descriptors */
void gate_probe_free(struct gate_probe *probe);
struct gate_verdict gate_probe_ask(struct gate_probe *probe, const char *bytes, size_t len);

#endif
