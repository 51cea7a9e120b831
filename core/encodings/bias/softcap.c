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
    struct pe_reals scores;
    double cap;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct softcap, scores), .type = PE_REALS, .matrix = true, .required = true,
     .min = -3e38, .max = 3e38,
     .summary = "attention scores or final logits, in rows: 50,-3;1,2"},
    {PE_FIELD(struct softcap, cap), .type = PE_REAL, .min = -1e18, .max = 1e18, .preset = 50,
     PE_OWN("transformers", CONVENTION, BASIC),
     .summary = "bound on the size of results (attn_logit_softcapping); 0 or less: none"},
};

static const struct pe_output outputs[] = {
    [CAPPED] = {PE_OUTPUT("capped", PE_F32, "row", "column"), .label = "Capped scores",
                .summary = "scores bent to at most cap in size: cap tanh(x / cap)",
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

    return capped(s->scores.values[row * s->scores.cols + col], s->cap);
}

static const struct pe_filler filler = {.element = element, .ns_per_element = 60};

const struct pe_encoding pe_encoding_softcap = {
    .name = "softcap",
    .title = "Soft cap of scores",
    .formula = "y = cap tanh(x / cap)",
    .when_to_use =
        "Gemma 2 caps attention scores at 50 and final logits at 30, Grok-1 at 30. Gemma 3 "
        "has given it up for normed queries and keys.",
    .what_goes_wrong =
        "The cap comes before mask and bias: a mask of -inf that is capped becomes -cap, and "
        "padding is attended to. Fused attention kernels without the option leave it out "
        "silently.",
    .picture =
        "scores=-128,-120,-112,-104,-96,-88,-80,-72,-64,-56,-48,-40,-32,-24,-16,-8,0,8,16,24,"
        "32,40,48,56,64,72,80,88,96,104,112,120,128&cap=50",
    .summary = "logits bent by tanh so that none exceeds a cap",
    .source = "Gemma 2, attn_logit_softcapping and final_logit_softcapping; Grok-1",
    .examples = PE_WORDS("scores=50,-50,1&cap=30", "scores=1,2;300,-400"),
    .family = PE_BIAS,
    PE_TABLES(struct softcap, params, outputs),
    .lengths = PE_WORDS("row=scores.0", "column=scores.1"),
    .filler = &filler,
};
