/* SPDX-License-Identifier: Apache-2.0
 * body_reader.c - see body_reader.h. */
#include "server/exchange/body_reader.h"

#include <stdlib.h>
#include <strings.h>

#include "proto/http/inflate.h"
#include "proto/inference/inference_body.h"
#include "proto/models/hf/hf_config.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"
#include "proto/verify/verify_body.h"
#include "server/exchange/exchange_memory.h"

static const struct pe_encoding *encoding_of(const struct exchange *ex)
{
    const struct pe_encoding *enc =
        ex->target.segment ? pe_find(ex->target.segment, ex->target.segment_len) : NULL;

    return enc && tensor_is_taken(enc) ? enc : NULL;
}

static bool is_verified(const struct exchange *ex)
{
    return ex->target.endpoint && ex->target.endpoint->id == ENDPOINT_VERIFY;
}

static bool is_batch(const struct exchange *ex)
{
    return ex->target.endpoint && ex->target.endpoint->id == ENDPOINT_BATCH;
}

static bool takes_tensors(const struct exchange *ex)
{
    return is_verified(ex) || encoding_of(ex);
}

bool body_is_file(const struct exchange *ex)
{
    return ex->target.endpoint && ex->target.endpoint->id == ENDPOINT_TABLE;
}

bool body_is_inference(const struct exchange *ex)
{
    return ex->target.endpoint && (ex->target.endpoint->id == ENDPOINT_INFERENCE_INFER ||
                                   ex->target.endpoint->id == ENDPOINT_INFERENCE_VERSION_INFER);
}

bool body_has_any_type(const struct exchange *ex)
{
    return ex->target.endpoint && (ex->target.endpoint->access & ENDPOINT_FOREIGN) != 0;
}

bool body_is_compressed(const struct exchange *ex)
{
    const char *coding = exchange_head(ex)->content_encoding;

    return coding && strcasecmp(coding, "identity") != 0;
}

const struct tensor_format *body_tensor_format(const struct exchange *ex, const char *type)
{
    const struct pe_encoding *enc = encoding_of(ex);
    const struct tensor_format *format = takes_tensors(ex) ? tensor_format_find(type) : NULL;

    return format && (!enc || tensor_format_suits(format, enc)) ? format : NULL;
}

void body_media_types(const struct exchange *ex, struct buffer *out)
{
    const struct pe_encoding *enc = encoding_of(ex);

    buffer_add_text(out, body_is_file(ex) ? BODY_FILE_MEDIA_TYPE : "application/json");
    for (size_t i = 0; takes_tensors(ex) && i < tensor_format_count(); i++)
        if (!enc || tensor_format_suits(tensor_format_at(i), enc))
            buffer_add_format(out, ", %s", tensor_format_media_type(tensor_format_at(i)));
}

/* Returns true if the head gives the length of the body before any compression. */
static bool has_length(const struct exchange *ex)
{
    return !exchange_head(ex)->chunked && !body_is_compressed(ex);
}

/* ---- starting ------------------------------------------------------------------------ */

enum { FILE_RESERVE = 64 << 10 }; /* bytes reserved ahead of those that have arrived */

static bool reserve(void *context, uint64_t bytes)
{
    return exchange_reserve_body(context, bytes);
}

/* Returns what the query says of tensors whose body has no header. */
static struct pe_tensor headerless(const struct exchange *ex)
{
    const struct exchange_target *target = &ex->target;

    if (!target->query)
        return (struct pe_tensor){.rank = 0};
    return is_verified(ex)
               ? verify_body_of_text(target->query, target->query_len).info
               : request_headerless_tensor(encoding_of(ex), target->query, target->query_len);
}

/* A body that does not describe its tensors, with a query that does not describe them either,
 * has no reader: it is dropped, and the request reports what is missing. */
