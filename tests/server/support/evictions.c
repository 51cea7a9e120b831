/* SPDX-License-Identifier: Apache-2.0
 * evictions.c - the order of eviction as rows. "s3fifo" has a budget of 200 bytes, for twenty
 * entries of 10 bytes, and "s3fifo-wide" one of 5120, of which cheap entries may have 80. After
 * them stand steps between "; ": "add ENTRIES", "cheap ENTRIES" adds cheap ones, "touch",
 * "remove", "victim TIMES" and "overdue TIMES" evict; "scan ENTRIES" adds each and evicts a
 * victim, and "cheap-scan ENTRIES" an overdue one. ENTRIES is 3 or 0-7. */
#include <stdlib.h>
#include <string.h>

#include "server/cache/s3fifo.h"
#include "tests/server/support/server_row.h"

enum { NODES = 64, BYTES = 10 };

static const uint64_t narrow = 200, wide = 64 * 8 * BYTES;

struct queues {
    struct s3fifo fifo;
    struct s3fifo_node nodes[NODES];
    struct buffer evicted; /* the numbers of the entries, in this order; "-": none */
    size_t count;
};

static void add(struct queues *queues, size_t i, bool cheap)
{
    struct s3fifo_node *node = &queues->nodes[i];

    node->hash = i + 1;
    node->bytes = BYTES;
    node->cheap |= cheap;
    s3fifo_add(&queues->fifo, node);
}

static void evict(struct queues *queues, struct s3fifo_node *node)
{
    if (queues->evicted.len > 0)
        buffer_add_text(&queues->evicted, " ");
    if (node)
        buffer_add_integer(&queues->evicted, (uint64_t)(node - queues->nodes));
    else
        buffer_add_text(&queues->evicted, "-");
    queues->count += node != NULL;
}

static void take_step(struct queues *queues, char *step)
{
    const char *verb = server_row_step(&step, " ");
    size_t first = strtoul(step, &step, 10),
           last = *step == '-' ? strtoul(step + 1, NULL, 10) : first;

    for (size_t times = 0; times < first && strcmp(verb, "victim") == 0; times++)
        evict(queues, s3fifo_victim(&queues->fifo));
    for (size_t times = 0; times < first && strcmp(verb, "overdue") == 0; times++)
        evict(queues, s3fifo_overdue(&queues->fifo));
    for (size_t i = first; i <= last; i++) {
        if (strcmp(verb, "add") == 0 || strcmp(verb, "scan") == 0)
            add(queues, i, false);
        else if (strcmp(verb, "cheap") == 0 || strcmp(verb, "cheap-scan") == 0)
            add(queues, i, true);
        else if (strcmp(verb, "touch") == 0)
            s3fifo_touch(&queues->nodes[i]);
        else if (strcmp(verb, "remove") == 0)
            s3fifo_remove(&queues->fifo, &queues->nodes[i]);
        if (strcmp(verb, "scan") == 0)
            evict(queues, s3fifo_victim(&queues->fifo));
        else if (strcmp(verb, "cheap-scan") == 0)
            evict(queues, s3fifo_overdue(&queues->fifo));
    }
}

/* "in main 0-3": whether all these entries are in this queue. */
static void write_place(struct buffer *out, const struct queues *queues, const char *claim)
{
    static const char *const places[] = {[S3FIFO_NOWHERE] = "in none ",
                                         [S3FIFO_BRIEF] = "in brief ",
                                         [S3FIFO_SMALL] = "in small ",
                                         [S3FIFO_MAIN] = "in main "};

    for (int place = 0; place < 4; place++) {
        size_t len = strlen(places[place]);
        char *end;

        if (strncmp(claim, places[place], len) != 0)
            continue;
        size_t first = strtoul(claim + len, &end, 10),
               last = *end == '-' ? strtoul(end + 1, NULL, 10) : first;
        bool all = true;

        for (size_t i = first; i <= last; i++)
            all &= (int)queues->nodes[i].place == place;
        buffer_add_text(out, all ? "yes" : "no");
    }
}

static void s3fifo(struct buffer *out, char *value, const char *claim, const void *context)
{
    struct queues queues = {.count = 0};

    if (!s3fifo_init(&queues.fifo, *(const uint64_t *)context, NODES))
        abort();
    for (char *step; (step = server_row_step(&value, "; "));)
        take_step(&queues, step);
    if (strcmp(claim, "evicts") == 0 && queues.evicted.len > 0)
        buffer_add(out, queues.evicted.bytes, queues.evicted.len);
    else if (strcmp(claim, "count") == 0)
        buffer_add_integer(out, queues.count);
    else if (strcmp(claim, "bytes") == 0)
        buffer_add_integer(out, s3fifo_bytes(&queues.fifo));
    else if (strcmp(claim, "in all queues") == 0)
        buffer_add_integer(out, queues.fifo.brief.count + queues.fifo.small.count +
                                    queues.fifo.main.count);
    else
        write_place(out, &queues, claim);
    buffer_fini(&queues.evicted);
    s3fifo_fini(&queues.fifo);
}

const struct server_row_function server_row_evictions[] = {
    {"s3fifo", s3fifo, &narrow}, {"s3fifo-wide", s3fifo, &wide}, {NULL, NULL, NULL}};
