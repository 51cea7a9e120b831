/* SPDX-License-Identifier: Apache-2.0
 * cli_openapi.c - posencd openapi: the document of GET /openapi.json. */
#include "proto/describe/openapi.h"
#include "server/cli/call.h"
#include "server/cli/cli_say.h"

int cli_openapi(const struct call *call)
{
    struct buffer text = {0};

    if (call->wrong > 0)
        return CLI_USAGE;
    openapi_write(&text, "");
    return cli_print(&text);
}
