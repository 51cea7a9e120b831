/* SPDX-License-Identifier: Apache-2.0
 * about.c - see about.h. The documents are made from the registry, endpoints.def and the
 * flags. */
#include "server/handlers/about.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <string.h>
#include <uv.h>

#include "core/posenc.h"
#include "proto/batch/batch_body.h"
#include "proto/http/endpoint.h"
#include "proto/text/json_body.h"
#include "server/batch/batch.h"
#include "server/compute/compute.h"

static void add_text(struct buffer *out, const char *text)
{
    buffer_add_json(out, text, strlen(text));
}

void about_root(struct buffer *out, const char *base)
{
    buffer_add_format(out, "{\"name\":\"posencd\",\"version\":\"%s\",\"endpoints\":[",
                      pe_version());
    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        const struct endpoint *endpoint = endpoint_at(i);
        struct buffer allow = {0};

        endpoint_allow(endpoint, &allow);
        buffer_add_format(out, "%s{\"path\":\"%s%s\",\"methods\":", i ? "," : "", base,
                          endpoint->path);
        add_text(out, allow.bytes ? allow.bytes : "");
        buffer_add_text(out, ",\"summary\":");
        add_text(out, endpoint->summary);
        buffer_add_text(out, "}");
        if (allow.failed)
            buffer_fail(out);
        buffer_fini(&allow);
    }
    buffer_add_text(out, "],\"encodings\":[");
    for (size_t i = 0; i < pe_count(); i++) {
        const struct pe_encoding *enc = pe_at(i);

        buffer_add_format(out, "%s{\"name\":\"%s\",\"summary\":", i ? "," : "", pe_name(enc));
        add_text(out, pe_summary(enc));
        buffer_add_format(out, ",\"schema\":\"%s/v1/encodings/%s\",\"example\":", base,
                          pe_name(enc));
        buffer_add_format(out, "\"%s/v1/%s?%s\"}", base, pe_name(enc), pe_examples(enc)[0]);
    }
    buffer_add_text(out, "]}\n");
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
        {"max_target", 8192},
        {"max_position_items", PE_MAX_POSITION_ITEMS},
        {"max_position_array", PE_MAX_POSITION_ARRAY},
        {"max_array", JSON_BODY_MAX_ARRAY},
        {"max_batch_requests", BATCH_REQUESTS_MAX},
        {"max_batch_bytes", batch_most_bytes(config)},
    };

    buffer_add_format(out, "{\"name\":\"posencd\",\"version\":\"%s\",\"cpu_path\":\"%s\"",
                      pe_version(), pe_cpu_path_name(pe_cpu_path()));
    buffer_add_format(out, ",\"libraries\":{\"libmicrohttpd\":\"%s\",\"libuv\":\"%s\"}",
                      MHD_get_version(), uv_version_string());
    buffer_add_text(out, ",\"limits\":{");
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        buffer_add_format(out, "%s\"%s\":%" PRIu64, i ? "," : "", limits[i].name,
                          limits[i].value);
    buffer_add_text(out, "},\"revisions\":{");
    for (size_t i = 0; i < pe_count(); i++)
        buffer_add_format(out, "%s\"%s\":%u", i ? "," : "", pe_name(pe_at(i)),
                          pe_revision(pe_at(i)));
    buffer_add_text(out, "}}\n");
}
