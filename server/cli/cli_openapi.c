/* SPDX-License-Identifier: Apache-2.0
 * cli_openapi.c - posencd openapi: the document of GET /openapi.json. */
#include "proto/describe/openapi.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"

int cli_openapi(const struct call *call)
{
    struct buffer text = {0};

    if (call->wrong > 0)
        return CLI_USAGE;
    openapi_write(&text, "");
    return say_json(&text);
}
