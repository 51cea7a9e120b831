/* SPDX-License-Identifier: Apache-2.0
 * condition.h - If-None-Match: a list of entity tags, compared weakly (RFC 9110, 13.1.2). */
#ifndef SERVER_CONDITION_H
#define SERVER_CONDITION_H

enum condition {
    CONDITION_NONE,  /* absent, or no tag of the list is this one: answer in full */
    CONDITION_MATCH, /* the client has it */
    CONDITION_ANY,   /* "*": the client has something, whatever it is */
};

/* if_none_match may be NULL; etag has its quotes. What is malformed ends the list. */
enum condition condition_check(const char *if_none_match, const char *etag);

#endif
