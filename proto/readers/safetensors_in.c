/* SPDX-License-Identifier: Apache-2.0
 * safetensors_in.c - several tensors by name: u64 length of a JSON header, the header, the
 * elements (github.com/huggingface/safetensors, README "Format"). What the format's own
 * reader rejects is rejected: gaps, overlaps, sizes that do not fit, names that repeat. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "proto/body.h"
#include "proto/tensor_format.h"

enum { PREFIX = 8, HEADER_MAX = 1 << 20 };

struct safetensors {
    unsigned char prefix[PREFIX];
    size_t prefix_len;
    uint64_t len, taken; /* of the header: said, and so far */
    struct json_body *json;
};

struct entry { /* a tensor of the header */
    const char *name;
    struct pe_tensor info;
    uint64_t begin, end;
};

static const char *const dtype_names[PE_DTYPE_COUNT] = {
    [PE_F64] = "F64", [PE_F32] = "F32", [PE_F16] = "F16", [PE_BF16] = "BF16"};

/* ---- an entry of the header -------------------------------------------------------------- */

static bool refuse(struct tensor_reader *reader, const char *name, const char *sentence)
{
    tensor_reader_fail(reader, TENSOR_MALFORMED, "%.40s: %s", name, sentence);
    return false;
}

/* A list of whole numbers that doubles hold exactly. */
static bool read_wholes(const struct body_value *value, uint64_t *numbers, size_t most)
{
    if (value->kind != BODY_NUMBERS || value->rank != 1 || value->cols > most) {
        return false;
    }
    for (size_t i = 0; i < value->cols; i++) {
        double number = value->numbers[i];
        if (number < 0 || number > 0x1p53 || number != floor(number)) {
            return false;
        }
        numbers[i] = (uint64_t)number;
    }
    return true;
}

static bool read_dtype(struct tensor_reader *reader, struct entry *entry,
                       const struct body_value *value)
{
    for (size_t i = 0; value->kind == BODY_STRING && i < PE_DTYPE_COUNT; i++) {
        if (dtype_names[i] != NULL && strcmp(dtype_names[i], value->text) == 0) {
            entry->info.dtype = (enum pe_dtype)i;
            return true;
        }
    }
    tensor_reader_fail(reader, TENSOR_MALFORMED,
                       "%.40s: dtype must be F64, F32, F16 or BF16; got %.20s", entry->name,
                       value->kind == BODY_STRING ? value->text : "no string");
    return false;
}

static bool read_member(struct tensor_reader *reader, struct entry *entry,
                        const struct body_value *value)
{
    uint64_t offsets[2];
    if (strcmp(value->name, "dtype") == 0) {
        return read_dtype(reader, entry, value);
    }
    if (strcmp(value->name, "shape") == 0) {
        entry->info.rank = value->cols;
        return read_wholes(value, entry->info.dims, PE_MAX_RANK) ||
               refuse(reader, entry->name,
                      "shape must be an array of 1 to 6 whole numbers, 0..2^53");
    }
    if (strcmp(value->name, "data_offsets") == 0) {
        if (!read_wholes(value, offsets, 2) || value->cols != 2 || offsets[1] < offsets[0]) {
            return refuse(reader, entry->name,
                          "data_offsets must be [begin, end], whole numbers with begin <= end");
        }
        entry->begin = offsets[0];
        entry->end = offsets[1];
        return true;
    }
    return refuse(reader, entry->name,
                  "has dtype, shape and data_offsets, and no other member");
}

static bool read_entry(struct tensor_reader *reader, struct entry *entry,
                       const struct json_body *json, const struct body_value *value)
{
    struct body_value member;
    size_t members = 0;
    uint64_t bytes;
    *entry = (struct entry){.name = value->name};
    if (value->kind != BODY_OBJECT) {
        return refuse(reader, entry->name,
                      "must be an object of dtype, shape and data_offsets");
    }
    for (bool more = json_body_first(json, value, &member); more;
         more = json_body_next(json, &member)) {
        if (!read_member(reader, entry, &member)) {
            return false;
        }
        members++;
    }
    if (members != 3) { /* none stands twice: that would be no JSON of ours */
        return refuse(reader, entry->name, "must have dtype, shape and data_offsets");
    }
    if (!tensor_bytes(&entry->info, &bytes) || bytes != entry->end - entry->begin) {
        return refuse(reader, entry->name,
                      "data_offsets must span as many bytes as shape and dtype make");
    }
    return true;
}

static bool check_metadata(struct tensor_reader *reader, const struct json_body *json,
                           const struct body_value *value)
{
    static const char sentence[] = "must be an object of strings";
    struct body_value member;
    if (value->kind != BODY_OBJECT) {
        return refuse(reader, value->name, sentence);
    }
    for (bool more = json_body_first(json, value, &member); more;
         more = json_body_next(json, &member)) {
        if (member.kind != BODY_STRING) {
            return refuse(reader, value->name, sentence);
        }
    }
    return true;
}

