/* SPDX-License-Identifier: Apache-2.0
 * when.h - the condition in a parameter's row: beside which values of others it has an effect.
 *
 * "causal" holds when the parameter has a value (of a boolean: is true), "mode=bicubic|linear"
 * when it has one of these values; "!" negates. All clauses of one alternative must hold. A
 * choice without a value holds every clause that compares it: what it becomes is known only
 * after `resolve`. */
#pragma once

#include "core/args/args.h"
#include "core/args/when_clause.h"

/* Returns whether the condition of parameter i holds, as far as it is known. */
bool when_holds(const struct pe_args *args, size_t i);
/* Returns whether the condition of parameter i compares a parameter that is among the
 * errors. */
bool when_depends_on_error(const struct pe_args *args, size_t i,
                           const struct pe_errors *errors);
/* Adds the problem that parameter i, whose condition does not hold, has no effect. */
void when_refuse(const struct pe_args *args, size_t i, struct pe_errors *errors);
/* Writes the condition as words, "mode=bicubic or linear", cut to size. */
void when_print(const struct pe_encoding *enc, const char *when, char *text, size_t size);
