/* SPDX-License-Identifier: Apache-2.0
 * answer_output.h - an answer on its way to a file or to the standard output, with the line
 * that tells how far it is. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/http/format.h"
#include "proto/output/encoder.h"
#include "server/cli/progress.h"

struct answer_output {
    const char *path; /* NULL or "-": the standard output */
    struct progress *progress;
    bool indented; /* the answer is JSON, and a person reads it at a terminal */
};

/* Begins to watch the work, before the answer is planned. format: NULL: it is no text. */
void answer_output_begin(struct answer_output *output, const char *path,
                         const struct format *format);
/* Writes all that the encoder reads, whole or not at all, and ends the watch. If the
 * encoder is NULL, the answer could not be planned, and the problems are said. Returns the
 * exit code, after a line on stderr if it is not 0. */
int answer_output_end(struct answer_output *output, struct encoder *encoder,
                      const struct pe_errors *errors);
