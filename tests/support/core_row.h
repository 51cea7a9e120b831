/* SPDX-License-Identifier: Apache-2.0
 * core_row.h - requests to encodings and what must come of them, as rows of text
 * files (row.h):
 *
 *     # The numbers of Table 2 of the paper.
 *     alibi?heads=2&out=slopes
 *         slopes: .0625 .00390625
 *
 * An expectation is one of:
 *
 *     OUTPUT: 0 -.405465 1e-9      the numbers: to half a unit of the last digit where six
 *                                  digits or more are written, else exactly
 *     OUTPUT digits: 100 110 111   a matrix of 0 and 1, a word a row; in a matrix of one column
 *                                  any numbers, exactly
 *     OUTPUT equals: other?a=1     the numbers of the other request, bit for bit
 *     OUTPUT equals: OTHER of other?a=1        or those of an output of another name
 *     OUTPUT transposes: other?a=1 the columns of the other request are the rows of this one
 *     OUTPUT equals in all dtypes: other?a=1   with &dtype=f64, f32, f16 and bf16
 *     OUTPUT has the diagonals of: OTHER of other?a=1   the matrix of differences, by heads
 *     OUTPUT begins: other?a=1     its first numbers are those of the other request
 *     OUTPUT adds up: 8 with other?a=1         each number and the other's make 8, and with
 *     OUTPUT is a multiple: 2 with other?a=1   "is a multiple" each is 2 times the other's
 *     OUTPUT is: rising, odd       laws of the numbers in their order: rising, never falling,
 *                                  odd and even about the middle
 *     OUTPUT is within: 0 1        every number is 0..1
 *     refused STATUS: PARAMETER part of the sentence   the only problem; - is no parameter
 *     hint: ...                    of the refusal above; a refusal without it has no hint
 *     canonical: a=1&b=2           the canonical form, whole
 *     canonical has: a=1           or some of its values
 *     canonical lacks: b=          or what is not in it
 *     canonical equals: other?a=1  or the form of the other request
 *     fact NAME: 4                 a fact of the plan: a number or a text; "none": no fact
 *     warning: part of a sentence  the plan's only warning; "none": no warning */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "tests/support/row.h"

/* Returns the word for a status, "bad-value", or "ok". */
const char *core_row_status(enum pe_status status);
/* Whether the row's expectation comes true; if not, `why` names file, line and the
 * difference. */
bool core_row_holds(const struct row *row, char *why, size_t size);
