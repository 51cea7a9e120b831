/* SPDX-License-Identifier: Apache-2.0
 * format.h - the formats of responses; each is one file and one line of formats.def. The reader
 * pulls: an encoder fills the caller's buffer and remembers its position. So cached and
 * streamed responses are the same bytes from the same code, and memory is bounded by the buffer
 * and the scratch of the encoder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct buffer;
struct encoder;
struct request;

struct format {
    const char *name;           /* "npy": the value of format= */
    const char *media_type;     /* the response's media type */
    const char *const *accepts; /* media types in Accept that choose it, NULL-terminated */
    const char *extension;      /* suffix of files: Content-Disposition, compute -o */
    const char *summary;
    unsigned wire_version; /* raised when the envelope changes a byte; enters the ETag */
    const char *wire_tag;  /* libraries that decide bytes, which enters the ETag too; or NULL */
    bool binary;           /* its length is known beforehand; has Posenc-Shape/-Dtype headers */
    bool readable;         /* its bytes are text, which a terminal shows */
    bool single;           /* holds exactly one tensor */
    bool annotated;        /* has facts and warnings inside, not in headers */
    const char *instead;   /* what a client asks for in place of too long a text; NULL: a binary
                            * format */
    bool endian;           /* has its byte order in Posenc-Endian */
    const char *policy;    /* Content-Security-Policy of a document for browsers; or NULL */
    bool picture;      /* its first byte needs all numbers, so that it is begun on the pool; a
                            * client whose Accept has text/html gets it by format= alone */
    double operations; /* of a picture, besides those of its elements (core/posenc.h); enough
                            * for the pool */

    /* Adds a problem if the format cannot hold this response (bf16 in npy). May be NULL. */
    enum pe_status (*check)(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors);
    /* Returns the length of the response in bytes, or FORMAT_UNKNOWN. NULL: it is unknown. */
    uint64_t (*size)(const struct encoder *encoder);
    /* Writes at most `capacity` bytes, returns their number; 0 only at the end. `capacity` is
     * at least FORMAT_MIN_CAPACITY. */
    size_t (*read)(struct encoder *encoder, char *out, size_t capacity);
    /* Makes byte number `at` the next byte to be read. NULL: a response is read from its start
     * only. */
    void (*seek)(struct encoder *encoder, uint64_t at);
    /* Writes the response's headers in place of those of encoder_write_headers, and
     * Content-Type. NULL: the format has those, and .media_type. */
    void (*headers)(const struct encoder *encoder, struct buffer *lines);
    enum pe_status (*begin)(struct encoder *encoder); /* makes the state; may be NULL */
    void (*end)(struct encoder *encoder);             /* may be NULL */
};

#define FORMAT_UNKNOWN UINT64_MAX
enum { FORMAT_MIN_CAPACITY = 4096 };

size_t format_count(void);
const struct format *format_at(size_t i);
const struct format *const *format_all(void);                   /* the rows of format_at */
const struct format *format_find(const char *name, size_t len); /* NULL if unknown */
size_t format_index(const struct format *format);               /* the index for format_at */
/* Returns whether a Content-Type is the format's media type, perhaps with parameters. */
bool format_is_type(const struct format *format, const char *content_type);
/* Finds a format by the suffix of a file's name (an extension or a format's name), without its
 * dot. NULL if unknown. */
const struct format *format_find_suffix(const char *suffix);
/* Writes every known suffix: ".json, .npy ...". */
void format_write_suffixes(struct buffer *out);
/* Returns the first binary format that holds so many tensors, for suggestions. */
const struct format *format_binary(size_t tensors);

/* Makes an encoder, which keeps a reference to the plan; `request`, whose tensors it borrows,
 * must outlive it. NULL when out of memory. */
struct encoder *encoder_new(const struct request *request, struct pe_plan *plan);
void encoder_free(struct encoder *encoder);
const struct format *encoder_format(const struct encoder *encoder);
uint64_t encoder_size(const struct encoder *encoder);
size_t encoder_read(struct encoder *encoder, char *out, size_t capacity);
/* Sets a stop that a long read looks at (NULL: none): once it is set, the read fails. */
/* From now on the time in which numbers are computed, and not written, is measured by that
 * clock; encoder_fill_ns returns the nanoseconds so far. */
void encoder_set_clock(struct encoder *encoder, uint64_t (*clock_ns)(void));
uint64_t encoder_fill_ns(const struct encoder *encoder);
void encoder_set_stop(struct encoder *encoder, const struct pe_stop *stop);
/* Returns whether a read returned 0 before the end, since the stop was set or a library had no
 * memory: the response is incomplete. */
bool encoder_failed(const struct encoder *encoder);
/* Only if format->seek is not NULL; at <= encoder_size. */
void encoder_seek(struct encoder *encoder, uint64_t at);
/* Writes the HTTP headers that the format decides, as lines "Name: value" that end in "\n":
 * Content-Disposition, and those of answer_headers.def. Warnings about the numbers of a picture
 * are known after the first read. */
void encoder_write_headers(const struct encoder *encoder, struct buffer *lines);

/* Each format's file defines its descriptor. */
#define FORMAT(NAME, ALIAS) extern const struct format format_##NAME;
#include "proto/http/formats.def"
#undef FORMAT
