/* SPDX-License-Identifier: Apache-2.0
 * inference_answer_check.h - refuses responses to inference that no client can read, or that
 * would be long work on a loop's thread. */
#pragma once

#include "core/posenc.h"
#include "proto/request/request.h"

/* Checks the forms of the outputs, as the check of a format does: those in JSON have a type
 * that JSON has a form of, and are short beside outputs in binary. */
enum pe_status inference_answer_check(const struct pe_plan *plan, const struct request *request,
                                      struct pe_errors *errors);
