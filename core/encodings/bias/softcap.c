/* SPDX-License-Identifier: Apache-2.0
 * softcap.c - limits logits by a smooth function, so that none exceeds a cap.
 *
 *     y = cap tanh(x / cap);  cap <= 0: y = x
 *
 * Gemma 2 (cap 50 in attention, before mask and bias; 30 on final logits), Grok-1 (30).
 */
#include "core/encoding.h"

#include <math.h>

#include "core/math/number/elementary.h"

enum { CAPPED };

struct softcap {
    struct pe_reals logits;
    double cap;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct softcap, logits), .type = PE_REALS, .matrix = true, .required = true,
     .min = -3e38, .max = 3e38, .summary = "numbers to bend, in rows: 50,-3;1,2"},
    {PE_FIELD(struct softcap, cap), .type = PE_REAL, .min = -1e18, .max = 1e18, .preset = 50,
     .summary = "no result is larger in size; 0 or less: off (attn_logit_softcapping)"},
};

static const struct pe_output outputs[] = {
    [CAPPED] = {PE_OUTPUT("capped", PE_F32, "row", "column"), .summary = "cap tanh(x / cap)",
                .by_default = true, .bound = "0.501 ULP; f64 2 ULP"},
};

static double capped(double x, double cap)
{
    const double straight = 1e-10; /* below it tanh(u) = u (1 - u^2/3) is u to 2^-66 */
    double u = x / cap;

    return cap <= 0 || fabs(u) < straight ? x : cap * elementary_tanh(u);
}

static double element(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct softcap *s = state;

    return capped(s->logits.values[row * s->logits.cols + col], s->cap);
}

static const struct pe_filler filler = {.element = element, .ns_per_element = 60};

const struct pe_encoding pe_encoding_softcap = {
    .name = "softcap",
    .summary = "logits bent by tanh so that none exceeds a cap",
    .source = "Gemma 2, attn_logit_softcapping and final_logit_softcapping; Grok-1",
    .examples = PE_WORDS("logits=50,-50,1&cap=30", "logits=1,2;300,-400"),
    .family = PE_BIAS,
    PE_TABLES(struct softcap, params, outputs),
    .lengths = PE_WORDS("row=logits.0", "column=logits.1"),
    .filler = &filler,
};
