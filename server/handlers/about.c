/* SPDX-License-Identifier: Apache-2.0
 * about.c - see about.h. The documents are made from the registry, endpoints.def and the
 * flags. */
#include "server/handlers/about.h"

#include <uv.h>

#include "core/posenc.h"
#include "proto/batch/batch_body.h"
#include "proto/http/endpoint.h"
#include "proto/text/json_body.h"
#include "proto/text/json_write.h"
#include "server/batch/batch.h"
#include "server/compute/compute.h"
#include "server/http/head.h"
#include "server/http/transport.h"

void about_root(struct buffer *out, const char *base)
{
    json_write(out, "{'name':'posencd','version':'%s','endpoints':[", pe_version());
    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        const struct endpoint *endpoint = endpoint_at(i);
        struct buffer allow = {0};

        endpoint_allow(endpoint, &allow);
        json_write(out, "{'path':'%s%s'", base, endpoint->path);
        json_write_buffer(out, "methods", &allow);
        json_write(out, "'summary':'%s'}", endpoint->summary);
    }
    json_write(out, "],'encodings':[");
    for (size_t i = 0; i < pe_count(); i++) {
        const struct pe_encoding *enc = pe_at(i);

        json_write(out,
                   "{'name':'%s','summary':'%s','schema':'%s/v1/encodings/%s',"
                   "'example':'%s/v1/%s?%s'}",
                   pe_name(enc), pe_summary(enc), base, pe_name(enc), base, pe_name(enc),
                   pe_examples(enc)[0]);
    }
    json_write(out, "]}\n");
}

void about_version(struct buffer *out, const struct config *config)
{
    const struct {
        const char *name;
        uint64_t value;
    } limits[] = {
        {"max_elements", config->max_elements},
        {"max_text_elements", config->max_text_elements},
        {"max_prepared", PE_DEFAULT_MAX_PREPARED},
        {"max_operations", (uint64_t)compute_most_operations(config->work_timeout_ms)},
        {"max_body", config->max_body},
        {"max_target", HEAD_TARGET_MAX},
        {"max_position_items", PE_MAX_POSITION_ITEMS},
        {"max_position_array", PE_MAX_POSITION_ARRAY},
        {"max_array", JSON_BODY_MAX_ARRAY},
        {"max_batch_requests", BATCH_REQUESTS_MAX},
        {"max_batch_bytes", batch_most_bytes(config)},
    };

    json_write(out,
               "{'name':'posencd','version':'%s','cpu_path':'%s',"
               "'libraries':{'libmicrohttpd':'%s','libuv':'%s'},'limits':{",
               pe_version(), pe_cpu_path_name(pe_cpu_path()), transport_version(),
               uv_version_string());
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        json_write_integer(out, limits[i].name, limits[i].value);
    json_write(out, "},'revisions':{");
    for (size_t i = 0; i < pe_count(); i++)
        json_write_integer(out, pe_name(pe_at(i)), pe_revision(pe_at(i)));
    json_write(out, "}}\n");
}
