/* SPDX-License-Identifier: Apache-2.0
 * model_tables.c - see model_tables.h. The tensors of all parts are sorted by the size of their
 * elements, largest first, so that every one is aligned. */
#include "proto/output/model_tables.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "proto/output/encoder.h"
#include "proto/output/model_parts.h"
#include "proto/output/safetensors_text.h"
#include "proto/request/canonical.h"
#include "proto/text/json_write.h"

#define WIRE "model-tables 1" /* raised when the envelope changes a byte; enters the tag */

/* A tensor of the file: number `index` of the plan of a part. */
struct piece {
    size_t part, index;
    uint64_t start, bytes; /* in the data, after the header */
};

struct model_tables {
    char *id;
    struct model_parts parts;
    struct pe_plan **plans; /* one a part, NULL for those that are left out */
    struct piece *pieces;
    size_t piece_count;
    uint64_t size;           /* bytes of the data */
    struct encoder *current; /* of the part that was read last; NULL: none yet */
    size_t current_part;
    char etag[40];
};

/* ---- requests --------------------------------------------------------------------------- */

/* The tag is a hash of the tags of all requests and of the names of their tables. */
static bool make_etag(struct model_tables *tables)
{
    struct buffer text = {0};

    buffer_add_format(&text, WIRE " %s", tables->id);
    for (size_t i = 0; i < tables->parts.count; i++) {
        const struct model_part *part = &tables->parts.at[i];

        buffer_add_format(&text, "\n%s %s", part->name,
                          part->request ? request_etag(part->request, CONTENT_CODING_IDENTITY)
                                        : part->needs);
    }
    XXH128_hash_t hash = XXH3_128bits(text.bytes, text.len);
    snprintf(tables->etag, sizeof tables->etag, "\"%016" PRIx64 "%016" PRIx64 "\"",
             (uint64_t)hash.high64, (uint64_t)hash.low64);
    bool made = !text.failed;
    buffer_fini(&text);
    return made;
}

enum pe_status model_tables_new(struct model_tables **tables, const struct models *models,
                                const struct model *model, const char *query, size_t len,
                                struct pe_errors *errors)
{
    struct model_tables *made = calloc(1, sizeof *made);
    enum pe_status status =
        made ? model_parts_init(&made->parts, models, model, query, len, errors) : PE_NO_MEMORY;

    if (status == PE_OK) {
        struct buffer id = {0};
        size_t id_len;

        buffer_add_text(&id, model->id);
        made->id = buffer_take(&id, &id_len);
        made->plans = calloc(made->parts.count + 1, sizeof(struct pe_plan *));
        if (!made->id || !made->plans || !make_etag(made))
            status = PE_NO_MEMORY;
    }
    if (status != PE_OK) {
        model_tables_free(made);
        return errors->count > 0 ? status
                                 : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    }
    *tables = made;
    return PE_OK;
}

void model_tables_free(struct model_tables *tables)
{
    if (!tables)
        return;
    encoder_free(tables->current);
    for (size_t i = 0; tables->plans && i < tables->parts.count; i++)
        pe_plan_free(tables->plans[i]);
    model_parts_fini(&tables->parts);
    free(tables->plans);
    free(tables->pieces);
    free(tables->id);
    free(tables);
}

const char *model_tables_etag(const struct model_tables *tables)
{
    return tables->etag;
}

double model_tables_operations(const struct model_tables *tables)
{
    double operations = 0;

    for (size_t i = 0; i < tables->parts.count; i++)
        if (tables->parts.at[i].request)
            operations += pe_args_operations(request_args(tables->parts.at[i].request));
    return operations;
}

/* ---- plans ------------------------------------------------------------------------------ */

