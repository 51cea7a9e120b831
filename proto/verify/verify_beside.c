/* SPDX-License-Identifier: Apache-2.0
 * verify_beside.c - see verify_beside.h. The text is read as if it stood in a body, so that its
 * problems have the pointers that those of a body have. */
#include "proto/verify/verify_beside.h"

#include <string.h>

#include "proto/verify/verify_body.h"

bool verify_beside_is_object(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '{';
}

/* Returns an error behind its place, which is no place of the text. */
static const char *without_place(const char *error)
{
    const char *colon = strchr(error, ':');

    return colon ? colon : "";
}

struct json_body *verify_beside_read(const char *text, struct json_body_value *claim,
                                     struct pe_errors *errors)
{
    static const char before[] = "{\"claim\":", after[] = "}";
    struct json_body *body = verify_body_new(strlen(text) + sizeof before + sizeof after);
    enum json_body_state state = JSON_BODY_NO_MEMORY;

    if (body) {
        (void)json_body_add(body, before, sizeof before - 1); /* its state is kept */
        (void)json_body_add(body, text, strlen(text));
        (void)json_body_add(body, after, sizeof after - 1);
        state = json_body_finish(body);
    }
    if (state == JSON_BODY_OK && json_body_find(body, NULL, "claim", claim))
        return body;
    if (state == JSON_BODY_NO_MEMORY)
        pe_fail(errors, PE_NO_MEMORY, "claim", "out of memory");
    else
        pe_fail(errors, PE_BAD_VALUE, "#/claim", "must be an object of JSON%s",
                without_place(json_body_error(body)));
    json_body_free(body);
    return NULL;
}
