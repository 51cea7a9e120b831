/* SPDX-License-Identifier: Apache-2.0
 * npy_head.c - see npy_head.h. Formats 1.0, 2.0 and 3.0 are read: magic, version, length of the
 * header, a Python dictionary. (NumPy Enhancement Proposal 1 and its additions.) */
#include "proto/tensors/npy_head.h"

#include <stdio.h>
#include <string.h>

enum { MAGIC = 6 };

/* ---- the dictionary: a walk over its text ------------------------------------------------ */

struct walk {
    const char *at, *end;
};

static void skip_space(struct walk *walk)
{
    while (walk->at < walk->end && memchr(" \t\n\r", *walk->at, 4))
        walk->at++;
}

static bool take(struct walk *walk, char c)
{
    skip_space(walk);
    if (walk->at == walk->end || *walk->at != c)
        return false;
    walk->at++;
    return true;
}

static bool take_word(struct walk *walk, const char *word)
{
    size_t len = strlen(word);

    skip_space(walk);
    if ((size_t)(walk->end - walk->at) < len || memcmp(walk->at, word, len) != 0)
        return false;
    walk->at += len;
    return true;
}

/* Reads 'text' or "text" without escapes, which names and types never need; cut to size. */
static bool take_string(struct walk *walk, char *text, size_t size)
{
    char quote = take(walk, '\'') ? '\'' : '"';

    if (quote == '"' && !take(walk, '"'))
        return false;
    const char *start = walk->at;
    const char *stop = memchr(start, quote, (size_t)(walk->end - start));
    if (!stop || memchr(start, '\\', (size_t)(stop - start)))
        return false;
    snprintf(text, size, "%.*s", (int)(stop - start), start);
    walk->at = stop + 1;
    return true;
}

/* Reads a number as Python writes it: 0, or digits that do not begin with 0. */
static bool take_number(struct walk *walk, uint64_t *number)
{
    const char *start = walk->at;

    *number = 0;
    while (walk->at < walk->end && *walk->at >= '0' && *walk->at <= '9') {
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*walk->at - '0'), number))
            return false;
        walk->at++;
    }
    return walk->at > start && (*start != '0' || walk->at == start + 1);
}

/* Reads (3, 4) or (3,) or (); axes beyond the array's size are counted, not kept. */
static bool take_shape(struct walk *walk, struct tensor_layout *layout)
{
    uint64_t number;

    layout->rank = 0;
    if (!take(walk, '('))
        return false;
    for (bool comma = true; !take(walk, ')'); comma = take(walk, ',')) {
        if (!comma || !take_number(walk, &number))
            return false;
        if (layout->rank < TENSOR_LAYOUT_RANK)
            layout->dims[layout->rank] = number;
        layout->rank++;
    }
    return true;
}

/* Reads one entry; false if its key is unknown or a duplicate, or it is not well-formed. */
static bool take_entry(struct walk *walk, struct npy_head *head)
{
    char key[NPY_HEAD_DESCR];

    if (!take_string(walk, key, sizeof key) || !take(walk, ':'))
        return false;
    skip_space(walk);
    if (strcmp(key, "descr") == 0 && !head->has_descr) {
        head->has_descr = true;
        if (walk->at < walk->end && *walk->at == '[') { /* a list of fields: see read_descr */
            head->descr[0] = '[';
            walk->at = walk->end;
            return true;
        }
        return take_string(walk, head->descr, sizeof head->descr);
    }
    if (strcmp(key, "fortran_order") == 0 && !head->has_order) {
        head->has_order = true;
        head->layout.fortran = take_word(walk, "True");
        return head->layout.fortran || take_word(walk, "False");
    }
    if (strcmp(key, "shape") == 0 && !head->has_shape) {
        head->has_shape = true;
        return take_shape(walk, &head->layout);
    }
    return false;
}

static bool take_dictionary(struct walk *walk, struct npy_head *head)
{
    if (!take(walk, '{'))
        return false;
    for (bool comma = true; !take(walk, '}'); comma = take(walk, ',')) {
        if (!comma || !take_entry(walk, head))
            return false;
        if (head->descr[0] == '[')
            return true;
    }
    skip_space(walk);
    return walk->at == walk->end && head->has_descr && head->has_order && head->has_shape;
}

/* ---- meaning of the dictionary ----------------------------------------------------------- */

static const char no_type[] =
    "descr '%s' is no type of NumPy's; send bfloat16 as safetensors, or as octets with "
    "in_dtype=bf16";
static const char no_float8[] =
    "descr '%s' is no type of NumPy's; send float8 as safetensors (F8_E4M3, F8_E5M2), or "
    "x.astype('float32')";

static bool refuse_real(const char *descr, enum element_accept accept, char *why)
{
    if (strcmp(descr, "|V2") == 0 || strcmp(descr, "<V2") == 0)
        return why_refuse(why, no_type, descr);
    if (strcmp(descr, "|V1") == 0 || strcmp(descr, "<V1") == 0)
        return why_refuse(why, no_float8, descr);
    if (descr[0] == '[')
        return why_refuse(why,
                          "descr must be '<f4', '<f2' or '<f8'; got a structure of fields");
    if (accept == ELEMENT_NUMBERS)
        return why_refuse(
            why,
            "descr must be '<f4', '<f2', '<f8' or of integers, '<i8' and the like; got "
            "'%s'",
            descr);
    return why_refuse(
        why, "descr must be '<f4', '<f2' or '<f8' (float32, float16, float64); got '%s'",
        descr);
}

