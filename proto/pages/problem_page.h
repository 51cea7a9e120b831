/* SPDX-License-Identifier: Apache-2.0
 * problem_page.h - /problems/{slug}: what a kind of error means. */
#pragma once

#include "proto/http/problem.h"
#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

void problem_page_write(struct buffer *out, const struct page_frame *frame,
                        enum problem_kind kind);
