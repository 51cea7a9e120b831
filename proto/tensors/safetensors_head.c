/* SPDX-License-Identifier: Apache-2.0
 * safetensors_head.c - rejects the headers that the format's own reader rejects (README
 * "Format" of github.com/huggingface/safetensors): gaps, overlaps, sizes that do not fit,
 * duplicate names. */
#include "proto/tensors/safetensors_head.h"

#include <inttypes.h>
#include <string.h>

#include "proto/tensors/element_type.h"

#define METADATA "__metadata__"

bool safetensors_head_length(const unsigned char prefix[SAFETENSORS_PREFIX], uint64_t *length,
                             char why[WHY_SIZE])
{
    uint64_t len = 0;

    for (size_t i = SAFETENSORS_PREFIX; i > 0; i--)
        len = len << 8 | prefix[i - 1];
    *length = len;
    return (len >= 2 && len <= SAFETENSORS_HEADER_MAX) ||
           why_refuse(
               why,
               "the safetensors header has 2 to %d bytes, by the first eight; got %" PRIu64,
               SAFETENSORS_HEADER_MAX, len);
}

/* ---- an entry of the header -------------------------------------------------------------- */

/* Reads a list of whole numbers written as digits: the format's own reader rejects 2.0, 2e0 and
 * -0. Doubles hold whole numbers below 2^53 exactly; 2^53 may have been 2^53 + 1. */
static bool read_integers(const struct json_body_value *value, uint64_t *numbers, size_t most)
{
    if (value->kind != JSON_BODY_NUMBERS || value->rank != 1 || value->cols > most ||
        !value->digits)
        return false;
    for (size_t i = 0; i < value->cols; i++) {
        if (value->numbers[i] >= 0x1p53)
            return false;
        numbers[i] = (uint64_t)value->numbers[i];
    }
    return true;
}

static bool read_dtype(struct safetensors_entry *entry, const struct json_body_value *value,
                       enum element_accept accept, char *why)
{
    static const char *const types[] = {
        [ELEMENT_REALS] = "",
        [ELEMENT_NUMBERS] = ", or an integer type from I8 to U64",
        [ELEMENT_ANY] = ", F8_E4M3, F8_E5M2, an integer type from I8 to U64, BOOL or C64"};
    const bool is_text = value->kind == JSON_BODY_STRING;
    const struct element_type *type =
        is_text ? element_type_find_safetensors(value->text) : NULL;

    entry->layout.type = type;
    return (type && element_type_is_accepted(type, accept)) ||
           why_refuse(why, "%.40s: dtype must be F64, F32, F16 or BF16%s; got %.20s",
                      entry->name, types[accept], is_text ? value->text : "no string");
}

static bool read_shape(struct safetensors_entry *entry, const struct json_body_value *value,
                       enum element_accept accept, char *why)
{
    const int most = accept == ELEMENT_ANY ? (int)TENSOR_LAYOUT_RANK : (int)PE_MAX_RANK;

    entry->layout.rank = value->cols;
    return read_integers(value, entry->layout.dims, (size_t)most) ||
           why_refuse(why,
                      "%.40s: shape must be an array of %d to %d whole numbers below 2^53, "
                      "written as 2, not as 2.0",
                      entry->name, accept == ELEMENT_ANY ? 0 : 1, most);
}

static bool read_member(struct safetensors_entry *entry, const struct json_body_value *value,
                        enum element_accept accept, char *why)
{
    uint64_t offsets[2];

    if (strcmp(value->name, "dtype") == 0)
        return read_dtype(entry, value, accept, why);
    if (strcmp(value->name, "shape") == 0)
        return read_shape(entry, value, accept, why);
    if (strcmp(value->name, "data_offsets") == 0) {
        if (!read_integers(value, offsets, 2) || value->cols != 2 || offsets[1] < offsets[0])
            return why_refuse(
                why,
                "%.40s: data_offsets must be [begin, end], whole numbers with begin "
                "<= end, below 2^53 and written as 16, not as 16.0",
                entry->name);
        entry->begin = offsets[0];
        entry->end = offsets[1];
        return true;
    }
    return why_refuse(why, "%.40s: has dtype, shape and data_offsets, and no other member",
                      entry->name);
}

