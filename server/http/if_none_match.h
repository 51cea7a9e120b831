/* SPDX-License-Identifier: Apache-2.0
 * if_none_match.h - If-None-Match: a list of entity tags, compared weakly (RFC 9110, 13.1.2).
 * */
#pragma once

enum if_none_match {
    IF_NONE_MATCH_NONE,  /* absent, or the tag is not in the list: send the whole response */
    IF_NONE_MATCH_MATCH, /* the client has this response */
    IF_NONE_MATCH_ANY,   /* "*": the client has some response, whichever it is */
};

/* if_none_match may be NULL; etag has its quotes. The list ends where it is malformed. */
enum if_none_match if_none_match_check(const char *if_none_match, const char *etag);
