/* SPDX-License-Identifier: Apache-2.0
 * json_grammar.h - feeds a scan with the pieces of a document, byte by byte or many at once. */
#pragma once

#include "proto/text/json_scan.h"

/* Adds bytes, which are ignored once the state is not JSON_SCAN_OK. The result does not depend
 * on how the document is divided into pieces. */
enum json_scan_state json_grammar_add(struct json_scan *scan, const char *bytes, size_t len);
enum json_scan_state json_grammar_finish(struct json_scan *scan);
