/* SPDX-License-Identifier: Apache-2.0
 * hf_both.c - compares the dictionaries rope_parameters and rope_scaling of one
 * configuration, as convert_rope_params_to_dict of huggingface/transformers'
 * modeling_rope_utils.py (commit decba1d2ea4ed3cbf0495d1828abad4b2dba1846) reads them. */
#include "proto/models/hf/hf_both.h"

#include <string.h>

enum { MEMBERS_MAX = 64 };

static bool are_equal(const struct json_body *body, const struct json_body_value *a,
                      const struct json_body_value *b);

/* Finds a member that is not null; rope_type is also called type. */
static bool find(const struct json_body *body, const struct json_body_value *dict,
                 const char *name, struct json_body_value *value)
{
    bool type = strcmp(name, "type") == 0 || strcmp(name, "rope_type") == 0;

    return (json_body_find(body, dict, name, value) && value->kind != JSON_BODY_NULL) ||
           (type && json_body_find(body, dict, name[0] == 't' ? "rope_type" : "type", value) &&
            value->kind != JSON_BODY_NULL);
}

static bool are_equal_lists(const struct json_body_value *a, const struct json_body_value *b)
{
    bool same = a->rank == b->rank && a->rows == b->rows && a->cols == b->cols;

    for (size_t i = 0; same && i < a->rows * a->cols; i++)
        same = a->numbers[i] == b->numbers[i];
    return same;
}

/* Items that are no texts are not read by any model's code, and not compared. */
static bool are_equal_texts(const struct json_body_value *a, const struct json_body_value *b)
{
    size_t count = json_body_item_count(a);
    bool same = count == json_body_item_count(b);

    for (size_t i = 0; same && i < count; i++) {
        const char *x = json_body_item_text(a, i), *y = json_body_item_text(b, i);

        same = x && y ? strcmp(x, y) == 0 : !x && !y;
    }
    return same;
}

/* Returns the number of members that are not null; of more than MEMBERS_MAX, one more. */
static size_t count_members(const struct json_body *body, const struct json_body_value *dict)
{
    struct json_body_value member;
    size_t count = 0;

    for (json_body_walk(body, dict, &member);
         count <= MEMBERS_MAX && json_body_next(body, &member);)
        count += member.kind != JSON_BODY_NULL;
    return count;
}

/* Returns whether the dictionaries have the same members. Each is compared once, so that the
 * work grows with the text and not with its nesting; longer ones than any model has differ. */
static bool are_equal_dicts(const struct json_body *body, const struct json_body_value *a,
                            const struct json_body_value *b)
{
    struct json_body_value member, other;
    const size_t count = count_members(body, a);
    bool same = count <= MEMBERS_MAX && count == count_members(body, b);

    for (json_body_walk(body, a, &member); same && json_body_next(body, &member);)
        same = member.kind == JSON_BODY_NULL ||
               (find(body, b, member.name, &other) && are_equal(body, &member, &other));
    return same;
}

static bool are_equal(const struct json_body *body, const struct json_body_value *a,
                      const struct json_body_value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case JSON_BODY_NUMBER:
        return a->number == b->number;
    case JSON_BODY_BOOL:
        return a->flag == b->flag;
    case JSON_BODY_STRING:
        return strcmp(a->text, b->text) == 0;
    case JSON_BODY_NUMBERS:
        return are_equal_lists(a, b);
    case JSON_BODY_OBJECT:
        return are_equal_dicts(body, a, b);
    default:
        return are_equal_texts(a, b);
    }
}

/* Returns whether the configuration says the member outside of the dictionaries, where a
 * dictionary that lacks it takes it from. */
static bool stands_outside(struct hf_reader *reader, const char *name)
{
    static const char *const names[] = {"rope_theta", "partial_rotary_factor",
                                        "original_max_position_embeddings"};
    struct json_body_value value;
    size_t i = 0;

    while (i < sizeof names / sizeof *names && strcmp(names[i], name) != 0)
        i++;
    return i < sizeof names / sizeof *names && hf_reader_find(reader, NULL, name, &value);
}

static bool is_empty(const struct json_body *body, const struct json_body_value *dict)
{
    struct json_body_value member;

    json_body_walk(body, dict, &member);
    return !json_body_next(body, &member);
}

/* Adds problems with the members of one dictionary that the other has not, or has with another
 * value; `other_name` is that of the other one. */
static void compare(struct hf_reader *reader, const struct json_body_value *dict,
                    const struct json_body_value *other_dict, const char *other_name,
                    bool differing)
{
    struct json_body_value member, other;

    for (json_body_walk(reader->body, dict, &member); json_body_next(reader->body, &member);) {
        if (member.kind == JSON_BODY_NULL)
            continue;
        if (!find(reader->body, other_dict, member.name, &other)) {
            if (!stands_outside(reader, member.name))
                hf_reader_fail(reader, &member, PE_CONFLICT,
                               "is not in %s; leave one of the two out", other_name);
        } else if (differing && !are_equal(reader->body, &member, &other)) {
            hf_reader_fail(reader, &member, PE_CONFLICT,
                           "differs from %s; leave one of the two out", other_name);
        }
    }
}

bool hf_both_check(struct hf_reader *reader, const struct json_body_value *parameters,
                   const struct json_body_value *scaling)
{
    if (is_empty(reader->body, scaling))
        return true;
    if (is_empty(reader->body, parameters))
        return false;
    compare(reader, scaling, parameters, "rope_parameters", true);
    compare(reader, parameters, scaling, "rope_scaling", false);
    return true;
}
