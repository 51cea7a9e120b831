/* SPDX-License-Identifier: Apache-2.0
 * core_query.h - queries to core as texts: "dim=8&pos=0:4" becomes arguments, a plan, bytes or
 * doubles. A step that fails fails the test, with the sentence of core. */
#pragma once

#include "core/posenc.h"

/* The encoding of this name; fails the test when there is none. */
const struct pe_encoding *core_query_find(const char *name);

/* Gives one parameter by its text, tensors as core_tensor_parse reads them. */
void core_query_give(struct pe_args *args, const char *name, size_t name_len, const char *text,
                     size_t len, struct pe_errors *errors);
/* Gives every parameter of the query and checks them. *args is always an object of the
 * caller's (NULL: out of memory), checked when PE_OK is returned. */
enum pe_status core_query_args(struct pe_args **args, const struct pe_encoding *enc,
                               const char *query, struct pe_errors *errors);
/* Checked arguments of a query that is right. */
struct pe_args *core_query_checked(const struct pe_encoding *enc, const char *query);
/* A plan of a query that is right, under limits that hinder no test. */
struct pe_plan *core_query_plan(const struct pe_encoding *enc, const char *query);

/* A wrong query and its problem. detail is a part of the sentence; hint "" means none. */
struct core_refusal {
    const char *query;
    enum pe_status status;
    const char *parameter, *detail, *hint;
};
/* Fails the test unless *errors has this problem. */
void core_query_found(const struct pe_errors *errors, const struct core_refusal *refusal);

/* "base=10000&dim=8&...": the canonical values of checked arguments; the caller frees. */
char *core_query_canonical(const struct pe_args *args);

/* A rectangle of a tensor, rows adjoining; the caller frees. Fails the test where the fill
 * writes beside it, or beside the scratch it asked for. */
unsigned char *core_query_part(const struct pe_plan *plan, const struct pe_tensor_info *tensor,
                               const struct pe_rect *rect);
/* Scratch for any rectangle of the plan, begun; the caller frees it. */
void *core_query_scratch(const struct pe_plan *plan);
/* Fills as core_query_part does, by pe_fill_next with such a scratch. */
unsigned char *core_query_part_next(const struct pe_plan *plan,
                                    const struct pe_tensor_info *tensor,
                                    const struct pe_rect *rect, void *scratch);
/* Returns all elements of one tensor of a plan, as bytes of its dtype or as doubles; the caller
 * frees them. */
void *core_query_bytes(const struct pe_plan *plan, size_t tensor);
double *core_query_doubles(const struct pe_plan *plan, size_t tensor);
/* Returns all elements of the output with this name as doubles, *count of them (count may be
 * NULL). */
double *core_query_values(const char *encoding, const char *query, const char *output,
                          size_t *count);

/* Whether the values are the numbers of this text ("0.841471 -1 .0625"), each to within half a
 * unit of its last digit when it has six digits or more, else to within an ULP of double; if
 * not, `why` names the first number that is off. */
bool core_query_holds(const double *values, size_t count, const char *numbers, char *why,
                      size_t size);
/* Fails the test unless the output of the query holds these numbers. */
void core_query_prints(const char *encoding, const char *query, const char *output,
                       const char *numbers);

/* Distance of the next larger size in the dtype at value, subnormals included. */
double core_query_ulp(enum pe_dtype dtype, double value);