/* Refuses a type that holds no numbers, or numbers that no type of ours holds. */
static bool refuse_any(const char *descr, char *why)
{
    const char kind = descr[0] == '\0' ? '\0' : descr[1];

    if (descr[0] == '[')
        return why_refuse(
            why, "descr is a structure of fields; send each field as an array of its own");
    if (strcmp(descr, "|V2") == 0 || strcmp(descr, "<V2") == 0)
        return why_refuse(why, no_type, descr);
    if (strcmp(descr, "|V1") == 0 || strcmp(descr, "<V1") == 0)
        return why_refuse(why, no_float8, descr);
    if (kind == 'O')
        return why_refuse(why,
                          "descr '%s' is an array of Python objects; send numbers, as "
                          "x.astype('float64') makes them",
                          descr);
    if (kind == 'U' || kind == 'S')
        return why_refuse(
            why, "descr '%s' is text; send numbers, as x.astype('float64') makes them", descr);
    return why_refuse(
        why,
        "descr must be of f2, f4, f8, i1 to i8, u1 to u8, b1, c8 or c16; got '%s': "
        "send x.astype('float64')",
        descr);
}

/* Reads '<f4'; the byte order of one byte may also be '|'. */
static bool read_descr(struct npy_head *head, enum element_accept accept, char *why)
{
    const char *descr = head->descr;
    const char order = descr[0];
    const struct element_type *type = order == '\0' ? NULL : element_type_find_npy(descr + 1);

    if (!type || !element_type_is_accepted(type, accept) ||
        (order != '<' && order != '>' && (order != '|' || type->size > 1)))
        return accept == ELEMENT_ANY ? refuse_any(descr, why) : refuse_real(descr, accept, why);
    head->layout.type = type;
    head->layout.big_endian = order == '>';
    return true;
}

static bool read_header(struct npy_head *head, enum element_accept accept, char *why)
{
    struct walk walk = {head->header, head->header + head->len};

    if (!take_dictionary(&walk, head))
        return why_refuse(why,
                          "the NPY header must be a dictionary of descr, fortran_order and "
                          "shape, and nothing else; its character %td is wrong",
                          walk.at - head->header + 1);
    return read_descr(head, accept, why);
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* In version 1 the length has two bytes, in later versions four. */
static size_t prefix_size(const struct npy_head *head)
{
    return head->prefix_len > MAGIC && head->prefix[MAGIC] == 1 ? NPY_HEAD_PREFIX - 2
                                                                : NPY_HEAD_PREFIX;
}

static const unsigned char magic[MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool npy_head_sniff(const unsigned char *bytes, size_t len)
{
    return len >= MAGIC && memcmp(bytes, magic, MAGIC) == 0;
}

static bool check_prefix(struct npy_head *head, char *why)
{
    size_t seen = head->prefix_len < MAGIC ? head->prefix_len : MAGIC;
    const unsigned char *version = head->prefix + MAGIC;

    if (memcmp(head->prefix, magic, seen) != 0)
        return why_refuse(
            why, "%s is not NPY: it must begin with \\x93NUMPY, as numpy.save writes it",
            head->what);
    if (head->prefix_len >= MAGIC + 2 && (version[0] < 1 || version[0] > 3 || version[1] != 0))
        return why_refuse(why,
                          "the NPY version must be 1.0, 2.0 or 3.0; got %u.%u (curl sends a "
                          "file as it is with --data-binary alone)",
                          version[0], version[1]);
    if (head->prefix_len < prefix_size(head))
        return true;
    for (size_t i = head->prefix_len; i > MAGIC + 2; i--)
        head->len = head->len * 256 + head->prefix[i - 1];
    return head->len <= NPY_HEAD_MAX ||
           why_refuse(why, "the NPY header has at most %d bytes; got %zu", NPY_HEAD_MAX,
                      head->len);
}

enum npy_head_state npy_head_add(struct npy_head *head, enum element_accept accept,
                                 const char *bytes, size_t len, size_t *used,
                                 char why[WHY_SIZE])
{
    *used = 0;
    while (*used < len && head->prefix_len < prefix_size(head)) {
        head->prefix[head->prefix_len++] = (unsigned char)bytes[(*used)++];
        if (!check_prefix(head, why))
            return NPY_HEAD_WRONG;
    }
    if (head->prefix_len < prefix_size(head))
        return NPY_HEAD_MORE;
    size_t left = head->len - head->header_len, rest = len - *used;
    size_t count = rest < left ? rest : left;
    memcpy(head->header + head->header_len, bytes + *used, count);
    head->header_len += count;
    *used += count;
    if (head->header_len < head->len)
        return NPY_HEAD_MORE;
    return read_header(head, accept, why) ? NPY_HEAD_COMPLETE : NPY_HEAD_WRONG;
}
