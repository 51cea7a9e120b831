/* SPDX-License-Identifier: Apache-2.0
 * cli_version.c - posencd version: the versions of the service and of its libraries. */
#include <uv.h>

#include "core/posenc.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"
#include "server/http/transport.h"

int cli_version(const struct call *call)
{
    struct buffer text = {0};

    if (call->wrong > 0)
        return CLI_USAGE;
    buffer_add_format(&text, "posencd %s (libmicrohttpd %s, libuv %s, cpu path %s)\n",
                      pe_version(), transport_version(), uv_version_string(),
                      pe_cpu_path_name(pe_cpu_path()));
    return say_text(&text);
}
