/* SPDX-License-Identifier: Apache-2.0
 * verify_packed.c - see verify_packed.h. */
#include "proto/verify/verify_packed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"

enum { MASK_MOST = 1 << 20 }; /* keys of all rows that lengths are written as */

static bool has(const struct pe_encoding *enc, const char *name)
{
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(params[i].name, name) == 0)
            return true;
    return false;
}

/* Reads whole numbers between commas; false: it is no such list, or *text is behind its end. */
static bool next_number(const char **text, long *number)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    *number = strtol(*text, &end, 10);
    *text = *end == ',' ? end + 1 : end;
    return *end == ',' || *end == '\0';
}

/* Writes documents from 0 on, and -1 for padding; false: no number is above 1. */
static bool write_documents(struct buffer *text, const char *value)
{
    const char *at = value;
    bool packed = false;
    long number;

    while (*at && next_number(&at, &number)) {
        packed = packed || number > 1;
        buffer_add_format(text, "%s%ld", text->len > 0 ? "," : "", number - 1);
    }
    return packed && *at == '\0';
}

/* Writes a row of ones and zeros for each length; false: it is no list of lengths, or one is
 * wrong, which is added to the errors. */
static bool write_rows(struct buffer *text, const char *value, uint64_t keys,
                       struct pe_errors *errors)
{
    const char *at = value;
    uint64_t written = 0;
    long number;

    while (*at && next_number(&at, &number)) {
        if ((uint64_t)number > keys) {
            pe_fail(errors, PE_BAD_VALUE, "lengths",
                    "must be at most %" PRIu64 ", the keys of the mask; got %ld", keys, number);
            return false;
        }
        written += keys;
        if (keys > MASK_MOST || written > MASK_MOST) {
            pe_fail(errors, PE_TOO_LARGE, "lengths",
                    "must be of a mask with at most %d keys in all sequences together",
                    MASK_MOST);
            return false;
        }
        for (uint64_t i = 0; i < keys; i++)
            buffer_add_text(text, i > 0           ? i < (uint64_t)number ? ",1" : ",0"
                                  : text->len > 0 ? number > 0 ? ";1" : ";0"
                                  : number > 0    ? "1"
                                                  : "0");
    }
    return *at == '\0';
}

/* Writes the list that the encoding has in the place of this one, and returns its name; NULL:
 * this one is taken as it is. */
static const char *write(struct buffer *text, const struct pe_encoding *enc,
                         const struct tensor_set *tensors, const char *name, const char *value,
                         struct pe_errors *errors)
{
    const struct pe_tensor *info = tensors->count > 0 ? &tensors->at[0].info : NULL;

    if (strcmp(name, "attention_mask") == 0 && has(enc, "document_ids") &&
        write_documents(text, value))
        return "document_ids";
    if (strcmp(name, "lengths") == 0 && !has(enc, "lengths") && has(enc, "attention_mask") &&
        info && info->rank > 0 && write_rows(text, value, info->dims[info->rank - 1], errors))
        return "attention_mask";
    return NULL;
}

void verify_packed_set(struct request *request, const struct tensor_set *tensors,
                       const struct query_parameter *at, struct pe_errors *errors)
{
    const size_t before = errors->count;
    struct buffer list = {0};
    const char *name =
        write(&list, request_encoding(request), tensors, at->name, at->value, errors);

    if (list.failed)
        pe_fail(errors, PE_NO_MEMORY, at->name, "out of memory");
    else if (name)
        (void)request_set_text(request, name, strlen(name), list.bytes, list.len, errors);
    else if (errors->count == before)
        (void)request_set_text(request, at->name, at->name_len, at->value, at->value_len,
                               errors);
    buffer_fini(&list);
}
