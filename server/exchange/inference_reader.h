/* SPDX-License-Identifier: Apache-2.0
 * inference_reader.h - reads the body of a request for inference: JSON, and binary tensors behind
 * it (proto/inference). */
#pragma once

#include "server/exchange/body_reader.h"

extern const struct body_reader inference_reader;

/* The request has the values of the body: counts the memory that it keeps, and that its response
 * will need. False: the problem's step is next. */
bool inference_reader_settle(struct exchange *ex);
