/* SPDX-License-Identifier: Apache-2.0
 * npy_in.c - reads one tensor in NumPy's format 1.0, 2.0 or 3.0: magic, version, length of the
 * header, a Python dictionary, elements. (NumPy Enhancement Proposal 1 and its additions.) */
#include <stdio.h>
#include <string.h>

#include "proto/tensors/tensor_format.h"

enum { MAGIC = 6, PREFIX_MAX = 12, HEADER_MAX = 4096, DESCR_MAX = 16 };

struct npy {
    unsigned char prefix[PREFIX_MAX];
    size_t prefix_len; /* bytes of the prefix so far */
    char header[HEADER_MAX];
    size_t header_len, len; /* header's bytes: so far; all */
    /* The values of the header's dictionary. */
    char descr[DESCR_MAX];
    bool has_descr, has_order, has_shape, fortran;
    struct pe_tensor info;
};

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
static bool take_shape(struct walk *walk, struct pe_tensor *info)
{
    uint64_t number;

    info->rank = 0;
    if (!take(walk, '('))
        return false;
    for (bool comma = true; !take(walk, ')'); comma = take(walk, ',')) {
        if (!comma || !take_number(walk, &number))
            return false;
        if (info->rank < PE_MAX_RANK)
            info->dims[info->rank] = number;
        info->rank++;
    }
    return true;
}

/* Reads one entry; false if its key is unknown or a duplicate, or it is not well-formed. */
static bool take_entry(struct walk *walk, struct npy *npy)
{
    char key[DESCR_MAX];

    if (!take_string(walk, key, sizeof key) || !take(walk, ':'))
        return false;
    skip_space(walk);
    if (strcmp(key, "descr") == 0 && !npy->has_descr) {
        npy->has_descr = true;
        if (walk->at < walk->end && *walk->at == '[') { /* a list of fields: see read_descr */
            npy->descr[0] = '[';
            walk->at = walk->end;
            return true;
        }
        return take_string(walk, npy->descr, sizeof npy->descr);
    }
    if (strcmp(key, "fortran_order") == 0 && !npy->has_order) {
        npy->has_order = true;
        npy->fortran = take_word(walk, "True");
        return npy->fortran || take_word(walk, "False");
    }
    if (strcmp(key, "shape") == 0 && !npy->has_shape) {
        npy->has_shape = true;
        return take_shape(walk, &npy->info);
    }
    return false;
}

static bool take_dictionary(struct walk *walk, struct npy *npy)
{
    if (!take(walk, '{'))
        return false;
    for (bool comma = true; !take(walk, '}'); comma = take(walk, ',')) {
        if (!comma || !take_entry(walk, npy))
            return false;
        if (npy->descr[0] == '[')
            return true;
    }
    skip_space(walk);
    return walk->at == walk->end && npy->has_descr && npy->has_order && npy->has_shape;
}

/* ---- meaning of the dictionary ----------------------------------------------------------- */

static const struct {
    const char *descr;
    enum pe_dtype dtype;
} dtypes[] = {{"<f4", PE_F32}, {"<f2", PE_F16}, {"<f8", PE_F64}};

static bool read_descr(struct tensor_reader *reader, struct npy *npy)
{
    const char *descr = npy->descr;

    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        if (strcmp(descr, dtypes[i].descr) == 0) {
            npy->info.dtype = dtypes[i].dtype;
            return true;
        }
    }
    if (descr[0] == '>')
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "descr must be little-endian, '<f4', '<f2' or '<f8'; got '%s': send "
                           "x.astype(x.dtype.newbyteorder('<'))",
                           descr);
    else if (strcmp(descr, "|V2") == 0 || strcmp(descr, "<V2") == 0)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "descr '%s' is no type of NumPy's; send bfloat16 as safetensors, or "
                           "as octets with in_dtype=bf16",
                           descr);
    else if (descr[0] == '[')
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "descr must be '<f4', '<f2' or '<f8'; got a structure of fields");
    else
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "descr must be '<f4', '<f2' or '<f8' (float32, float16, float64); "
                           "got '%s'",
                           descr);
    return false;
}

static void read_header(struct tensor_reader *reader, struct npy *npy, size_t used)
{
    struct walk walk = {npy->header, npy->header + npy->len};

    if (!take_dictionary(&walk, npy)) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the NPY header must be a dictionary of descr, fortran_order and "
                           "shape, and nothing else; its character %td is wrong",
                           walk.at - npy->header + 1);
    } else if (!read_descr(reader, npy)) {
        return;
    } else if (npy->info.rank > PE_MAX_RANK) {
        tensor_reader_fail(reader, TENSOR_MALFORMED, "shape must have 1 to %d axes; got %zu",
                           PE_MAX_RANK, npy->info.rank);
    } else if (npy->fortran && npy->info.rank > 1) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "fortran_order must be False: send numpy.ascontiguousarray(x)");
    } else if (tensor_reader_expect(reader, tensor_reader_only_name(reader), &npy->info) ==
               TENSOR_OK) {
        tensor_reader_begin_data(reader, used);
    }
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* In version 1 the length has two bytes, in later versions four. */
static size_t prefix_size(const struct npy *npy)
{
    return npy->prefix_len > MAGIC && npy->prefix[MAGIC] == 1 ? PREFIX_MAX - 2 : PREFIX_MAX;
}

static void check_prefix(struct tensor_reader *reader, struct npy *npy)
{
    static const unsigned char magic[MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    size_t seen = npy->prefix_len < MAGIC ? npy->prefix_len : MAGIC;
    const unsigned char *version = npy->prefix + MAGIC;

    if (memcmp(npy->prefix, magic, seen) != 0) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the body is not NPY: it must begin with \\x93NUMPY, as "
                           "numpy.save writes it");
    } else if (npy->prefix_len >= MAGIC + 2 &&
               (version[0] < 1 || version[0] > 3 || version[1] != 0)) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the NPY version must be 1.0, 2.0 or 3.0; got %u.%u (curl sends a "
                           "file as it is with --data-binary alone)",
                           version[0], version[1]);
    } else if (npy->prefix_len == prefix_size(npy)) {
        for (size_t i = npy->prefix_len; i > MAGIC + 2; i--)
            npy->len = npy->len * 256 + npy->prefix[i - 1];
        if (npy->len > HEADER_MAX)
            tensor_reader_fail(reader, TENSOR_MALFORMED,
                               "the NPY header has at most %d bytes; got %zu", HEADER_MAX,
                               npy->len);
    }
}

static size_t head(struct tensor_reader *reader, const char *bytes, size_t len)
{
    struct npy *npy = reader->head;
    size_t used = 0;

    while (used < len && npy->prefix_len < prefix_size(npy) && reader->state == TENSOR_OK) {
        npy->prefix[npy->prefix_len++] = (unsigned char)bytes[used++];
        check_prefix(reader, npy);
    }
    if (reader->state != TENSOR_OK || npy->prefix_len < prefix_size(npy))
        return used;
    size_t left = npy->len - npy->header_len, count = len - used < left ? len - used : left;
    memcpy(npy->header + npy->header_len, bytes + used, count);
    npy->header_len += count;
    used += count;
    if (npy->header_len == npy->len)
        read_header(reader, npy, used);
    return used;
}

static const char *const media_types[] = {"application/x-npy", "application/npy", NULL};

const struct tensor_format npy_in = {
    .media_types = media_types,
    .summary = "one tensor as numpy.save writes it: f4, f2 or f8, little-endian, in C order",
    .state_size = sizeof(struct npy),
    .head = head,
};
