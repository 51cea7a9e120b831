/* SPDX-License-Identifier: Apache-2.0
 * response_head_space.c - see response_head_space.h. Measured with libmicrohttpd 0.9.75: half
 * of the pool is the read buffer, which grows when the head comes near its end; each header
 * line takes 56 bytes besides its text. */
#include "server/http/response_head_space.h"

#include "server/http/mhd.h"

enum {
    READ_BUFFER = MHD_POOL_BYTES / 2,
    READ_AHEAD = 1024,  /* the read buffer grows when fewer bytes of it are free */
    READ_GROWTH = 2048, /* most bytes by which a buffer that has grown exceeds the head */
    LINE_RECORD = 64,   /* bytes for a header line besides its text */
};

size_t response_head_space_for_head(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    size_t head = info ? info->header_size : MHD_POOL_BYTES, taken = READ_BUFFER;

    if (head > READ_BUFFER - READ_AHEAD)
        taken = head + READ_GROWTH;
    taken += LINE_RECORD * (size_t)MHD_get_connection_values(mhd, MHD_HEADER_KIND, NULL, NULL);
    return taken < MHD_POOL_BYTES ? MHD_POOL_BYTES - taken : 0;
}
