/* SPDX-License-Identifier: Apache-2.0
 * process.h - what the kernel says of this process, as the process_* metrics everybody has. */
#ifndef SERVER_PROCESS_H
#define SERVER_PROCESS_H

#include "proto/text/buffer.h"

void process_write(struct buffer *out);

#endif
