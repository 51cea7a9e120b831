/* SPDX-License-Identifier: Apache-2.0
 * response_body.c - see response_body.h. */
#include "server/exchange/response_body.h"

#include <assert.h>
#include <stdlib.h>

#include "server/cache/body_file.h"
#include "server/exchange/internal.h"

struct transport_body response_of_program(const void *bytes, size_t len)
{
    return (struct transport_body){.kind = TRANSPORT_BYTES, .len = len, .bytes = bytes};
}

struct transport_body response_of_none(uint64_t len)
{
    return (struct transport_body){.kind = TRANSPORT_NONE, .len = len};
}

/* ---- bytes of the response ----------------------------------------------------------- */

struct reservation response_take_reserved(struct exchange *ex, uint64_t bytes)
{
    assert(bytes <= ex->work.reserved);
    ex->work.reserved -= bytes;
    return reservation_taken(exchange_service(ex), bytes);
}

/* The exchange keeps `len` bytes of the reservation, which count as being sent. No connection
 * is ended for a problem, or another answer that is as short. */
static void hold(struct exchange *ex, struct reservation *reservation, uint64_t len)
{
    assert(len <= reservation->bytes);
    reservation_trim(reservation, len);
    reservation->bytes = 0;
    ex->work.reserved += len;
    if (len <= RESERVATION_ALLOWANCE)
        return;
    ex->response.sending += len;
    inflight_begin_send(exchange_service(ex), len);
}

struct transport_body response_of_bytes(struct exchange *ex, char *bytes, size_t len,
                                        struct reservation *reservation)
{
    char *fitting =
        bytes ? realloc(bytes, len + 1) : NULL; /* a buffer has more than it holds */

    if (!bytes) {
        reservation_trim(reservation, 0);
        return (struct transport_body){.kind = TRANSPORT_LACKS};
    }
    hold(ex, reservation, len);
    bytes = fitting ? fitting : bytes;
    return (struct transport_body){.kind = TRANSPORT_BYTES,
                                   .len = len,
                                   .bytes = bytes,
                                   .release = free,
                                   .owner = bytes};
}

struct transport_body response_of_pull(struct exchange *ex, struct transport_body body,
                                       struct reservation *reservation)
{
    assert(reservation->bytes >= body.block);
    hold(ex, reservation, reservation->bytes);
    body.kind = TRANSPORT_PULLED;
    return body;
}

/* ---- entries of the cache ------------------------------------------------------------ */

struct transport_body response_of_entry(struct cache_entry *entry, const struct range *part)
{
    const struct cache_answer *answer = cache_entry_answer(entry);

    return (struct transport_body){.kind = TRANSPORT_BYTES,
                                   .len = part ? part->len : answer->len,
                                   .bytes = answer->bytes + (part ? part->first : 0),
                                   .release = cache_entry_drop,
                                   .owner = cache_entry_ref(entry)};
}

struct transport_body response_of_entry_file(struct cache_entry *entry)
{
    const struct cache_answer *answer = cache_entry_answer(entry);
    const int fd = answer->file ? body_file_share(answer->file) : -1;

    if (fd < 0)
        return response_of_entry(entry, NULL);
    return (struct transport_body){.kind = TRANSPORT_FILE, .len = answer->len, .fd = fd};
}
