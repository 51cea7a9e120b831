/* SPDX-License-Identifier: Apache-2.0
 * response_body.h - libmicrohttpd's responses by what their bodies are made of; no other file
 * creates any (tests/lint/calls.py). A body whose bytes belong to the response needs a
 * reservation, which covers them before they are made. A body of an entry is counted by the
 * cache, as kept or as lent. The bytes of a program hold no memory. Functions that return a
 * response return NULL when memory is out. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/http/content_coding.h"
#include "server/cache/cache.h"
#include "server/http/header_block.h"
#include "server/http/range.h"
#include "server/net/reservation.h"

struct exchange;

/* Returns a response that owns these malloc'd bytes; NULL bytes make no response. They are
 * covered by the reservation: the exchange keeps `len` bytes of it until it ends, and gives
 * the rest back. More than RESERVATION_ALLOWANCE bytes count as being sent. */
struct MHD_Response *response_of_bytes(struct exchange *ex, char *bytes, size_t len,
                                       struct reservation *reservation);
/* Returns a response of bytes that live as long as the program. */
struct MHD_Response *response_of_program(const void *bytes, size_t len);
struct MHD_Response *response_empty(void);

/* A response whose bytes `read` makes as the socket takes them, in blocks of at most `block`
 * bytes. */
struct response_reader {
    uint64_t len; /* MHD_SIZE_UNKNOWN: it is sent in chunks */
    size_t block;
    MHD_ContentReaderCallback read;
    MHD_ContentReaderFreeCallback free; /* not called if there is no response */
    void *context;
};
/* The reservation covers the block and all that the context holds; the exchange keeps it until
 * it ends. */
struct MHD_Response *response_of_reader(struct exchange *ex,
                                        const struct response_reader *reader,
                                        struct reservation *reservation);
/* Takes bytes that the exchange has reserved out of it, for one of the functions above. */
struct reservation response_take_reserved(struct exchange *ex, uint64_t bytes);

/* Returns a response of the entry's bytes, or of a part of them (NULL: all), which keeps the
 * entry. */
struct MHD_Response *response_of_entry(struct cache_entry *entry, const struct range *part,
                                       struct header_block *head);
/* Returns a response of all bytes of an entry for many connections. It keeps the entry; or,
 * with *file, a share of the entry's file, which the caller ends: response_ready_file queues
 * it then. */
struct MHD_Response *response_shared(struct cache_entry *entry, struct header_block *head,
                                     bool *file);

#define RESPONSE_LEN_UNKNOWN UINT64_MAX
/* Returns a 304 without fields. len: the Content-Length of the 200 that it stands for (RFC
 * 9110, 8.6); if that is unknown the 304 has none, and the connection closes. */
struct MHD_Response *response_of_no_body(uint64_t len);

/* Returns a complete response; destroys one that is not, if there is one, and returns NULL. */
struct MHD_Response *response_if(bool complete, struct MHD_Response *response);
