/* SPDX-License-Identifier: Apache-2.0
 * client_page.c - see client_page.h. A client that is shown begins at 0, and what it used
 * before stays in "other": so no sample ever falls but by beginning anew, which Prometheus
 * takes for a restart. */
#include "server/quota/client_page.h"

#include <inttypes.h>
#include <string.h>

#define OTHER "other"

static uint64_t load(const _Atomic uint64_t *sum)
{
    return atomic_load_explicit(sum, memory_order_relaxed);
}

static struct client_sums read_sums(const struct client *client)
{
    const struct client_usage *usage = client->usage;
    struct client_sums sums = {.requests = load(&usage->requests),
                               .bytes = load(&usage->bytes),
                               .work_ns = load(&usage->work_ns)};

    for (size_t i = 0; i < QUOTA_LIMITS; i++)
        sums.refused[i] = load(&usage->refused[i]);
    return sums;
}

static void add_difference(struct client_sums *sum, const struct client_sums *now,
                           const struct client_sums *before)
{
    sum->requests += now->requests - before->requests;
    sum->bytes += now->bytes - before->bytes;
    sum->work_ns += now->work_ns - before->work_ns;
    for (size_t i = 0; i < QUOTA_LIMITS; i++)
        sum->refused[i] += now->refused[i] - before->refused[i];
}

/* What the client used since the page was written last is of others. */
static void give_to_others(struct client_page *page, struct client_view *view)
{
    add_difference(&page->other, &view->now, &view->seen);
    view->seen = view->base = view->now;
}

void client_page_forget(struct client_page *page, struct client *client)
{
    client->view->now = read_sums(client);
    give_to_others(page, client->view);
}

/* ---- who is shown ------------------------------------------------------------------------ */

/* Two clients that are shown have two labels: one of an older file may have that of another. */
static bool may_be_shown(const struct client_page *page, const struct client *client)
{
    return client->view->generation >= page->generation && strcmp(client->label, OTHER) != 0;
}

/* Returns the shown client with fewest requests, or the one that is not shown with most. */
static struct client *find(const struct client_page *page, struct client *names, bool is_shown)
{
    struct client *found = NULL;

    for (struct client *at = names; at; at = at->next)
        if (at->view->is_shown == is_shown && may_be_shown(page, at) &&
            (!found || (is_shown ? at->view->now.requests < found->view->now.requests
                                 : at->view->now.requests > found->view->now.requests)))
            found = at;
    return found;
}

/* A client that is shown from now on begins with what it used since it was of others. */
static void choose(const struct client_page *page, struct client *names, size_t shown)
{
    for (struct client *next; (next = find(page, names, false)) != NULL; shown++) {
        if (shown >= CLIENT_TABLE_SHOWN) {
            struct client *least = find(page, names, true);

            if (least->view->now.requests >= next->view->now.requests)
                return;
            least->view->is_shown = false;
        }
        next->view->is_shown = true;
        next->view->base = next->view->seen;
    }
}

/* Takes the sums of all clients, and chooses those that are shown. */
static void look(struct client_page *page, struct client *names)
{
    size_t shown = 0;

    for (struct client *at = names; at; at = at->next) {
        at->view->now = read_sums(at);
        at->view->is_shown &= may_be_shown(page, at);
        shown += at->view->is_shown;
    }
    choose(page, names, shown);
    for (struct client *at = names; at; at = at->next)
        if (at->view->is_shown)
            at->view->seen = at->view->now;
        else
            give_to_others(page, at->view);
}

/* ---- the page ---------------------------------------------------------------------------- */

static void write_family(const struct client_page *page, const struct client *names,
                         struct metrics_page *out, enum metrics_family family, size_t offset)
{
    metrics_page_begin(out, family);
    for (const struct client *at = names; at; at = at->next)
        if (at->view->is_shown) {
            const uint64_t now = *(const uint64_t *)((const char *)&at->view->seen + offset);

            metrics_page_sample(
                out, "client", at->label,
                now - *(const uint64_t *)((const char *)&at->view->base + offset));
        }
    metrics_page_sample(out, "client", OTHER,
                        *(const uint64_t *)((const char *)&page->other + offset));
}

static void write_seconds(const struct metrics_page *out, const char *label, uint64_t ns)
{
    buffer_add_format(out->out, "%s{client=\"%s\"} %.9f\n", out->name, label, (double)ns / 1e9);
}

static void write_work(const struct client_page *page, const struct client *names,
                       struct metrics_page *out)
{
    metrics_page_begin(out, FAMILY_CLIENT_WORK);
    for (const struct client *at = names; at; at = at->next)
        if (at->view->is_shown)
            write_seconds(out, at->label, at->view->seen.work_ns - at->view->base.work_ns);
    write_seconds(out, OTHER, page->other.work_ns);
}

static void write_refused(const struct metrics_page *out, const char *label,
                          const struct client_sums *now, const struct client_sums *before)
{
    for (size_t i = 0; i < QUOTA_LIMITS; i++)
        if (now->refused[i] != before->refused[i])
            buffer_add_format(out->out, "%s{client=\"%s\",limit=\"%s\"} %" PRIu64 "\n",
                              out->name, label, quota_limit_name((enum quota_limit)i),
                              now->refused[i] - before->refused[i]);
}

void client_page_write(struct client_page *page, struct client *names, struct metrics_page *out)
{
    const struct client_sums none = {.requests = 0};

    look(page, names);
    write_family(page, names, out, FAMILY_CLIENT_REQUESTS,
                 offsetof(struct client_sums, requests));
    write_family(page, names, out, FAMILY_CLIENT_BYTES, offsetof(struct client_sums, bytes));
    write_work(page, names, out);
    metrics_page_begin(out, FAMILY_CLIENT_REFUSED);
    for (const struct client *at = names; at; at = at->next)
        if (at->view->is_shown)
            write_refused(out, at->label, &at->view->seen, &at->view->base);
    write_refused(out, OTHER, &page->other, &none);
}
