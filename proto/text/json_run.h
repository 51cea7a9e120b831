/* SPDX-License-Identifier: Apache-2.0
 * json_run.h - a run of numbers of an array, read at once. */
#pragma once

#include "proto/text/json_scan.h"

/* Reads numbers of an array that is cut out directly from the piece: all that commas follow,
 * then one that another byte follows. Numbers that exceed the limits, cross the end or are
 * wrong are left to the steps, byte by byte. Returns the number of bytes read. */
size_t json_run_numbers(struct json_scan *scan, const char *at, const char *end);
