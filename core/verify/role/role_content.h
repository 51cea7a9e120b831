/* SPDX-License-Identifier: Apache-2.0
 * role_content.h - what the numbers of a tensor say that it is, whatever its name. Cosines and
 * sines are known by 1024 numbers that are spread over the tensor, and told apart by its first
 * 1024; masks are read in full. */
#pragma once

#include "core/posenc_verify.h"

/* Finds the form in which the tensor holds cosines and sines, whose squares then add up to one
 * number everywhere. PE_FORM_WHOLE: in none. */
enum pe_verify_form role_content_form(const struct pe_verify_tensor *tensor);
/* Returns the form that a tensor of this shape would have, if it held cosines and sines;
 * PE_FORM_WHOLE: the shape has no such form. */
enum pe_verify_form role_content_shape(const struct pe_verify_tensor *tensor);
/* Returns whether two tensors hold cosines and sines: their squares add up to one number
 * everywhere; and whether the first seems to be the sines, which are less than the cosines in
 * the first rows. */
bool role_content_pair(const struct pe_verify_tensor *first,
                       const struct pe_verify_tensor *second, bool *sine_first);
/* Returns whether the numbers are sines rather than cosines, of which most are near 1 in
 * the first rows, because most columns turn slowly. */
bool role_content_is_sine(const struct pe_verify_tensor *tensor);
/* Returns whether all numbers are 0 or 1, and so those of a mask of truth values. */
bool role_content_is_truth(const struct pe_verify_tensor *tensor);
/* Returns the number that hides a key in a mask that is added to scores: the least, if it is
 * -inf or very negative; 0: there is none. */
double role_content_hidden(const struct pe_verify_tensor *tensor);
/* Returns the number by which a tensor of queries and keys, its last two axes, hides the later
 * keys and no other; 0: it does not. The last query stands at the last key; of a tensor of more
 * axes the first matrix is read. */
double role_content_later(const struct pe_verify_tensor *tensor);
/* Returns whether a tensor of whole zeros and ones would be an output of real numbers, which a
 * program does not keep in integers: the row of position 0. Text says no dtype. */
bool role_content_is_other(const struct pe_verify_tensor *tensors, size_t count,
                           const struct pe_verify_role *roles);
