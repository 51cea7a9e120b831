/* SPDX-License-Identifier: Apache-2.0
 * scaling_deepseek_yarn.c - the rope_type deepseek_yarn of vLLM: another name for yarn with
 * dialect=vllm-deepseek, which is how canonical form says it. */
#include "core/math/scaling/scaling.h"

static void resolve(struct scaling *s, struct pe_errors *errors)
{
    if (s->dialect >= 0 && s->dialect != DIALECT_VLLM_DEEPSEEK)
        pe_fail(
            errors, PE_CONFLICT, "dialect",
            "must be vllm-deepseek with scaling=deepseek_yarn; give scaling=yarn for others");
    s->kind = SCALING_yarn;
    s->dialect = DIALECT_VLLM_DEEPSEEK;
    scaling_rule(SCALING_yarn)->resolve(s, errors);
}

const struct scaling_rule scaling_deepseek_yarn = {
    .resolve = resolve,
};
