/* SPDX-License-Identifier: Apache-2.0
 * response_body.c - see response_body.h. */
#include "server/exchange/response_body.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/cache/body_file.h"
#include "server/exchange/internal.h"

struct MHD_Response *response_if(bool complete, struct MHD_Response *response)
{
    if (complete)
        return response;
    if (response)
        MHD_destroy_response(response);
    return NULL;
}

/* ---- bytes of the program ------------------------------------------------------------ */

struct MHD_Response *response_of_program(const void *bytes, size_t len)
{
    return MHD_create_response_from_buffer(len, (void *)(uintptr_t)bytes,
                                           MHD_RESPMEM_PERSISTENT);
}

struct MHD_Response *response_empty(void)
{
    return response_of_program("", 0);
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

struct MHD_Response *response_of_bytes(struct exchange *ex, char *bytes, size_t len,
                                       struct reservation *reservation)
{
    char *fitting =
        bytes ? realloc(bytes, len + 1) : NULL; /* a buffer has more than it holds */
    struct MHD_Response *response = NULL;

    bytes = fitting ? fitting : bytes;
    if (bytes)
        response = MHD_create_response_from_buffer(len, bytes, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(bytes);
        reservation_trim(reservation, 0);
        return NULL;
    }
    hold(ex, reservation, len);
    return response;
}

struct MHD_Response *response_of_reader(struct exchange *ex,
                                        const struct response_reader *reader,
                                        struct reservation *reservation)
{
    struct MHD_Response *response = MHD_create_response_from_callback(
        reader->len, reader->block, reader->read, reader->context, reader->free);

    assert(reservation->bytes >= reader->block);
    if (response)
        hold(ex, reservation, reservation->bytes);
    else
        reservation_trim(reservation, 0);
    return response;
}

/* ---- entries of the cache ------------------------------------------------------------ */

struct MHD_Response *response_of_entry(struct cache_entry *entry, const struct range *part,
                                       struct header_block *head)
{
    const struct cache_answer *answer = cache_entry_answer(entry);
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback_cls(
        part ? (size_t)part->len : answer->len, answer->bytes + (part ? part->first : 0),
        cache_entry_drop, entry);

    if (!response)
        return NULL;
    cache_entry_ref(entry);
    return response_if(header_block_give(head, response), response);
}

/* A response that takes the descriptor; NULL: out of memory, and it is closed. */
static struct MHD_Response *response_of_file(int fd, size_t len, struct header_block *head)
{
    struct MHD_Response *response = MHD_create_response_from_fd64(len, fd);

    if (!response) {
        close(fd);
        return NULL;
    }
    return response_if(header_block_give(head, response), response);
}

struct MHD_Response *response_shared(struct cache_entry *entry, struct header_block *head,
                                     bool *file)
{
    const struct cache_answer *answer = cache_entry_answer(entry);
    int fd = answer->file ? body_file_share(answer->file) : -1;
    struct MHD_Response *response;

    *file = false;
    if (fd < 0)
        return response_of_entry(entry, NULL, head);
    response = response_of_file(fd, answer->len, head);
    *file = response != NULL;
    if (!response)
        body_file_end_share(answer->file);
    return response;
}

/* ---- nothing ------------------------------------------------------------------------- */

/* A 304 has no body; libmicrohttpd asks for none. */
static ssize_t read_nothing(void *nothing, uint64_t at, char *out, size_t capacity)
{
    (void)nothing, (void)at, (void)out, (void)capacity;
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* libmicrohttpd 0.9.75 writes the length of the response object into a 304 too, and the 0 of an
 * empty one would be wrong. For an unknown length it says chunked, and some clients then wait
 * for chunks; with the flag for HTTP/1.0 it says nothing and closes instead. */
struct MHD_Response *response_of_no_body(uint64_t len)
{
    struct MHD_Response *response = MHD_create_response_from_callback(
        len == RESPONSE_LEN_UNKNOWN ? MHD_SIZE_UNKNOWN : len, 1, read_nothing, NULL, NULL);
    const bool complete =
        response && (len != RESPONSE_LEN_UNKNOWN ||
                     MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT,
                                              MHD_RO_END) == MHD_YES);

    return response_if(complete, response);
}
