/* SPDX-License-Identifier: Apache-2.0
 * args_at.c - arguments like others, at other positions. Most of what pe_args_check does does
 * not depend on the values of positions: only the hooks of the encoding may read them. So the
 * hooks run again, on the values as they were given; if they leave all other parameters as they
 * left them before, names, texts and table key are those of the arguments before. */
#include "core/args/args_at.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/args/positions.h"

enum {
    TEXT_MAX = 256, /* bytes of the canonical text of the positions, with its NUL */
    KEY_MAX = 512,  /* bytes of the key of a table, with its NUL */
};

void pe_args_keep(struct pe_args *args)
{
    assert(!args->checked);
    args->keeps_given = true;
}

/* Returns whether the value has memory of its own. The data of a tensor belongs to the caller,
 * who may give other data. */
static bool owns_memory(const struct pe_param *p, const unsigned char *data)
{
    const unsigned owning =
        1u << PE_POSITIONS | 1u << PE_REALS | 1u << PE_SEGMENTS | 1u << PE_TENSOR;

    return (owning >> p->type & 1) != 0 && !args_is_absent(p, data + p->offset);
}

void args_note_owning(struct pe_args *args)
{
    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];
        const bool owns = owns_memory(p, args->data) || owns_memory(p, args->given_data);

        args->owning |= (uint64_t)owns << i;
    }
}

/* Returns whether the arguments have no memory of their own but for the positions of parameter
 * `moved`, which are given. */
static bool may_move(const struct pe_args *args, size_t moved)
{
    return args->given_data && !args->spellings && args_bit(args->given, moved) &&
           args->owning == UINT64_C(1) << moved &&
           owns_memory(&args->enc->params[moved], args->data);
}

/* Returns whether the hooks have left all values, but the positions, as those of `like`. */
static bool has_same_values(struct pe_args *args, const struct pe_args *like,
                            const struct pe_param *moved)
{
    struct pe_positions **field = args_field(args, moved), *own = *field;
    bool same;

    memcpy(field, like->data + moved->offset, sizeof *field);
    same = memcmp(args->data, like->data, args->enc->args_size) == 0;
    *field = own;
    return same;
}

/* Returns whether the key of the shared table is the same. It is without a look where the count
 * of positions is, and whether they are whole: `table_key` reads nothing else of them. */
static bool has_same_table_key(struct pe_args *args, const struct pe_args *like,
                               const struct pe_param *moved)
{
    const struct pe_positions *pos = *(struct pe_positions **)args_field(args, moved);
    const struct pe_positions *other =
        *(struct pe_positions *const *)(const void *)(like->data + moved->offset);
    char text[KEY_MAX];
    size_t len;

    if (!args->enc->table_key || (pe_positions_count(pos) == pe_positions_count(other) &&
                                  pe_positions_whole(pos) == pe_positions_whole(other)))
        return true;
    len = args->enc->table_key(args, args->data, text, sizeof text);
    if (len == 0 || len >= sizeof text || !like->table_key)
        return len == 0 && !like->table_key;
    return strcmp(like->table_key + strlen(args->enc->name) + 1, text) == 0;
}

/* Copies the list of values, with another text for the positions. Returns false if the
 * positions are not in the list, or have no short text, or there is no memory. */
static bool copy_values(struct pe_args *args, const struct pe_args *like,
                        const struct pe_param *moved)
{
    const size_t bytes = like->value_count * sizeof *like->values;
    char text[TEXT_MAX];
    const size_t len =
        positions_print(*(struct pe_positions **)args_field(args, moved), text, sizeof text);
    size_t at = 0;

    while (at < like->value_count && strcmp(like->values[at].name, moved->name) != 0)
        at++;
    if (at == like->value_count || !like->values[at].text || len >= sizeof text)
        return false;
    args->values = malloc(bytes + len + 1); /* one block, as args_canonical_build makes it */
    if (!args->values)
        return false;
    memcpy(args->values, like->values, bytes);
    args->values[at].text = memcpy((char *)args->values + bytes, text, len + 1);
    args->value_count = like->value_count;
    return true;
}

/* Copies the arguments as they were given, without the positions. */
static struct pe_args *copy_given(const struct pe_args *like, const struct pe_param *moved)
{
    struct pe_args *args = malloc(sizeof *args + like->enc->args_size);

    if (!args)
        return NULL;
    *args = (struct pe_args){.enc = like->enc,
                             .given = like->given,
                             .filled = like->filled,
                             .wanted = like->wanted,
                             .used = like->used,
                             .out_given = like->out_given,
                             .dtype_given = like->dtype_given,
                             .dtype = like->dtype};
    atomic_init(&args->owners, 1);
    memcpy(args->data, like->given_data, like->enc->args_size);
    memset(args_field(args, moved), 0, sizeof(struct pe_positions *));
    return args;
}

struct pe_args *pe_args_at(struct pe_args *like, const char *name, const char *text, size_t len)
{
    const size_t moved = args_find(like->enc, name, strlen(name));
    const struct pe_param *p = moved == SIZE_MAX ? NULL : &like->enc->params[moved];
    struct pe_errors errors;
    struct pe_args *args;

    assert(like->checked);
    if (!p || p->type != PE_POSITIONS || !may_move(like, moved))
        return NULL;
    args = copy_given(like, p);
    if (!args)
        return NULL;
    pe_errors_clear(&errors);
    if (pe_parse_text(p, args_field(args, p), text, len, &errors) == PE_OK)
        args_check_encoding(args, &errors);
    if (errors.count > 0 || !has_same_values(args, like, p) ||
        !has_same_table_key(args, like, p) || !copy_values(args, like, p)) {
        pe_args_free(args);
        return NULL;
    }
    args->like = pe_args_ref(like);
    args->checked = true;
    return args;
}
