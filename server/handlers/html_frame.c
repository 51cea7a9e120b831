/* SPDX-License-Identifier: Apache-2.0
 * html_frame.c - see html_frame.h. */
#include "server/handlers/html_frame.h"

#include "server/exchange/response.h"
#include "server/handlers/assets.h"

struct page_frame html_frame_of(const struct config *config)
{
    return (struct page_frame){.title = "",
                               .base = response_base(config),
                               .origin = config->public_url ? config->public_url : "",
                               .folder = "/",
                               .style = config->ui ? assets_style : NULL,
                               .script = assets_script,
                               .alone = !config->ui,
                               .kind = "",
                               .keyed = config->api_keys_file};
}
