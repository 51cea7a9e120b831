/* SPDX-License-Identifier: Apache-2.0
 * inference_reader.h - reads the body of a request for inference: JSON, and binary tensors
 * behind it (proto/inference). */
#pragma once

#include "server/exchange/internal.h"

/* Sets ex->body.reader, and starts it; a request without a body has that of {}. The
 * problem's step may be next. */
void inference_reader_start(struct exchange *ex);

/* The request has the values of the body: counts the memory that it keeps, and that its
 * response will need. False: the problem's step is next. */
bool inference_reader_settle(struct exchange *ex);
