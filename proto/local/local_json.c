/* SPDX-License-Identifier: Apache-2.0
 * local_json.c - bodies of JSON, of which each endpoint takes one kind. */
#include "proto/local/local_state.h"
#include "proto/models/hf/hf_config.h"
#include "proto/verify/verify_body.h"

static bool read(struct local *local, struct json_body *json)
{
    enum json_body_state state;

    local->json = json;
    if (!json) {
        local_fail_status(local, PE_NO_MEMORY);
        return false;
    }
    (void)json_body_add(json, local->asked->body, local->asked->body_len);
    state = json_body_finish(json);
    if (state == JSON_BODY_OK)
        return true;
    if (state == JSON_BODY_NO_MEMORY)
        local_fail_status(local, PE_NO_MEMORY);
    else
        local_fail(local,
                   state == JSON_BODY_TOO_LARGE ? PROBLEM_BODY_TOO_LARGE
                                                : PROBLEM_MALFORMED_JSON,
                   "%s", json_body_error(json));
    return false;
}

bool local_json(struct local *local)
{
    return read(local, json_body_new(LOCAL_MAX_BODY));
}

bool local_json_arrays(struct local *local)
{
    return read(local, verify_body_new(LOCAL_MAX_BODY));
}

bool local_json_config(struct local *local)
{
    return read(local, hf_config_body(LOCAL_MAX_BODY));
}
