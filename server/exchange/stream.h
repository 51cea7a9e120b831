/* SPDX-License-Identifier: Apache-2.0
 * stream.h - answers too long for the cache are generated as the socket drains. The length is
 * known for binary formats, and a part of one is generated without the bytes before it. Memory
 * is one block, the encoder's scratch and, for text that outgrew the cache, the first megabyte
 * until it is sent. */
#pragma once

#include "server/exchange/internal.h"

struct response_meta;

/* Queues the response of ex->work.encoder (taken, with ex->work.plan and ex->work.prefix). */
enum next stream_answer(struct exchange *ex);
/* Queues the response of ex->work.encoder (taken), which owns all that it needs; there is
 * neither a plan nor a request. The pool makes it, in chunks. */
enum next stream_encoder(struct exchange *ex, const struct response_meta *meta);
