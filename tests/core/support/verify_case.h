/* SPDX-License-Identifier: Apache-2.0
 * verify_case.h - tensors that the library itself makes, in the place of a client's, and a
 * claim about them: what the tests of core/verify judge. */
#pragma once

#include "core/posenc_verify.h"

struct verify_case {
    const struct pe_encoding *enc; /* of the claim */
    struct pe_args *claim;         /* checked and prepared; NULL: there is none yet */
    struct pe_verify_tensor tensor[PE_VERIFY_TENSORS];
    struct pe_verify_role role[PE_VERIFY_TENSORS];
    char name[PE_VERIFY_TENSORS][40];
    void *data[PE_VERIFY_TENSORS]; /* what the tensors hold, to be changed by a test */
    size_t count;
    const struct pe_verify_tolerance *tolerance; /* NULL: none */
};

enum { VERIFY_CASE_REQUEST = 2000 };
/* Writes "rope?dim=8&pos=0:4&out=cos" from an example of the encoding, one of its outputs and a
 * dtype (NULL: its own). False where that is refused: the output needs more. */
bool verify_case_request(char request[VERIFY_CASE_REQUEST], const struct pe_encoding *enc,
                         const char *example, const char *output, const char *dtype);

/* The tensors of an answer: all that it was made from ("x"), then its outputs, under the names
 * that vectors after the turn have ("y", "q_rot"). verify_case_free frees. */
void verify_case_of_args(struct verify_case *made, struct pe_args *args);
/* Makes the tensors of "rope?dim=8&pos=0:4&out=cos,sin&dtype=f64". */
void verify_case_of(struct verify_case *made, const char *request);
void verify_case_free(struct verify_case *made);
/* Adds a tensor of these dims; `data` is copied. Returns its number. */
size_t verify_case_add(struct verify_case *made, const char *name, enum pe_dtype dtype,
                       size_t rank, const uint64_t *dims, const void *data);
uint64_t verify_case_elements(const struct verify_case *made, size_t tensor);
/* Reads or writes an element. */
double verify_case_get(const struct verify_case *made, size_t tensor, uint64_t i);
void verify_case_set(struct verify_case *made, size_t tensor, uint64_t i, double value);

/* Claims "rope?dim=8&pos=0:4"; tensors of the claim, `out` and `dtype` are left out. */
enum pe_status verify_case_try_claim(struct verify_case *made, const char *request,
                                     struct pe_errors *errors);
/* Claims what is right; fails the test where the claim is refused. */
void verify_case_claim(struct verify_case *made, const char *request);

extern const struct pe_limits verify_case_limits; /* hinder no test */
enum pe_status verify_case_try(struct verify_case *made, struct pe_verdict **verdict,
                               struct pe_errors *errors);
/* The verdict; fails the test where there is none. The caller frees it. */
struct pe_verdict *verify_case_verdict(struct verify_case *made);
/* Judges the tensors of one request against the claim of another. */
struct pe_verdict *verify_case_compare(const char *made, const char *claim);
/* "mistake base 10000->500000 + position-offset pos 0:4->1:5", "profile f32-pow", "exact": what
 * a verdict says in short; the caller frees. */
char *verify_case_text(const struct pe_verdict *verdict);