/* ---- the header as a whole --------------------------------------------------------------- */

/* Keeps entries sorted by where their elements are. */
static void insert(struct entry entries[], size_t count, const struct entry *entry)
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

static bool read_entries(struct tensor_reader *reader, const struct json_body *json,
                         struct entry entries[TENSOR_MAX], size_t *count)
{
    struct body_value value;
    struct entry entry;
    *count = 0;
    for (bool more = json_body_first(json, NULL, &value); more;
         more = json_body_next(json, &value)) {
        if (strcmp(value.name, "__metadata__") == 0) {
            if (!check_metadata(reader, json, &value)) {
                return false;
            }
            continue;
        }
        if (!read_entry(reader, &entry, json, &value)) {
            return false;
        }
        if (*count == TENSOR_MAX) {
            tensor_reader_fail(reader, TENSOR_MALFORMED, "at most %d tensors are read",
                               TENSOR_MAX);
            return false;
        }
        insert(entries, (*count)++, &entry);
    }
    return true;
}

static void read_header(struct tensor_reader *reader, struct safetensors *state, size_t used)
{
    struct entry entries[TENSOR_MAX];
    size_t count;
    uint64_t end = 0;
    if (json_body_finish(state->json) != BODY_OK) {
        tensor_reader_fail(reader, TENSOR_MALFORMED, "the safetensors header is not read: %s",
                           json_body_error(state->json));
        return;
    }
    if (!read_entries(reader, state->json, entries, &count)) {
        return;
    }
    if (count == 0) {
        tensor_reader_fail(reader, TENSOR_MALFORMED, "the safetensors body holds no tensor");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (entries[i].begin != end) {
            tensor_reader_fail(reader, TENSOR_MALFORMED,
                               "%.40s: data_offsets must begin where the tensor before ends, "
                               "at %" PRIu64 "; got %" PRIu64,
                               entries[i].name, end, entries[i].begin);
            return;
        }
        end = entries[i].end;
        if (tensor_reader_expect(reader, entries[i].name, &entries[i].info) != TENSOR_OK) {
            return;
        }
    }
    tensor_reader_begin_data(reader, used);
}

/* ---- bytes ------------------------------------------------------------------------------- */

static void read_prefix(struct tensor_reader *reader, struct safetensors *state)
{
    for (size_t i = PREFIX; i > 0; i--) {
        state->len = state->len << 8 | state->prefix[i - 1];
    }
    if (state->len < 2 || state->len > HEADER_MAX) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the safetensors header has 2 to %d bytes, by the first eight; got "
                           "%" PRIu64,
                           HEADER_MAX, state->len);
        return;
    }
    state->json = json_body_new(state->len);
    if (state->json == NULL) {
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    }
}

static void read_json(struct tensor_reader *reader, struct safetensors *state,
                      const char *bytes, size_t len)
{
    if (state->taken == 0 && len > 0 && bytes[0] != '{') {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the safetensors header must begin with {");
        return;
    }
    state->taken += len;
    enum body_state read = json_body_add(state->json, bytes, len);
    if (read == BODY_NO_MEMORY) {
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    } else if (read != BODY_OK) {
        tensor_reader_fail(reader, TENSOR_MALFORMED, "the safetensors header is not read: %s",
                           json_body_error(state->json));
    }
}

static size_t head(struct tensor_reader *reader, const char *bytes, size_t len)
{
    struct safetensors *state = reader->head;
    size_t used = 0;
    while (used < len && state->prefix_len < PREFIX) {
        state->prefix[state->prefix_len++] = (unsigned char)bytes[used++];
        if (state->prefix_len == PREFIX) {
            read_prefix(reader, state);
        }
    }
    if (state->json == NULL || reader->state != TENSOR_OK) {
        return used;
    }
    uint64_t left = state->len - state->taken;
    size_t count = len - used < left ? len - used : (size_t)left;
    read_json(reader, state, bytes + used, count);
    used += count;
    if (reader->state == TENSOR_OK && state->taken == state->len) {
        read_header(reader, state, used);
    }
    return used;
}

static void end(struct tensor_reader *reader)
{
    struct safetensors *state = reader->head;
    json_body_free(state->json);
}

static const char *const media_types[] = {"application/x-safetensors",
                                          "application/safetensors",
                                          "application/vnd.safetensors", NULL};

const struct tensor_format safetensors_in = {
    .media_types = media_types,
    .summary = "tensors by name, F64, F32, F16 or BF16; each is answered under its own name",
    .state_size = sizeof(struct safetensors),
    .head = head,
    .end = end,
};
