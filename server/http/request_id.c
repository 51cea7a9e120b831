/* SPDX-License-Identifier: Apache-2.0
 * request_id.c - see request_id.h. */
#include "server/http/request_id.h"

#include <string.h>

bool request_id_is_valid(const char *id)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789._-";
    size_t len = strlen(id);

    return len > 0 && len < REQUEST_ID_SIZE && strspn(id, allowed) == len;
}

void request_id_print(uint64_t number, char id[REQUEST_ID_SIZE])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = REQUEST_ID_LEN; i-- > 0; number >>= 4)
        id[i] = digits[number & 15];
    id[REQUEST_ID_LEN] = '\0';
}
