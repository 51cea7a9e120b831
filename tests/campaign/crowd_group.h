/* SPDX-License-Identifier: Apache-2.0
 * crowd_group.h - clients of one kind: so many connections that send requests from one file,
 * each anew when it was answered or at a rate, and read the answers at once, slowly or never.
 * */
#pragma once

#include <stdio.h>

#include "tests/campaign/crowd_answer.h"
#include "tests/campaign/crowd_requests.h"
#include "tests/campaign/crowd_wire.h"

enum { DEPTH_MAX = 64, STATUS_MAX = 600, READ_AT_ONCE = 0, READ_NEVER = -1 };

struct group_options {
    char *name, *path; /* of the file with requests */
    int connections;
    double rate;     /* requests a second of the group; 0: the next when one is answered */
    int pace;        /* bytes that a connection reads in a second, READ_AT_ONCE or READ_NEVER */
    int depth;       /* requests that a connection sends before it waits for an answer */
    bool fresh;      /* each request has a connection of its own */
    long long first; /* number of the first request, for "{n}" */
};

enum link_state { LINK_CLOSED, LINK_SHAKING, LINK_OPEN };

struct group;

struct link { /* a connection */
    struct group *group;
    struct crowd_wire wire;
    enum link_state state;
    uint32_t interest; /* events that epoll tells */
    struct crowd_output output;
    struct answer answer;
    struct {
        const struct crowd_request *request;
        double at;
    } asked[DEPTH_MAX]; /* a ring */
    int first, outstanding;
    int64_t allowed; /* bytes that may be read until the next step, with a pace */
};

struct group {
    struct group_options options;
    const struct crowd_address *address;
    int epoll;
    struct crowd_requests requests;
    struct link *links;
    double due;      /* when the next request of a rate is to be sent */
    bool is_late;    /* no connection was free at that time */
    double refilled; /* when the allowance of slow readers was given last */
    uint32_t *waits; /* microseconds, an element an answer */
    size_t wait_count, wait_size;
    long asked, bytes, statuses[STATUS_MAX];
    long wrong_length; /* answers with 200 that ended in form, but too early or too late */
    long cut_by_reset, cut_by_end; /* answers that began and did not end */
    long unanswered; /* requests whose connection ended before an answer, or the time did */
    long unread;     /* connections of clients that never read, ended by the server */
    long not_http;
};

/* False if the file is none or memory is missing. */
bool group_begin(struct group *group, const struct crowd_address *address, int epoll,
                 double now);

/* Opens connections and sends what is due; at a rate nothing is due after `last`. */
void group_tick(struct group *group, double now, double last);

void link_serve(struct link *link, uint32_t events, double now);

/* Whether a request of a rate that was due before `last` is not answered yet. */
bool group_waits(const struct group *group, double last);

/* Adds the time that a request waited. */
void group_add_wait(struct group *group, double seconds);

/* Counts what is not answered as waits that last until now. */
void group_end(struct group *group, double now, double last);

/* A line of JSON. */
void group_print(struct group *group, FILE *file);
