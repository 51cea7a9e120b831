/* SPDX-License-Identifier: Apache-2.0
 * crowd_link.c - one connection of a group: it connects, sends, receives, and counts each
 * answer or how it was lost. */
#include <assert.h>
#include <sys/epoll.h>

#include "tests/campaign/crowd_link.h"

enum { BUFFER = 256 << 10, AT_ONCE = 64 << 20, TURNS = 8, SMALL_BUFFER = 4096 };

static bool reads(const struct link *link)
{
    return link->group->options.pace != READ_NEVER;
}

/* Tells epoll what the connection waits for. */
static void update_interest(struct link *link)
{
    const struct group_options *options = &link->group->options;
    uint32_t events = EPOLLRDHUP;
    struct epoll_event event = {.data.ptr = link};

    if (link->state == LINK_SHAKING)
        events = link->wire.tls && gnutls_record_get_direction(link->wire.tls) == 0 ? EPOLLIN
                                                                                    : EPOLLOUT;
    else if (reads(link))
        events = options->pace == READ_AT_ONCE || link->allowed > 0 ? EPOLLIN : 0;
    if (link->state == LINK_OPEN && link->output.sent < link->output.len)
        events |= EPOLLOUT;
    if (events == link->interest)
        return;
    event.events = link->interest = events;
    const int result = epoll_ctl(link->group->epoll, EPOLL_CTL_MOD, link->wire.fd, &event);
    assert(result == 0);
}

void link_close(struct link *link)
{
    crowd_wire_close(&link->wire);
    link->state = LINK_CLOSED;
    link->outstanding = 0;
    link->output.len = link->output.sent = 0;
}

/* The connection has ended: what was outstanding is counted as lost. */
static void lose(struct link *link, ssize_t how)
{
    struct group *group = link->group;

    if (!reads(link) && link->state == LINK_OPEN) {
        group->unread++;
    } else if (link->outstanding > 0) {
        const bool begun = link->answer.part != ANSWER_HEAD || link->answer.len > 0;
        group->unanswered += link->outstanding - begun;
        if (begun && how == WIRE_RESET)
            group->cut_by_reset++;
        else if (begun)
            group->cut_by_end++;
    }
    link_close(link);
}

bool link_open(struct link *link)
{
    struct epoll_event event = {.events = EPOLLOUT, .data.ptr = link};
    const int buffer = link->group->options.pace == READ_AT_ONCE ? 0 : SMALL_BUFFER;

    if (!crowd_wire_open(&link->wire, link->group->address, buffer) ||
        epoll_ctl(link->group->epoll, EPOLL_CTL_ADD, link->wire.fd, &event) != 0) {
        link_close(link);
        return false;
    }
    link->interest = EPOLLOUT;
    link->state = LINK_SHAKING;
    return true;
}

void link_ask(struct link *link, double at)
{
    struct group *group = link->group;
    const struct crowd_request *request = crowd_requests_write(&group->requests, &link->output);
    const int place = (link->first + link->outstanding) % DEPTH_MAX;

    group->asked++;
    if (link->outstanding == DEPTH_MAX) /* a client that never reads asks on and on */
        return;
    link->asked[place].request = request;
    link->asked[place].at = at;
    if (link->outstanding++ == 0)
        answer_begin(&link->answer, request->is_head);
    if (link->state == LINK_OPEN)
        update_interest(link);
}

/* Sends what waits; a client that never reads adds requests until the socket takes no more.
 * False if the connection is over. */
static bool push(struct link *link, double now)
{
    struct crowd_output *output = &link->output;

    for (int turn = 0; turn < TURNS && output->sent < output->len; turn++) {
        const ssize_t sent = crowd_wire_send(&link->wire, output->bytes + output->sent,
                                             output->len - output->sent);
        if (sent < 0)
            return false;
        if (sent == WIRE_LATER)
            break;
        output->sent += (size_t)sent;
        if (output->sent == output->len && !reads(link))
            link_ask(link, now);
    }
    return true;
}

