/* SPDX-License-Identifier: Apache-2.0
 * local_body.c - the body of a request, which is there as a whole: JSON (local_json.c), or
 * tensors. */
#include "proto/http/format.h"
#include "proto/local/local_state.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/verify/verify_body.h"

static bool reserve(void *context, uint64_t bytes)
{
    return bytes <= LOCAL_MAX_BODY;
}

/* Returns what the query says of tensors whose body has no header. */
static struct pe_tensor headerless(const struct local *local, const struct pe_encoding *enc)
{
    const char *query = local->asked->query ? local->asked->query : "";

    return enc ? request_headerless_tensor(enc, query, local->asked->query_len)
               : verify_body_of_text(query, local->asked->query_len).info;
}

static bool read_tensors(struct local *local, const struct pe_encoding *enc)
{
    struct tensor_source source = {.enc = enc,
                                   .length = local->asked->body_len,
                                   .max_elements = enc ? 0 : VERIFY_ELEMENTS,
                                   .max_bytes = LOCAL_MAX_BODY,
                                   .reserve = reserve};
    struct tensor_reader *reader;
    enum tensor_state state;

    if (tensor_format_is_headerless(local->format)) {
        source.headerless = headerless(local, enc);
        if (source.headerless.rank == 0) /* the request reports what is missing */
            return true;
    }
    reader = tensor_reader_new(local->format, &source);
    if (!reader) {
        local_fail_status(local, PE_NO_MEMORY);
        return false;
    }
    (void)tensor_reader_add(reader, local->asked->body, local->asked->body_len);
    state = tensor_reader_finish(reader, &local->tensors);
    if (state == TENSOR_NO_MEMORY)
        local_fail_status(local, PE_NO_MEMORY);
    else if (state != TENSOR_OK)
        local_fail(local,
                   state == TENSOR_MALFORMED ? PROBLEM_INVALID_BODY : PROBLEM_BODY_TOO_LARGE,
                   "%s", tensor_reader_error(reader));
    tensor_reader_free(reader);
    return state == TENSOR_OK;
}

static void refuse_type(struct local *local, bool takes_tensors, const struct pe_encoding *enc)
{
    struct buffer types = {0};

    buffer_add_text(&types, local->read_json ? "application/json" : "no JSON to this module");
    for (size_t i = 0; takes_tensors && i < tensor_format_count(); i++)
        if (!enc || tensor_format_suits(tensor_format_at(i), enc))
            buffer_add_format(&types, ", %s", tensor_format_media_type(tensor_format_at(i)));
    if (types.failed)
        local_fail_status(local, PE_NO_MEMORY);
    else
        local_fail(local, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "send %s; got %.80s", types.bytes,
                   local->asked->type);
    buffer_fini(&types);
}

bool local_read_body(struct local *local, bool takes_tensors, const struct pe_encoding *enc)
{
    const char *type = local->asked->type;

    if (format_is_type(&format_json, type) && local->read_json)
        return local->read_json(local);
    local->format = takes_tensors ? tensor_format_find(type) : NULL;
    if (local->format && (!enc || tensor_format_suits(local->format, enc)))
        return read_tensors(local, enc);
    refuse_type(local, takes_tensors, enc);
    return false;
}
