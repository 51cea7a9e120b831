/* SPDX-License-Identifier: Apache-2.0
 * inference_answer.c - see inference_answer.h. */
#include "proto/inference/inference_answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/encoder.h"
#include "proto/tensors/element_type.h"

void inference_answer_free(void *context)
{
    struct inference_answer *answer = context;

    if (!answer)
        return;
    free(answer->name);
    free(answer->id);
    free(answer);
}

bool inference_answer_is_mixed(const struct inference_answer *answer)
{
    for (size_t i = 1; i < answer->count; i++)
        if (answer->at[i].binary != answer->at[0].binary)
            return true;
    return false;
}

/* ---- the check --------------------------------------------------------------------------- */

/* The longest time that outputs in JSON beside others in binary take. */
#define MIXED_NS 10e6

/* Returns whether the tensor of the plan is answered in binary. */
static bool is_binary(const struct inference_answer *answer,
                      const struct pe_tensor_info *tensor)
{
    for (size_t i = 0; i < answer->count; i++)
        if (strcmp(answer->at[i].name, tensor->output->name) == 0)
            return answer->at[i].binary;
    return answer->binary;
}

/* Triton, and the clients that read its answers, have FP16 and BF16 in binary alone. */
static enum pe_status check_type(const struct pe_tensor_info *tensor, struct pe_errors *errors)
{
    if (tensor->dtype != PE_F16 && tensor->dtype != PE_BF16)
        return PE_OK;
    return pe_fail(errors, PE_CONFLICT, "outputs",
                   "must come in binary where they have the datatype FP16 or BF16, which JSON "
                   "has no form of: set binary_data of %s, or binary_data_output, to true; got "
                   "%s in JSON",
                   tensor->output->name, element_type_of(tensor->dtype)->inference);
}

/* Outputs in JSON beside others in binary are made at once on the loop's thread, so they are
 * short. */
static enum pe_status check_mixed(const struct pe_plan *plan, uint64_t elements,
                                  struct pe_errors *errors)
{
    if (elements <= INFERENCE_ANSWER_MIXED && pe_plan_cost_ns(plan, elements) > MIXED_NS)
        return pe_fail(errors, PE_CONFLICT, "outputs",
                       "take too long to compute in JSON beside others in binary; ask for all "
                       "of them in one form");
    if (elements <= INFERENCE_ANSWER_MIXED)
        return PE_OK;
    return pe_fail(errors, PE_CONFLICT, "outputs",
                   "must have at most %d elements in JSON beside others in binary; got %" PRIu64
                   "; ask for all of them in one form",
                   INFERENCE_ANSWER_MIXED, elements);
}

enum pe_status inference_answer_check(const struct pe_plan *plan, const struct request *request,
                                      struct pe_errors *errors)
{
    const struct inference_answer *answer = request_format_context(request);
    enum pe_status status = PE_OK;
    uint64_t elements = 0;

    for (size_t i = 0; i < pe_plan_tensor_count(plan) && status == PE_OK; i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);

        if (is_binary(answer, tensor))
            continue;
        elements += encoder_elements(tensor);
        status = check_type(tensor, errors);
    }
    return status == PE_OK && inference_answer_is_mixed(answer)
               ? check_mixed(plan, elements, errors)
               : status;
}
