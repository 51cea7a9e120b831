/* SPDX-License-Identifier: Apache-2.0
 * response_head_space.c - see response_head_space.h. Measured with 0.9.75: half of the pool is
 * the read buffer, which grows when the head comes near its end; each header line costs 56
 * bytes besides its text. */
#include "server/http/response_head_space.h"

#include "server/http/mhd.h"

enum {
    READ_BUFFER = MHD_POOL_BYTES / 2,
    READ_AHEAD = 1024,  /* free bytes that it wants in the read buffer, */
    READ_GROWTH = 2048, /* and by how much, at most, that is longer than the head then */
    LINE_NOTES = 64,
};

size_t response_head_space_for_head(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    size_t head = info ? info->header_size : MHD_POOL_BYTES, taken = READ_BUFFER;

    if (head > READ_BUFFER - READ_AHEAD)
        taken = head + READ_GROWTH;
    taken += LINE_NOTES * (size_t)MHD_get_connection_values(mhd, MHD_HEADER_KIND, NULL, NULL);
    return taken < MHD_POOL_BYTES ? MHD_POOL_BYTES - taken : 0;
}
