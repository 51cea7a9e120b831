/* SPDX-License-Identifier: Apache-2.0
 * limits.c - what clients and the machine may use, as rows of steps.
 *
 * "cgroup" finds the group of a process: its file of groups, then files of groups as NAME=TEXT,
 * between "; ". (no root) and (nowhere) stand for folders that are not there.
 *
 * "peer-limit 2" allows two connections from one address: +ADDRESS enters, -ADDRESS leaves,
 * !ADDRESS enters exempt; "unix" is a socket without an IP address. "peers" has no limit, and
 * with "peers-by-connection" each connection is a peer.
 *
 * "bodies" counts the bytes of bodies, of 8000 in all, so that a peer's own eighth is 1000:
 * "take PEERS BYTES", "give", "undo", "want BYTES". PEERS is a number or "1-8". "lent-bodies"
 * may have 16000 while a peer is beyond its eighth. A claim is a value after each step. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/body_budget.h"
#include "server/net/peers.h"
#include "server/sys/cgroup.h"
#include "tests/server/support/server_row.h"
#include "tests/support/scratch.h"

/* ---- the memory of a control group ------------------------------------------------------- */

static void find_cgroup(struct cgroup *cgroup, const struct scratch *scratch, char *text)
{
    const char *self = server_row_step(&text, "; ");
    char path[SCRATCH_PATH];
    size_t len;

    for (char *file; (file = server_row_step(&text, "; "));) {
        const char *name = server_row_step(&file, "=");
        char *bytes = server_row_bytes(file, &len);

        snprintf(path, sizeof path, "fs/%s", name);
        scratch_write(scratch, path, bytes);
        free(bytes);
    }
    if (self[0] == '(') {
        cgroup_find(cgroup, strcmp(self, "(nowhere)") == 0 ? "/nowhere" : NULL, "/nowhere");
    } else {
        char *bytes = server_row_bytes(self, &len);

        scratch_write(scratch, "self", bytes);
        snprintf(path, sizeof path, "%s", scratch_path(scratch, "self"));
        cgroup_find(cgroup, scratch_path(scratch, "fs"), path);
        free(bytes);
    }
}

static void cgroup(struct buffer *out, char *value, const char *claim, const void *context)
{
    struct scratch *scratch = scratch_new();
    struct cgroup group;
    const char *root;

    find_cgroup(&group, scratch, value);
    root = scratch_path(scratch, "fs/");
    if (strcmp(claim, "limit") == 0 && group.limit == UINT64_MAX)
        buffer_add_text(out, "none");
    else if (strcmp(claim, "limit") == 0)
        buffer_add_integer(out, group.limit);
    else if (strcmp(claim, "used") == 0)
        buffer_add_integer(out, cgroup_used(&group));
    else if (strcmp(claim, "folder") == 0 && strncmp(group.folder, root, strlen(root)) == 0)
        buffer_add_text(out, group.folder + strlen(root));
    scratch_free(scratch);
}

/* ---- connections of an address ----------------------------------------------------------- */

static struct sockaddr_storage address_of(const char *text)
{
    struct sockaddr_storage addr = {.ss_family = AF_UNIX};
    struct sockaddr_in *v4 = (struct sockaddr_in *)&addr;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&addr;

    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1)
        addr.ss_family = AF_INET;
    else if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1)
        addr.ss_family = AF_INET6;
    v4->sin_port = htons((in_port_t)rand()); /* must not matter */
    return addr;
}

enum { ENTRIES = 32 };

/* The connections of a row that have not left. */
struct entries {
    const char *address[ENTRIES];
    struct peer *peer[ENTRIES];
    size_t count;
};

static void enter(struct buffer *out, struct peers *peers, struct entries *entries,
                  const char *step, bool numbers)
{
    struct sockaddr_storage addr = address_of(step + 1);
    struct peer *peer;

    if (peers_enter(peers, (const struct sockaddr *)&addr, step[0] == '!', &peer) !=
        PEERS_ENTERED) {
        buffer_add_text(out, "no");
        return;
    }
    entries->address[entries->count] = step + 1;
    entries->peer[entries->count++] = peer;
    if (numbers)
        buffer_add_integer(out, peer->number);
    else
        buffer_add_text(out, "yes");
}

/* The connection from the address that entered last leaves. */
static void leave(struct peers *peers, struct entries *entries, const char *address)
{
    size_t i = entries->count;

    while (strcmp(entries->address[--i], address) != 0)
        ;
    peers_leave(peers, entries->peer[i]);
    entries->address[i] = entries->address[--entries->count];
    entries->peer[i] = entries->peer[entries->count];
}