/* Lists the tensors of all plans, those with the largest elements first. */
static bool make_pieces(struct model_tables *tables)
{
    size_t count = 0;

    for (size_t i = 0; i < tables->parts.count; i++)
        count += tables->plans[i] ? pe_plan_tensor_count(tables->plans[i]) : 0;
    tables->pieces = calloc(count + 1, sizeof *tables->pieces);
    if (!tables->pieces)
        return false;
    for (size_t size = 8; size > 0; size /= 2) {
        for (size_t i = 0; i < tables->parts.count; i++) {
            size_t tensors = tables->plans[i] ? pe_plan_tensor_count(tables->plans[i]) : 0;

            for (size_t j = 0; j < tensors; j++) {
                const struct pe_tensor_info *tensor = pe_plan_tensor(tables->plans[i], j);

                if (pe_dtype_size(tensor->dtype) != size)
                    continue;
                uint64_t bytes = encoder_bytes(tensor);
                tables->pieces[tables->piece_count++] =
                    (struct piece){i, j, tables->size, bytes};
                tables->size += bytes;
            }
        }
    }
    return true;
}

/* The problem of a plan is told with the table that it is of. */
static enum pe_status tell(const struct model_part *part, const struct pe_errors *found,
                           struct pe_errors *errors)
{
    for (size_t i = 0; i < found->count; i++) {
        const size_t before = errors->count;

        pe_fail(errors, found->at[i].status, found->at[i].parameter, "%s (%s)",
                found->at[i].detail, part->name);
        if (errors->count > before) {
            errors->at[before].limit = found->at[i].limit;
            errors->at[before].requested = found->at[i].requested;
        }
    }
    return found->count > 0 ? found->at[0].status
                            : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}

static enum pe_status check_size(const struct model_tables *tables, uint64_t most,
                                 struct pe_errors *errors)
{
    uint64_t elements = 0;

    for (size_t i = 0; i < tables->parts.count; i++)
        elements += tables->plans[i] ? pe_plan_elements(tables->plans[i]) : 0;
    if (elements <= most)
        return PE_OK;
    pe_fail(errors, PE_TOO_LARGE, NULL,
            "the tables of %s have %" PRIu64 " elements in %" PRIu64
            " bytes, more than the limit of %" PRIu64 " elements; ask for fewer positions%s",
            tables->id, elements, tables->size, most,
            tables->parts.masks == MODEL_PARTS_DENSE ? ", or masks=runs" : "");
    errors->at[errors->count - 1].limit = most;
    errors->at[errors->count - 1].requested = elements;
    return PE_TOO_LARGE;
}

enum pe_status model_tables_plan(struct model_tables *tables,
                                 const struct request_limits *limits, struct pe_errors *errors)
{
    struct request_limits each = *limits;
    struct pe_errors *found = calloc(1, sizeof *found);
    enum pe_status status = found ? PE_OK : PE_NO_MEMORY;

    each.max_elements = each.max_text_elements = UINT64_C(1) << 60; /* the sum is checked */
    for (size_t i = 0; status == PE_OK && i < tables->parts.count; i++) {
        const struct model_part *part = &tables->parts.at[i];

        if (!part->request)
            continue;
        pe_errors_clear(found);
        status = request_plan(part->request, &tables->plans[i], NULL, &each, found);
        if (status != PE_OK)
            status = tell(part, found, errors);
    }
    free(found);
    if (status == PE_OK && !make_pieces(tables))
        status = PE_NO_MEMORY;
    if (status == PE_NO_MEMORY && errors->count == 0)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    return status == PE_OK ? check_size(tables, limits->max_elements, errors) : status;
}

/* ---- the header ------------------------------------------------------------------------- */

/* Adds {"all_layers.rope":{parameters},...} as a JSON string, because the metadata's values
 * must be strings. */
static void add_parameters(struct buffer *out, const struct model_tables *tables)
{
    struct buffer text = {0};

    json_write(&text, "{");
    for (size_t i = 0; i < tables->parts.count; i++) {
        const struct model_part *part = &tables->parts.at[i];

        if (!part->request)
            continue;
        json_write_key(&text, part->name);
        canonical_write_json(&text, request_args(part->request),
                             &request_options(part->request)->values, 0);
    }
    json_write(&text, "}");
    safetensors_text_add_document(out, "parameters", &text);
}

/* Adds {"all_layers.softcap":"scores"}: what a table that is left out needs, and what layers do
 * besides, of which there is no table. */