/* Counts an answer that is whole; false if the connection ends with it. */
static bool complete(struct link *link, double now)
{
    struct group *group = link->group;
    const struct answer *answer = &link->answer;
    const struct crowd_request *request = link->asked[link->first].request;
    const bool stays = !answer->ends_connection && !group->options.fresh;

    group->statuses[answer->status > 0 && answer->status < STATUS_MAX ? answer->status : 0]++;
    if (answer->status == 200 && request->body != CROWD_UNKNOWN && !request->is_head &&
        answer->body != request->body)
        group->wrong_length++;
    group_add_wait(group, now - link->asked[link->first].at);
    link->first = (link->first + 1) % DEPTH_MAX;
    link->outstanding--;
    if (!stays)
        return false;
    if (link->outstanding > 0)
        answer_begin(&link->answer, link->asked[link->first].request->is_head);
    if (group->options.rate == 0)
        link_ask(link, now);
    return true;
}

/* Takes received bytes; false if the connection is over. */
static bool digest(struct link *link, const char *bytes, size_t len, double now)
{
    while (len > 0) {
        const ptrdiff_t taken =
            link->outstanding > 0 ? answer_take(&link->answer, bytes, len) : -1;
        if (taken < 0) {
            link->group->not_http++;
            link_close(link);
            return false;
        }
        bytes += taken;
        len -= (size_t)taken;
        if (link->answer.part == ANSWER_WHOLE && !complete(link, now)) {
            link_close(link);
            return false;
        }
    }
    return true;
}

static size_t smaller(uint64_t a, uint64_t b)
{
    return (size_t)(a < b ? a : b);
}

/* Receives once, and drops the bytes of bodies unseen where TCP can; returns what came. */
static ssize_t receive(struct link *link, double now)
{
    static char buffer[BUFFER];
    const uint64_t skippable =
        link->outstanding > 0 && !link->wire.tls ? answer_skippable(&link->answer) : 0;
    const uint64_t most =
        link->group->options.pace == READ_AT_ONCE ? AT_ONCE : (uint64_t)link->allowed;
    ssize_t got;

    if (!skippable) {
        got = crowd_wire_receive(&link->wire, buffer, smaller(most, sizeof buffer));
        if (got > 0 && !digest(link, buffer, (size_t)got, now))
            return WIRE_LATER;
    } else {
        got = crowd_wire_receive(&link->wire, NULL, smaller(most, skippable));
        if (got > 0) {
            answer_skip(&link->answer, (uint64_t)got);
            if (link->answer.part == ANSWER_WHOLE && !complete(link, now)) {
                link_close(link);
                return WIRE_LATER;
            }
        }
    }
    if (got > 0)
        link->group->bytes += got;
    return got;
}

static void pull(struct link *link, double now)
{
    for (int turn = 0; turn < TURNS || crowd_wire_has_more(&link->wire); turn++) {
        if (link->group->options.pace > 0 && link->allowed <= 0)
            return;
        const ssize_t got = receive(link, now);
        if (link->state != LINK_OPEN || got == WIRE_LATER)
            return;
        if (got < 0) {
            lose(link, got);
            return;
        }
        if (link->group->options.pace > 0)
            link->allowed -= got;
    }
}

/* False if the connection is over. */
static bool shake(struct link *link)
{
    const int result = crowd_wire_shake(&link->wire);

    if (result == WIRE_RESET) {
        lose(link, result);
        return false;
    }
    if (result > 0)
        link->state = LINK_OPEN;
    return true;
}

void link_serve(struct link *link, uint32_t events, double now)
{
    if (link->state == LINK_SHAKING && !shake(link))
        return;
    if (link->state == LINK_OPEN && reads(link) && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)))
        pull(link, now);
    if (link->state == LINK_OPEN && !reads(link) &&
        (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))) {
        lose(link, WIRE_RESET);
        return;
    }
    if (link->state == LINK_OPEN && !push(link, now))
        lose(link, WIRE_RESET);
    if (link->state != LINK_CLOSED)
        update_interest(link);
}

void link_allow(struct link *link, int64_t bytes)
{
    link->allowed = bytes;
    if (link->state == LINK_OPEN)
        update_interest(link);
}