static void run_peers(struct buffer *out, char *value, struct peers *peers, bool numbers)
{
    struct entries entries = {.count = 0};

    for (char *step; (step = server_row_step(&value, " "));) {
        if (out->len > 0)
            buffer_add_text(out, " ");
        if (step[0] == '-')
            leave(peers, &entries, step + 1), buffer_add_text(out, "-");
        else
            enter(out, peers, &entries, step, numbers);
    }
    while (entries.count > 0)
        leave(peers, &entries, entries.address[0]);
    peers_free(peers);
}

static void peer_limit(struct buffer *out, char *value, const char *claim, const void *context)
{
    struct peers *peers = peers_new(100, strtoul(value, &value, 10), false);

    server_row_step(&value, " ");
    run_peers(out, value, peers, strcmp(claim, "enters") != 0);
}

static void peers_of(struct buffer *out, char *value, const char *claim, const void *context)
{
    run_peers(out, value, peers_new(100, 0, *(const bool *)context),
              strcmp(claim, "peers") == 0);
}

/* ---- the bytes of bodies ----------------------------------------------------------------- */

enum { PEERS = 64, SHARE = 8000 };

static struct peer clients[PEERS];

static const bool by_address = false, by_connection = true;
static const uint64_t share = SHARE, lent = 2 * SHARE;

static bool source_lacks; /* the budget of which bodies have a share has nothing left */

static bool take_of_source(struct service *service, uint64_t bytes)
{
    return !source_lacks;
}

static void give_to_source(struct service *service, uint64_t bytes)
{
}

/* Writes "yes" if all peers of a take get the bytes, "no" if one does not. */
static void take_step(struct buffer *took, struct body_budget *bodies, char *step)
{
    const char *verb = server_row_step(&step, " ");
    uint64_t first = strtoull(step, &step, 10),
             last = *step == '-' ? strtoull(step + 1, &step, 10) : first,
             bytes = strtoull(step, NULL, 10);
    bool all = true;

    if (strcmp(verb, "want") == 0)
        body_budget_want(bodies, first);
    source_lacks = strcmp(verb, "lack") == 0;
    for (uint64_t peer = first; peer <= last; peer++)
        if (strcmp(verb, "take") == 0 || source_lacks)
            all &= body_budget_take(bodies, &clients[peer], bytes);
        else if (strcmp(verb, "give") == 0)
            body_budget_give_back(bodies, &clients[peer], bytes);
    buffer_add_text(took, strcmp(verb, "take") != 0 && !source_lacks ? "-"
                          : all                                      ? "yes"
                                                                     : "no");
}

static void write_bodies(struct buffer *out, struct body_budget *bodies, const char *claim)
{
    if (strcmp(claim, "held") == 0)
        buffer_add_integer(out, body_budget_held(bodies));
    else if (strcmp(claim, "wanted") == 0)
        buffer_add_integer(out, body_budget_wanted(bodies));
    else if (strcmp(claim, "crowded") == 0)
        buffer_add_text(out, body_budget_are_crowded(bodies) ? "yes" : "no");
    else if (strncmp(claim, "beyond ", 7) == 0)
        buffer_add_integer(out,
                           body_budget_beyond(bodies, &clients[strtoull(claim + 7, NULL, 10)]));
}

static void bodies(struct buffer *out, char *value, const char *claim, const void *context)
{
    struct body_budget *budget =
        body_budget_new(SHARE, *(const uint64_t *)context,
                        (struct body_budget_source){take_of_source, give_to_source, NULL});

    for (char *step; (step = server_row_step(&value, "; "));) {
        struct buffer took = {0};

        if (out->len > 0)
            buffer_add_text(out, " ");
        take_step(&took, budget, step);
        if (strcmp(claim, "took") == 0)
            buffer_add_text(out, took.bytes);
        write_bodies(out, budget, claim);
        buffer_fini(&took);
    }
    body_budget_free(budget);
}

const struct server_row_function server_row_limits[] = {
    {"cgroup", cgroup, NULL},
    {"peer-limit", peer_limit, NULL},
    {"peers", peers_of, &by_address},
    {"peers-by-connection", peers_of, &by_connection},
    {"bodies", bodies, &share},
    {"lent-bodies", bodies, &lent},
    {NULL, NULL, NULL},
};
