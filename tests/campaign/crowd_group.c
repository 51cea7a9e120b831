/* SPDX-License-Identifier: Apache-2.0
 * crowd_group.c - see crowd_group.h. */
#include "tests/campaign/crowd_group.h"

#include <assert.h>
#include <stdlib.h>

#include "tests/campaign/crowd_link.h"

static const double step = 0.05; /* seconds between the allowances of a slow reader */

bool group_begin(struct group *group, const struct crowd_address *address, int epoll,
                 double now)
{
    group->address = address;
    group->epoll = epoll;
    group->due = group->refilled = now;
    group->links = calloc((size_t)group->options.connections, sizeof *group->links);
    if (!group->links ||
        !crowd_requests_read(&group->requests, group->options.path, group->options.first))
        return false;
    for (int i = 0; i < group->options.connections; i++)
        group->links[i] = (struct link){.group = group, .wire.fd = -1};
    return true;
}

/* Every closed connection is opened and asks. */
static void reopen(struct group *group, double now)
{
    for (int i = 0; i < group->options.connections; i++) {
        struct link *link = &group->links[i];

        if (link->state != LINK_CLOSED || !link_open(link))
            continue;
        for (int k = 0; k < group->options.depth; k++)
            link_ask(link, now);
    }
}

/* A connection on which nothing is outstanding: an open one, if there is any. */
static struct link *idle_link(struct group *group)
{
    struct link *closed = NULL;

    for (int i = 0; i < group->options.connections; i++) {
        struct link *link = &group->links[i];

        if (link->outstanding == 0 && link->state != LINK_CLOSED)
            return link;
        if (!closed && link->state == LINK_CLOSED)
            closed = link;
    }
    return closed;
}

/* Sends the requests of a rate that are due. Where no connection was free in time, the time
 * when the request was due is when its client began to wait. */
static void dispatch_due(struct group *group, double now, double last)
{
    while (group->due <= now && group->due < last) {
        struct link *link = idle_link(group);

        if (!link || (link->state == LINK_CLOSED && !link_open(link))) {
            group->is_late = true;
            return;
        }
        link_ask(link, group->is_late ? group->due : now);
        group->due += 1 / group->options.rate;
    }
    group->is_late = false;
}

void group_tick(struct group *group, double now, double last)
{
    if (group->options.rate == 0)
        reopen(group, now);
    else
        dispatch_due(group, now, last);
    if (group->options.pace > 0 && now >= group->refilled + step) {
        for (int i = 0; i < group->options.connections; i++)
            link_allow(&group->links[i],
                       (int64_t)(group->options.pace * (now - group->refilled)));
        group->refilled = now;
    }
}

bool group_waits(const struct group *group, double last)
{
    if (group->options.rate == 0)
        return false;
    for (int i = 0; i < group->options.connections; i++)
        if (group->links[i].outstanding > 0)
            return true;
    return group->due < last;
}

/* Counts the requests of a rate that were not answered, and those that were due and not sent.
 * */
static void count_unanswered(struct group *group, double now, double last)
{
    for (int i = 0; i < group->options.connections; i++)
        if (group->links[i].outstanding > 0) {
            group_add_wait(group, now - group->links[i].asked[group->links[i].first].at);
            group->unanswered++;
        }
    for (; group->due < last; group->due += 1 / group->options.rate) {
        group_add_wait(group, now - group->due);
        group->asked++;
        group->unanswered++;
    }
}

void group_end(struct group *group, double now, double last)
{
    if (group->options.rate > 0)
        count_unanswered(group, now, last < now ? last : now);
    for (int i = 0; i < group->options.connections; i++)
        link_close(&group->links[i]);
}

void group_add_wait(struct group *group, double seconds)
{
    if (group->wait_count == group->wait_size) {
        group->wait_size = group->wait_size ? 2 * group->wait_size : 1024;
        group->waits = realloc(group->waits, group->wait_size * sizeof *group->waits);
        assert(group->waits);
    }
    group->waits[group->wait_count++] = (uint32_t)(1e6 * seconds);
}

static int compare(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

    return (one > other) - (one < other);
}

/* Milliseconds within which this share of the answers came. */
static double within(const struct group *group, double share)
{
    const size_t at = (size_t)(share * (double)group->wait_count);

    if (group->wait_count == 0)
        return 0;
    return 1e-3 * group->waits[at < group->wait_count ? at : group->wait_count - 1];
}

void group_print(struct group *group, FILE *file)
{
    const char *between = "";

    qsort(group->waits, group->wait_count, sizeof *group->waits, compare);
    fprintf(file, "{\"name\":\"%s\",\"asked\":%ld,\"bytes\":%ld,\"statuses\":{",
            group->options.name, group->asked, group->bytes);
    for (int i = 0; i < STATUS_MAX; i++)
        if (group->statuses[i]) {
            fprintf(file, "%s\"%d\":%ld", between, i, group->statuses[i]);
            between = ",";
        }
    fprintf(file,
            "},\"wrong_length\":%ld,\"cut_by_reset\":%ld,\"cut_by_end\":%ld,\"unanswered\":%ld,"
            "\"unread\":%ld,\"not_http\":%ld,\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f}\n",
            group->wrong_length, group->cut_by_reset, group->cut_by_end, group->unanswered,
            group->unread, group->not_http, within(group, 0.5), within(group, 0.99),
            within(group, 1));
}
