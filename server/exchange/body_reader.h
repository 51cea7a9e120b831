/* SPDX-License-Identifier: Apache-2.0
 * body_reader.h - the readers of bodies: JSON, tensors, and a file that is kept unchanged. Each
 * is a row of functions; ex->body.reader is the row for the body of this exchange. */
#pragma once

#include "proto/text/json_body.h"
#include "server/exchange/internal.h"

/* The media type of a file of tables, which the body of a PUT is. */
#define BODY_FILE_MEDIA_TYPE "application/x-safetensors"

struct body_reader {
    bool (*start)(struct exchange *ex); /* false: out of memory */
    enum next (*add)(struct exchange *ex, const char *bytes, size_t len);
    enum next (*finish)(struct exchange *ex); /* all bytes have arrived; NULL: nothing to do */
    enum pe_status (*give)(struct exchange *ex); /* fills ex->request; NULL: has no values */
};

/* Sets ex->body.reader by the path and the Content-Type, and starts it. Without memory the
 * problem's step is next. */
void body_reader_start(struct exchange *ex);
/* Refuses the body while it arrives, and frees what was read of it; the response ends the
 * connection. CLOSE: the connection must end. A decompressor before the reader is kept. */
enum next body_refuse(struct exchange *ex, enum problem_kind kind, const char *detail);

/* Makes the problem of a body of JSON that is not read to its end the next step. */
enum next body_fail_json(struct exchange *ex, const struct json_body *body,
                         enum json_body_state state);
/* Hands the tensors of a body that has ended to the caller; none if it had no tensors. */
void body_take_tensors(struct exchange *ex, struct tensor_set *set);

/* Returns the format of tensors of that Content-Type if the path takes it, else NULL. */
const struct tensor_format *body_tensor_format(const struct exchange *ex, const char *type);
bool body_is_file(const struct exchange *ex);
bool body_is_inference(const struct exchange *ex); /* and is read by inference_reader.h */
/* Returns whether the body is a request of the Open Inference Protocol, of which the path
 * decides how the body is read, and Content-Type nothing. */
bool body_has_any_type(const struct exchange *ex);
bool body_is_compressed(const struct exchange *ex);
/* Writes the media types that the path takes, as "application/json, application/x-npy". */
void body_media_types(const struct exchange *ex, struct buffer *out);
