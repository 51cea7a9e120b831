/* SPDX-License-Identifier: Apache-2.0
 * module.c - see module.h. */
#include "proto/local/module.h"

#include <stdlib.h>
#include <string.h>

#include "proto/local/local.h"

void *module_allocate(size_t size)
{
    return malloc(size);
}

void module_release(void *memory)
{
    free(memory);
}

struct local_answer *module_ask(const char *method, const char *path, const char *query,
                                const char *accept, const char *type, const char *body,
                                size_t body_len)
{
    const struct local_request request = {.method = endpoint_method_of(method),
                                          .path = path,
                                          .path_len = strlen(path),
                                          .query = query,
                                          .query_len = strlen(query),
                                          .accept = accept,
                                          .type = type,
                                          .body = body,
                                          .body_len = body_len};
    struct local_answer *answer = malloc(sizeof *answer);

    if (answer && local_answer(&request, answer))
        return answer;
    free(answer);
    return NULL;
}

void module_free(struct local_answer *answer)
{
    if (answer)
        local_answer_fini(answer);
    free(answer);
}

unsigned module_status(const struct local_answer *answer)
{
    return answer->status;
}

const char *module_type(const struct local_answer *answer)
{
    return answer->type;
}

const char *module_headers(const struct local_answer *answer)
{
    return answer->headers.len > 0 ? answer->headers.bytes : "";
}

const char *module_body(const struct local_answer *answer)
{
    return answer->body.bytes;
}

size_t module_body_len(const struct local_answer *answer)
{
    return answer->body.len;
}