static bool read_entry(struct safetensors_entry *entry, const struct json_body *json,
                       const struct json_body_value *value, enum element_accept accept,
                       char *why)
{
    struct json_body_value member;
    size_t members = 0;
    uint64_t bytes;

    *entry = (struct safetensors_entry){.name = value->name};
    if (value->kind != JSON_BODY_OBJECT)
        return why_refuse(why, "%.40s: must be an object of dtype, shape and data_offsets",
                          entry->name);
    for (json_body_walk(json, value, &member); json_body_next(json, &member);) {
        if (!read_member(entry, &member, accept, why))
            return false;
        members++;
    }
    if (members != 3) /* no name occurs twice: the JSON parser rejects duplicates */
        return why_refuse(why, "%.40s: must have dtype, shape and data_offsets", entry->name);
    if (!tensor_layout_bytes(&entry->layout, &bytes) || bytes != entry->end - entry->begin)
        return why_refuse(why,
                          "%.40s: data_offsets must span as many bytes as shape and dtype make",
                          entry->name);
    return true;
}

const char *safetensors_head_text(const struct json_body *json, const char *key)
{
    struct json_body_value metadata, value;

    return json_body_find(json, NULL, METADATA, &metadata) &&
                   json_body_find(json, &metadata, key, &value)
               ? value.text
               : NULL;
}

static bool check_metadata(const struct json_body *json, const struct json_body_value *value,
                           char *why)
{
    struct json_body_value member = {0};
    bool strings = value->kind == JSON_BODY_OBJECT;

    if (strings)
        json_body_walk(json, value, &member);
    while (strings && json_body_next(json, &member))
        strings = member.kind == JSON_BODY_STRING;
    return strings || why_refuse(why, "%.40s: must be an object of strings", value->name);
}

/* ---- the header as a whole --------------------------------------------------------------- */

/* Inserts an entry; entries stay sorted by the place of their elements. */
static void insert(struct safetensors_entry entries[], size_t count,
                   const struct safetensors_entry *entry)
{
    size_t i = count;

    while (i > 0 &&
           (entries[i - 1].begin > entry->begin ||
            (entries[i - 1].begin == entry->begin && entries[i - 1].end > entry->end))) {
        entries[i] = entries[i - 1];
        i--;
    }
    entries[i] = *entry;
}

static bool check_places(const struct safetensors_entry *entries, size_t count, char *why)
{
    uint64_t end = 0;

    for (size_t i = 0; i < count; i++) {
        if (entries[i].begin != end)
            return why_refuse(why,
                              "%.40s: data_offsets must begin where the tensor before ends, at "
                              "%" PRIu64 "; got %" PRIu64,
                              entries[i].name, end, entries[i].begin);
        end = entries[i].end;
    }
    return count > 0 || why_refuse(why, "the safetensors header names no tensor");
}

bool safetensors_head_read(const struct json_body *json, enum element_accept accept,
                           const struct pe_encoding *enc, struct safetensors_entry *entries,
                           size_t most, size_t *count, char why[WHY_SIZE])
{
    struct json_body_value value;
    struct safetensors_entry entry;

    *count = 0;
    for (json_body_walk(json, NULL, &value); json_body_next(json, &value);) {
        if (strcmp(value.name, METADATA) == 0) {
            if (!check_metadata(json, &value, why))
                return false;
            continue;
        }
        if (!read_entry(&entry, json, &value,
                        enc ? element_type_accept(enc, value.name) : accept, why))
            return false;
        if (*count == most)
            return why_refuse(why, "at most %zu tensors are read", most);
        insert(entries, (*count)++, &entry);
    }
    return check_places(entries, *count, why);
}
