/* SPDX-License-Identifier: Apache-2.0
 * canonical.h - the one spelling of a request: checked arguments and options, sorted by
 * name, as a URL and as a JSON object. */
#ifndef PROTO_CANONICAL_H
#define PROTO_CANONICAL_H

#include <stddef.h>

#include "core/posenc.h"
#include "proto/request/option.h"
#include "proto/text/buffer.h"

/* "/v1/rope?base=10000&dim=128&...": all that decides the answer's bytes, presets and
 * defaults filled in, percent-encoded but for "," and ":". Parses back to itself, unless a list
 * in it is long (PE_LONG_LIST): that has a mark, "pos=#98304x0", and is named by its bits. */
void canonical_write(struct buffer *out, const struct pe_args *args,
                     const struct option_values *options);
/* Writes the canonical form as a JSON object with typed values, options only where they
 * differ from their defaults; a body of it gives the same answer. Each member is on a line
 * of its own after `indent` spaces, or all are on one line when indent is 0. */
void canonical_write_json(struct buffer *out, const struct pe_args *args,
                          const struct option_values *options, size_t indent);

#endif
