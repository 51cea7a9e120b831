/* SPDX-License-Identifier: Apache-2.0
 * compute_file.c - makes a long answer in a file of memory (body_file.h). A block at a time is
 * encoded and written, so the bytes are copied while the cache of the CPU has them, and no
 * second copy of the answer exists. */
#include <stdlib.h>
#include <uv.h>

#include "server/cache/body_file.h"
#include "server/compute/compute.h"

enum { BLOCK = 256 << 10 };

static enum compute_result write_blocks(struct compute *compute, char *block)
{
    size_t most = compute->step > 0 && compute->step < BLOCK ? compute->step : BLOCK, got;

    do {
        if (pe_stop_is_set(compute->stop))
            return COMPUTE_STOPPED;
        got = encoder_read(compute->encoder, block, most);
        if (!body_file_add(compute->file, block, got))
            return COMPUTE_NO_MEMORY;
        compute->len += got;
    } while (got > 0);
    if (pe_stop_is_set(compute->stop))
        return COMPUTE_STOPPED;
    return !encoder_failed(compute->encoder) && body_file_seal(compute->file)
               ? COMPUTE_DONE
               : COMPUTE_NO_MEMORY;
}

bool compute_to_file(struct compute *compute)
{
    char *block = malloc(BLOCK);

    compute->file = block ? body_file_open(compute->files) : NULL;
    if (!compute->file) {
        free(block);
        return false;
    }
    compute->result = write_blocks(compute, block);
    free(block);
    if (compute->result == COMPUTE_DONE)
        return true;
    body_file_free(compute->file);
    compute->file = NULL;
    if (compute->result == COMPUTE_NO_MEMORY) { /* so that the answer can be streamed */
        encoder_seek(compute->encoder, 0);
        compute->len = 0;
    }
    return true;
}