static bool start_tensors(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);
    struct tensor_source source = {.enc = encoding_of(ex),
                                   .length = has_length(ex) ? head->content_length
                                                            : TENSOR_LENGTH_UNKNOWN,
                                   .max_elements = is_verified(ex) ? VERIFY_ELEMENTS : 0,
                                   .max_bytes = exchange_service(ex)->config.max_body,
                                   .reserve = reserve,
                                   .context = ex};

    if (tensor_format_is_headerless(ex->body.format))
        source.headerless = headerless(ex);
    if (tensor_format_is_headerless(ex->body.format) && source.headerless.rank == 0)
        return true;
    ex->body.tensors = tensor_reader_new(ex->body.format, &source);
    return ex->body.tensors != NULL;
}

/* Reserves the whole file at once where the head says its length. */
static bool start_file(struct exchange *ex)
{
    if (has_length(ex)) /* .failed is checked later */
        (void)buffer_reserve(&ex->body.file, exchange_head(ex)->content_length);
    return true;
}

static bool start_json(struct exchange *ex)
{
    const bool is_config =
        ex->target.endpoint && ex->target.endpoint->id == ENDPOINT_MODELS_RESOLVE;
    const uint64_t max = exchange_service(ex)->config.max_body;

    ex->body.json = is_config         ? hf_config_body(max)
                    : is_verified(ex) ? verify_body_new(max)
                                      : json_body_new(max);
    return ex->body.json != NULL;
}

/* ---- adding -------------------------------------------------------------------------- */

/* Gives back the memory of a reader that failed; its decompressor keeps its own. */
static void release(struct exchange *ex)
{
    exchange_release_body(ex, ex->body.inflater ? INFLATE_MEMORY : 0);
}

static void drop(struct exchange *ex)
{
    json_body_free(ex->body.json);
    tensor_reader_free(ex->body.tensors);
    inference_body_free(ex->body.inference);
    buffer_fini(&ex->body.file);
    ex->body.json = NULL;
    ex->body.tensors = NULL;
    ex->body.inference = NULL;
    ex->body.reader = NULL;
    release(ex);
}

/* While a body of known length arrives, the response is written past libmicrohttpd and the
 * connection is closed. It lingers, so that the client reads the response before it has sent
 * its body. libmicrohttpd does not read chunks, so it takes a response amid a chunked body. */
enum next body_refuse(struct exchange *ex, enum problem_kind kind, const char *detail)
{
    access_log_reject(ex, METRICS_REJECT_BODY);
    ex->body.discard = true;
    ex->response.closes |= !ex->body.arrived;
    if (ex->body.arrived || ex->body.chunked)
        exchange_fail(ex, kind, "%s", detail);
    else
        exchange_fail_raw(ex, kind, detail);
    drop(ex);
    return ex->response.status == 0 ? MORE : CLOSE;
}

static enum next add_json(struct exchange *ex, const char *bytes, size_t len)
{
    size_t before = json_body_held(ex->body.json), held;

    (void)json_body_add(ex->body.json, bytes, len); /* its state is kept until the end */
    held = json_body_held(ex->body.json);
    if (held <= before || exchange_reserve_body(ex, held - before))
        return MORE;
    if (exchange_never_fits_body(ex, held))
        return body_refuse(ex, PROBLEM_BODY_TOO_LARGE, EXCHANGE_BODY_TOO_LARGE);
    return body_refuse(ex, PROBLEM_OVERLOADED, EXCHANGE_BODY_TOO_MANY);
}

static enum next add_tensors(struct exchange *ex, const char *bytes, size_t len)
{
    enum tensor_state state =
        ex->body.tensors ? tensor_reader_add(ex->body.tensors, bytes, len) : TENSOR_OK;

    if (state == TENSOR_OK)
        return MORE;
    release(ex);
    if (state == TENSOR_MALFORMED) /* answered at the end: the connection lives on */
        return MORE;
    return body_refuse(ex,
                       state == TENSOR_TOO_LARGE ? PROBLEM_BODY_TOO_LARGE : PROBLEM_OVERLOADED,
                       tensor_reader_error(ex->body.tensors));
}

static enum next add_file(struct exchange *ex, const char *bytes, size_t len)
{
    uint64_t held = ex->body.file.len + len + (ex->body.inflater ? INFLATE_MEMORY : 0);

