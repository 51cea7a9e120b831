/* SPDX-License-Identifier: Apache-2.0
 * inference_word.h - names of parameters that mean something to the Open Inference Protocol
 * itself, as a table (inference_words.def). */
#pragma once

#include <stddef.h>

/* The role of a parameter of a request, an input or an output, which its name alone decides. */
enum inference_word {
    INFERENCE_NAMES,       /* a parameter of the encoding, or unknown */
    INFERENCE_IGNORED,     /* clients send it, and here it has no effect */
    INFERENCE_FORM,        /* binary_data_output, which the message has read */
    INFERENCE_UNSUPPORTED, /* a feature that is not served */
    INFERENCE_ELSEWHERE,   /* said otherwise in this protocol: *advice says how */
};
/* advice may be NULL. */
enum inference_word inference_word_of(const char *name, const char **advice);
/* The names that are INFERENCE_ELSEWHERE; NULL at the end. */
const char *inference_word_elsewhere(size_t i);