static void add_left_out(struct buffer *out, const struct model_tables *tables)
{
    struct buffer text = {0};
    bool any = false;

    json_write(&text, "{");
    for (size_t i = 0; i < tables->parts.count; i++) {
        const struct model_part *part = &tables->parts.at[i];
        const char *lacking = part->request ? part->left_out : part->needs;

        json_write_text(&text, part->name, lacking);
        any |= lacking != NULL;
    }
    json_write(&text, "}");
    if (any)
        safetensors_text_add_document(out, "left_out", &text);
    buffer_fini(&text);
}

static bool write_head(struct buffer *head, const struct model_tables *tables)
{
    safetensors_text_begin(head);
    json_write(head, "{'__metadata__':{'model':'%s','masks':'%s'", tables->id,
               model_parts_masks_name(tables->parts.masks));
    add_parameters(head, tables);
    add_left_out(head, tables);
    json_write(head, "}");
    for (size_t i = 0; i < tables->piece_count; i++) {
        const struct piece *piece = &tables->pieces[i];
        const struct model_part *part = &tables->parts.at[piece->part];
        char prefix[128];

        snprintf(prefix, sizeof prefix, "%s.", part->name);
        safetensors_text_add_tensor(head, prefix,
                                    pe_plan_tensor(tables->plans[piece->part], piece->index),
                                    piece->start);
    }
    return safetensors_text_end(head);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Makes the encoder of a part, in place of that of the part before. */
static struct encoder *encoder_of(struct model_tables *tables, size_t part)
{
    if (!tables->current || tables->current_part != part) {
        encoder_free(tables->current);
        tables->current = encoder_new(tables->parts.at[part].request, tables->plans[part]);
        tables->current_part = part;
    }
    return tables->current;
}

/* Finds the tensor that has the byte of the data; there is one. */
static const struct piece *find(const struct model_tables *tables, uint64_t at)
{
    size_t i = 0;

    while (at >= tables->pieces[i].start + tables->pieces[i].bytes)
        i++;
    return &tables->pieces[i];
}

static uint64_t size_of(const struct encoder *encoder)
{
    const struct model_tables *tables = encoder->state;

    return encoder->head.len + tables->size;
}

static size_t read_body(struct encoder *encoder, char *out, size_t capacity)
{
    struct model_tables *tables = encoder->state;
    size_t used = 0;

    if (encoder->at < encoder->head.len)
        return encoder_read_head(encoder, out, capacity);
    while (used < capacity && encoder->at < size_of(encoder)) {
        uint64_t at = encoder->at - encoder->head.len;
        const struct piece *piece = find(tables, at);
        uint64_t left = piece->start + piece->bytes - at;
        size_t len = left < capacity - used ? (size_t)left : capacity - used;
        struct encoder *part = encoder_of(tables, piece->part);

        if (!part) {
            encoder->failed = true;
            return 0;
        }
        encoder_fill_bytes(part, piece->index, at - piece->start, out + used, len);
        encoder->at += len;
        used += len;
    }
    return used;
}

static void seek_to(struct encoder *encoder, uint64_t at)
{
    encoder->at = at;
}

static void write_headers(const struct encoder *encoder, struct buffer *lines)
{
    const struct model_tables *tables = encoder->state;

    buffer_add_format(lines,
                      "Content-Type: application/x-safetensors\n"
                      "Content-Disposition: inline; filename=\"%s-tables.safetensors\"\n",
                      tables->id);
}

static void end(struct encoder *encoder)
{
    model_tables_free(encoder->state);
}

struct encoder *model_tables_encoder(struct model_tables *tables)
{
    static const struct format of_model = {.name = "safetensors",
                                           .media_type = "application/x-safetensors",
                                           .extension = "safetensors",
                                           .binary = true,
                                           .annotated = true,
                                           .size = size_of,
                                           .read = read_body,
                                           .seek = seek_to,
                                           .end = end,
                                           .headers = write_headers};
    struct encoder *encoder = calloc(1, sizeof *encoder);

    if (!encoder)
        return NULL;
    encoder->format = &of_model;
    if (!write_head(&encoder->head, tables)) {
        buffer_fini(&encoder->head);
        free(encoder);
        return NULL;
    }
    encoder->state = tables;
    return encoder;
}

const struct model_tables *model_tables_of(const struct encoder *encoder)
{
    return encoder->state;
}
