/* SPDX-License-Identifier: Apache-2.0
 * head.h - the head of a request, read strictly: first the target, before it is decoded, then
 * the header lines, when all have come. They are read from the bytes that libmicrohttpd left
 * in its buffer, or asked of a libmicrohttpd that reads strictly itself. */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/http/endpoint.h"

enum { HEAD_TARGET_MAX = 8192, HEAD_LINES_MAX = 100, HEAD_BYTES_MAX = 8192 };

/* The sentence of 413, for a printf: how many bytes a body may have (PRIu64). */
#define HEAD_BODY_TOO_LONG "a body has at most %" PRIu64 " bytes here (--max-body)"
enum { HEAD_BODY_TOO_LONG_SIZE = 96 };

/* The ends of the sentences about a header line or trailer line that is malformed, and about a
 * head or trailer section that is too long. */
#define HEAD_LINE_FORM                                                                         \
    "NAME: VALUE, ended by CR LF; no folds, no blanks before the colon, no control characters"
#define HEAD_MOST "at most 100 lines in 8192 bytes"
/* The sentence about a trailer line that is malformed, and about a trailer section that is too
 * long. */
#define HEAD_TRAILER_BAD "a trailer line must be " HEAD_LINE_FORM
#define HEAD_TRAILER_LONG "the trailer section must be " HEAD_MOST
/* The sentence about fields that may be given once. */
#define HEAD_ONCE "Authorization, Content-Type and Content-Encoding may be given once"

struct transport_connection;

/* The bytes of a head, with those of the body that came behind it, as libmicrohttpd leaves
 * them: each CR, LF and first colon of a line is a NUL. They live until the request ends. */
struct head_bytes {
    /* NULL: the bytes are known. Else libmicrohttpd, which reads strictly, has the lines of
     * this connection (transport_each_line), and reads chunks; the last three members are
     * unknown. */
    struct transport_connection *wire;
    const char *method,
        *version;     /* NUL-terminated; the bytes of the head begin with its method */
    size_t size;      /* to the end of the empty line */
    size_t lines;     /* number of header lines that libmicrohttpd found */
    bool colon_ends;  /* the empty line is none: it has a colon and a line feed */
    const char *rest; /* the bytes behind the head */
    size_t rest_len;
};

/* The parsed head of a request. Its pointers are into libmicrohttpd's buffer and live until
 * the request ends; the target is copied. Lengths exclude the NUL. Values have no blanks at
 * their ends. The values of a repeated Accept, Accept-Encoding or If-None-Match are joined
 * by ", "; the other fields may be given once. */
struct head {
    const char *target; /* raw, origin-form "/v1/rope?pos=0:4"; NUL-terminated, owned */
    size_t target_len, path_len; /* the query is target + path_len + 1, if there is a '?' */
    enum endpoint_method method;
    bool http11;
    unsigned refused;        /* HTTP status of a refusal, 0: the head has one meaning */
    const char *refused_why; /* a static sentence, or too_long */
    char too_long[HEAD_BODY_TOO_LONG_SIZE]; /* the sentence that says how long a body may be */
    const char *host;                       /* NULL when absent, as HTTP/1.0 allows */
    const char *accept, *if_none_match, *content_type, *content_encoding, *request_id,
        *traceparent, *accept_encoding, *authorization, *range, *if_range,
        *origin,           /* values, NULL when absent */
        *inference_length; /* Inference-Header-Content-Length */
    bool type_repeated;    /* Content-Type was given more than once */
    bool has_body;         /* Content-Length above 0, or chunked */
    bool chunked;
    bool expects_continue; /* Expect: 100-continue */
    uint64_t content_length;
    struct head_bytes bytes; /* that it was read from */
    /* Used while the head is checked (request_check.h): */
    const char *raw, *raw_end; /* target in libmicrohttpd's buffer, and one past its NUL */
    const char *authority;     /* of an absolute-form target, must equal Host; else NULL */
    size_t authority_len;
    char *joined[3];     /* malloc'd lists */
    char *copy;          /* malloc'd target, when short_target is too small for it */
    size_t refused_path; /* bytes of short_target, which has the decoded start of the path of a
                          * target that was refused; 0: the target was not */
    char short_target[384];
};

/* A set of ASCII characters, one bit each. */
struct head_set {
    uint64_t bits[2];
};
static inline bool head_set_has(const struct head_set *set, unsigned char c)
{
    return c < 128 && (set->bits[c >> 6] >> (c & 63) & 1);
}
/* A byte that the value of a header line may have. */
static inline bool head_is_value_byte(unsigned char c)
{
    return c >= 0x20 ? c != 0x7f : c == '\t';
}
/* The value of a hexadecimal digit; -1: it is none. */
static inline int head_hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
extern const struct head_set head_token_set; /* RFC 9110 5.6.2: names and methods */
extern const struct head_set
    head_target_set; /* characters that a target may have unescaped; without % */
extern const struct head_set
    head_host_set; /* RFC 3986 3.2.2: a registered name, with escapes */

/* Whether the body comes in chunks and libmicrohttpd does not read it. */
static inline bool head_reads_chunks(const struct head *head)
{
    return head->chunked && !head->bytes.wire;
}

/* Frees what the head owns and zeroes it, for the next request. */
void head_clear(struct head *head);
/* Refuses the request; a first refusal is kept. */
void head_refuse(struct head *head, unsigned status, const char *why);

/* Copies and checks the target: origin-form, "*" or absolute-form "http://host/path", whose
 * authority is noted. Nothing is decoded. NULL, as libmicrohttpd passes for an empty target, is
 * refused. */
void head_target_read(struct head *head, const char *raw);
/* The path of a checked target without its percent escapes: malloc'd and NUL-terminated; NULL:
 * out of memory. */
char *head_decode_path(const char *raw, size_t raw_len, size_t *len);

/* The fields that decide where a request ends: how often each came, and its last value. */
struct head_framing {
    unsigned hosts, lengths, encodings, expectations;
    const char *host, *length, *encoding, *expectation;
};
/* Reads the header lines of `size` bytes from `lines` on (each CR, LF and first colon is a
 * NUL) and stores the known fields. `count` is the number of lines that libmicrohttpd found.
 * Trailing blanks of values are cut off in place. */
void header_lines_read(struct head *head, struct head_framing *framing, char *lines,
                       size_t size, size_t count);

/* A header line, or a line of a trailer section, as libmicrohttpd hands it on. */
struct head_line {
    const char *name, *value; /* NUL-terminated */
    size_t name_len, value_len;
};
/* Stores the line, if it is a known field, or refuses the request, if the bytes of name or
 * value are none that a line may have. */
void header_lines_add(struct head *head, struct head_framing *framing,
                      const struct head_line *line);
/* Returns whether name and value have only bytes that they may have. */
bool header_lines_is_valid(const struct head_line *line);

/* The value of Host: HOST or [ADDRESS], then perhaps :PORT (RFC 9110 7.2). */
bool head_host_valid(const char *host, size_t len);
/* The length of a valid value of Host before its port. */
size_t head_host_name_len(const char *host, size_t len);
