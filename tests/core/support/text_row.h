/* SPDX-License-Identifier: Apache-2.0
 * text_row.h - texts and what core makes of them, as rows of text files (tests/support/row.h).
 * An input is a function and its text:
 *
 *     positions 0:8:2             a list of whole positions; "real": with fractions
 *         canonical: 0:7:2        what core prints, which reads back as itself
 *         count: 4 from 0 to 6
 *     positions 0-3               as a list that is refused, with a part of the sentence
 *         refused bad-value: cannot read "0-3"
 *         hint: for 0 to 3 inclusive write 0:4
 *     twice x                     a refused list that is read twice; no row of it holds
 *     segments text:03            a list of segments, with the same claims
 *     number 1E+3 => 1000         reads a number of a parameter, "whole" a whole one;
 *                                 "none": the text is no number
 *     print 1e21 => 1e21          prints a number as canonical form has it; "float64" and
 *                                 "float32" print it as an answer in JSON has it
 *     decimal 15 -7 => 0.0000015  prints digits times a power of ten
 *     suggest heds => heads       finds the parameter that was meant, or none
 *     set dim=8 flag=true => dim=8 | flag=true    gives numbers, true or false, lists such as
 *                                 "[1,2;3,4]" and tensors such as "f16[3,4]" (args_row.h)
 *     default steps => 3          the field of a parameter of sample that is not given
 *     tensor, limited, stopped, table, empty-rows ...    plans and masks (plan_row.h) */
#pragma once

#include <stdbool.h>

#include "tests/support/row.h"

/* True if the row's input begins with a function above. */
bool text_row_serves(const struct row *row);
/* True if the row's expectation comes true; if not, `why` names file, line and the result. */
bool text_row_holds(const struct row *row, char *why, size_t size);
