/* SPDX-License-Identifier: Apache-2.0
 * response_body.h - the bodies of responses by what holds their bytes; no other file makes any
 * (tests/lint/calls.py). A body whose bytes belong to the response needs a reservation, which
 * covers them before they are made. A body of an entry is counted by the cache, as kept or as
 * lent. The bytes of a program hold no memory. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "server/cache/cache.h"
#include "server/http/range.h"
#include "server/http/transport.h"
#include "server/net/reservation.h"

struct exchange;

/* Returns a body that owns these malloc'd bytes; NULL: there was no memory. They are covered by
 * the reservation: the exchange keeps `len` bytes of it until it ends, and gives the rest back.
 * More than RESERVATION_ALLOWANCE bytes count as being sent. */
struct transport_body response_of_bytes(struct exchange *ex, char *bytes, size_t len,
                                        struct reservation *reservation);
/* Returns a body of bytes that live as long as the program. */
struct transport_body response_of_program(const void *bytes, size_t len);
/* Returns the body of a response that has none. len: of the 200 to GET that it stands for (RFC
 * 9110, 8.6), or TRANSPORT_LEN_UNKNOWN. */
struct transport_body response_of_none(uint64_t len);

/* The bytes of a body that `pull` makes as the socket takes them, in blocks of at most `block`
 * bytes. The reservation covers the block and all that the owner holds; the exchange keeps it
 * until it ends. */
struct transport_body response_of_pull(struct exchange *ex, struct transport_body body,
                                       struct reservation *reservation);
/* Takes bytes that the exchange has reserved out of it, for one of the functions above. */
struct reservation response_take_reserved(struct exchange *ex, uint64_t bytes);

/* Returns a body of the entry's bytes, or of a part of them (NULL: all), which keeps the
 * entry. */
struct transport_body response_of_entry(struct cache_entry *entry, const struct range *part);
/* Returns a body of all bytes of an entry: of a share of the entry's file, which the caller
 * ends and for which it keeps the entry; or else as response_of_entry does. */
struct transport_body response_of_entry_file(struct cache_entry *entry);
