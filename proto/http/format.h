/* SPDX-License-Identifier: Apache-2.0
 * format.h - how an answer is written; every format is one file and one line of formats.def.
 *
 * An encoder pulls: it fills the caller's buffer and remembers its place. So a cached
 * answer and a streamed one are the same bytes from the same code, and memory is bounded by
 * that buffer plus encoder_scratch. */
#ifndef PROTO_FORMAT_H
#define PROTO_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct buffer;
struct encoder;
struct request;

struct format {
    const char *name;           /* "npy": the value of format= */
    const char *media_type;     /* the answer's media type */
    const char *const *accepts; /* media types in Accept that choose it, NULL-terminated */
    const char *extension;      /* the suffix of file names: Content-Disposition, compute -o */
    const char *summary;
    unsigned wire_version; /* raised when the envelope changes a byte; enters the ETag */
    bool binary;           /* length known beforehand; Posenc-Shape/-Dtype headers */
    bool single;           /* holds exactly one tensor */
    bool annotated;        /* carries facts and warnings itself: no Posenc-Warning header */
    bool endian;           /* says its byte order in Posenc-Endian */

    /* Checks that the format can hold this answer, and adds a problem if not (bf16 in npy).
     * May be NULL. */
    enum pe_status (*check)(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors);
    /* The length of the answer in bytes, or FORMAT_UNKNOWN. */
    uint64_t (*size)(const struct encoder *encoder);
    /* Writes at most `capacity` bytes, returns their number; 0 only at the end. `capacity` is
     * at least FORMAT_MIN_ROOM. */
    size_t (*read)(struct encoder *encoder, char *out, size_t capacity);
    /* Makes byte number `at` the next one that is read. NULL: an answer is written from its
     * start on. */
    void (*seek)(struct encoder *encoder, uint64_t at);
    enum pe_status (*begin)(struct encoder *encoder); /* state; may be NULL */
    void (*end)(struct encoder *encoder);             /* may be NULL */
};

#define FORMAT_UNKNOWN UINT64_MAX
enum { FORMAT_MIN_ROOM = 4096 };

size_t format_count(void);
const struct format *format_at(size_t i);
const struct format *format_find(const char *name, size_t len); /* NULL if unknown */
size_t format_index(const struct format *format);               /* its number for format_at */
/* Finds a format by the suffix of a file's name, without its dot: an extension, or a name.
 * NULL if unknown. */
const struct format *format_find_suffix(const char *suffix);
/* Every known suffix: ".json, .npy ...". */
void format_write_suffixes(struct buffer *out);
/* The first binary format for that many tensors, to be suggested. */
const struct format *format_binary(size_t tensors);

/* Keeps a reference to the plan; `request` must outlive it (or, if it does not, be cloned
 * inside: the implementation copies what it needs). NULL when out of memory. */
struct encoder *encoder_new(const struct request *request, struct pe_plan *plan);
void encoder_free(struct encoder *encoder);
uint64_t encoder_size(const struct encoder *encoder);
size_t encoder_read(struct encoder *encoder, char *out, size_t capacity);
/* Only where format->seek is there; at <= encoder_size. */
void encoder_seek(struct encoder *encoder, uint64_t at);
/* The HTTP headers that the format decides, as lines "Name: value" that end in "\n":
 * Posenc-Shape, Posenc-Dtype, Posenc-Warning, Content-Disposition ... */
void encoder_write_headers(const struct encoder *encoder, struct buffer *lines);

/* The formats' descriptors, one a file. */
#define FORMAT(NAME, ALIAS) extern const struct format format_##NAME;
#include "proto/http/formats.def"
#undef FORMAT

#endif