    if (held > ex->body.memory.bytes &&
        !exchange_reserve_body(ex, held - ex->body.memory.bytes + FILE_RESERVE))
        return body_refuse(ex, PROBLEM_OVERLOADED, EXCHANGE_BODY_TOO_MANY);
    buffer_add(&ex->body.file, bytes, len);
    return MORE;
}

/* ---- the end ------------------------------------------------------------------------- */

enum next body_fail_json(struct exchange *ex, const struct json_body *body,
                         enum json_body_state state)
{
    if (state == JSON_BODY_MALFORMED)
        return exchange_fail(ex, PROBLEM_MALFORMED_JSON, "%s", json_body_error(body));
    if (state == JSON_BODY_TOO_LARGE)
        return exchange_fail(ex, PROBLEM_BODY_TOO_LARGE, "%s", json_body_error(body));
    return exchange_fail_status(ex, PE_NO_MEMORY);
}

static enum next finish_json(struct exchange *ex)
{
    enum json_body_state state = json_body_finish(ex->body.json);

    return state == JSON_BODY_OK ? MORE : body_fail_json(ex, ex->body.json, state);
}

/* Takes memory for the numbers of lists, which become float64. */
static enum next take_lists(struct exchange *ex)
{
    const struct pe_encoding *enc = encoding_of(ex);
    const uint64_t growth = enc ? tensor_set_list_growth(ex->body.set, enc) : 0;

    if (growth == 0 || exchange_reserve_body(ex, growth))
        return MORE;
    return exchange_never_fits_body(ex, ex->body.memory.bytes + growth)
               ? exchange_fail(ex, PROBLEM_BODY_TOO_LARGE,
                               "the lists of this body take more memory as float64 than "
                               "bodies have here; send fewer numbers")
               : exchange_fail(ex, PROBLEM_OVERLOADED, EXCHANGE_BODY_TOO_MANY);
}

static enum next finish_tensors(struct exchange *ex)
{
    enum tensor_state state = TENSOR_OK;

    ex->body.set = calloc(1, sizeof *ex->body.set);
    if (!ex->body.set)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (ex->body.tensors)
        state = tensor_reader_finish(ex->body.tensors, ex->body.set);
    if (state == TENSOR_OK)
        return take_lists(ex);
    if (state == TENSOR_NO_MEMORY)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    release(ex);
    return exchange_fail(ex,
                         state == TENSOR_TOO_LARGE     ? PROBLEM_BODY_TOO_LARGE
                         : state == TENSOR_OVER_BUDGET ? PROBLEM_OVERLOADED
                                                       : PROBLEM_INVALID_BODY,
                         "%s", tensor_reader_error(ex->body.tensors));
}

void body_take_tensors(struct exchange *ex, struct tensor_set *set)
{
    *set = ex->body.set ? *ex->body.set : (struct tensor_set){0};
    free(ex->body.set);
    ex->body.set = NULL;
}

static enum pe_status give_tensors(struct exchange *ex)
{
    return request_set_tensors(ex->request, ex->body.format, ex->body.set, ex->problem.errors);
}

/* The memory of numbers that became a tensor belongs to the request, not to the body. */
static enum pe_status give_json(struct exchange *ex)
{
    enum pe_status status = request_set_json(ex->request, ex->body.json, ex->problem.errors);

    if (status != PE_OK || !request_has_tensors(ex->request))
        return status;
    return exchange_hand_over_body(ex) ? PE_OK : PE_BAD_VALUE;
}

/* ---- the table ----------------------------------------------------------------------- */

static const struct body_reader file_reader = {start_file, add_file, NULL, NULL},
                                tensor_reader = {start_tensors, add_tensors, finish_tensors,
                                                 give_tensors},
                                json_reader = {start_json, add_json, finish_json, give_json},
                                batch_reader = {start_json, add_json, NULL, NULL};

void body_reader_start(struct exchange *ex)
{
    ex->body.reader = body_is_file(ex)  ? &file_reader
                      : is_batch(ex)    ? &batch_reader
                      : ex->body.format ? &tensor_reader
                                        : &json_reader;
    if (!ex->body.reader->start(ex))
        exchange_fail_status(ex, PE_NO_MEMORY);
}
