/* SPDX-License-Identifier: Apache-2.0
 * body_reader.h - the readers of bodies: JSON, tensors, and a file that is kept as it comes.
 * Each is a row of functions; ex->reader is the row of the body of this exchange. */
#ifndef SERVER_BODY_READER_H
#define SERVER_BODY_READER_H

#include "server/exchange/internal.h"

struct body_reader {
    bool (*start)(struct exchange *ex); /* false: out of memory */
    enum next (*add)(struct exchange *ex, const char *bytes, size_t len);
    enum next (*finish)(struct exchange *ex);    /* all bytes have come; NULL: nothing to do */
    enum pe_status (*give)(struct exchange *ex); /* to ex->request; NULL: nothing to give */
};

/* Sets ex->reader by the path and the Content-Type, and starts it. Without memory the step of
 * the problem is next. */
void body_reader_start(struct exchange *ex);
/* Refuses the body while it arrives, and frees what was read of it; the response ends the
 * connection. CLOSE: the connection must end. The decompressor before the reader goes on. */
enum next body_refuse(struct exchange *ex, enum problem_kind kind, const char *detail);

/* The encoding of the path if it takes tensors, else NULL. */
const struct pe_encoding *body_encoding(const struct exchange *ex);
bool body_is_file(const struct exchange *ex);
bool body_is_packed(const struct exchange *ex);

#endif
