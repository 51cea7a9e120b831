/* SPDX-License-Identifier: Apache-2.0
 * openapi_responses.c - see openapi_responses.h. */
#include "proto/describe/openapi_responses.h"

#include "proto/text/json_write.h"

enum { STATUS_FIRST = 400, STATUS_END = 600 };

/* Returns whether a kind of the set has the status. */
static bool has_status(uint64_t kinds, unsigned status)
{
    for (size_t i = 0; i < PROBLEM_COUNT; i++)
        if ((kinds >> i & 1) != 0 && problem_status((enum problem_kind)i) == status)
            return true;
    return false;
}

void openapi_responses_write_problems(struct buffer *out, uint64_t kinds)
{
    for (unsigned status = STATUS_FIRST; status < STATUS_END; status++)
        if (has_status(kinds, status))
            json_write(out, "'%u':{'$ref':'#/components/responses/Problem%u'}", status, status);
    json_write(out, "'default':{'$ref':'#/components/responses/Problem'}");
}

static void add_content(struct buffer *out)
{
    json_write(out, "'content':{'" PROBLEM_MEDIA_TYPE "':{'schema':{'$ref':"
                    "'#/components/schemas/Problem'}}}}");
}

/* Describes a status by the titles of its kinds: "Invalid parameter; Unknown parameter". */
static void add_titles(struct buffer *out, unsigned status)
{
    struct buffer text = {0};

    for (size_t i = 0; i < PROBLEM_COUNT; i++)
        if (problem_status((enum problem_kind)i) == status)
            buffer_add_format(&text, "%s%s", text.len == 0 ? "" : "; ",
                              problem_title((enum problem_kind)i));
    json_write_buffer(out, "description", &text);
}

void openapi_responses_write(struct buffer *out)
{
    for (unsigned status = STATUS_FIRST; status < STATUS_END; status++) {
        if (has_status(~OPENAPI_PROBLEMS_UNLISTED, status)) {
            json_write(out, "'Problem%u':{", status);
            add_titles(out, status);
            add_content(out);
        }
    }
    json_write(out, "'Problem':{'description':'Any other problem'");
    add_content(out);
    json_write(out, "'NotModified':{'description':'If-None-Match names the answer'}");
}
