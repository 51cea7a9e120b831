/* SPDX-License-Identifier: Apache-2.0
 * answer_format.h - the format of an answer on the command line, which follows from the
 * suffix of the file that it goes to. */
#pragma once

#include <stdbool.h>

#include "proto/http/format.h"
#include "proto/request/request.h"

/* Takes the format from the suffix of the path (NULL or "-": the standard output, which has
 * none). Where format= is given, an unknown suffix is accepted, but the suffix of another
 * format is refused. Returns false after a line on stderr. */
bool answer_format_set(struct request *request, const char *path, struct pe_errors *errors);
/* Returns whether a file of the format may have this name: a suffix of another format is
 * refused by a line on stderr. */
bool answer_format_fits(const struct format *format, const char *path);
/* Returns whether the format may go there: no binary to a terminal, which is refused by a
 * line on stderr. */
bool answer_format_suits(const struct format *format, const char *path);
