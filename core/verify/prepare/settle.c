/* SPDX-License-Identifier: Apache-2.0
 * settle.c - completes a claim, and settles which of tensors without a name are cosines: the
 * numbers of the claim say it. */
#include <string.h>

#include "core/args/args.h"
#include "core/verify/fit.h"
#include "core/verify/prepare/complete.h"

/* Returns the mean distance of the tensors from checked arguments; 1 where their shapes
 * differ. *failed is set where there is no memory. */
static double distance(struct pe_args *args, const struct pe_verify_tensor *tensors,
                       size_t count, const struct pe_verify_role *roles,
                       const struct pe_limits *limits, bool *failed)
{
    struct candidate *candidate = NULL;
    struct fit fit = {.mean = 1};
    struct claim claim;
    bool assumes;

    const bool ready = claim_init(&claim, args, tensors, count, roles, NULL, limits);
    if (ready)
        candidate = complete_candidate(&claim, &assumes);
    if (candidate)
        (void)fit_sample(&fit, candidate);
    candidate_free(candidate);
    *failed = !ready || claim.failed;
    claim_fini(&claim);
    return fit.mean;
}

/* Gives every guessed role, and the arguments, the other of cosines and sines; false: none was
 * guessed, or a name says one of them. */
static bool exchange(struct pe_verify_role *to, const struct pe_verify_role *roles,
                     size_t count, struct pe_args *args)
{
    const struct pe_output *outputs = args->enc->outputs;
    const size_t cosine = args_find_output(args->enc, "cos"),
                 sine = args_find_output(args->enc, "sin");
    bool guessed = false;

    for (size_t i = 0; i < count; i++) {
        const size_t output = roles[i].output ? (size_t)(roles[i].output - outputs) : SIZE_MAX;
        const bool is_one = output != SIZE_MAX && (output == cosine || output == sine);

        to[i] = roles[i];
        if (is_one && !roles[i].guessed)
            return false;
        if (!is_one)
            continue;
        to[i].output = &outputs[output == cosine ? sine : cosine];
        to[i].name = to[i].output->name;
        guessed = true;
    }
    if (guessed && args_bit(args->wanted, cosine) != args_bit(args->wanted, sine))
        args->wanted ^= UINT32_C(1) << cosine | UINT32_C(1) << sine;
    return guessed;
}

/* Exchanges guessed roles, and *checked for the arguments of them, where the tensors are eight
 * times nearer then. False when out of memory. */
static bool settle(struct pe_args **checked, struct pe_args *given,
                   const struct pe_verify_tensor *tensors, size_t count,
                   struct pe_verify_role *roles, const struct pe_limits *limits)
{
    struct pe_args *turned = complete_copy(given), *other = NULL;
    struct pe_verify_role others[PE_VERIFY_TENSORS];
    struct pe_errors refused;
    bool failed = false;

    pe_errors_clear(&refused);
    if (!turned)
        return false;
    if (exchange(others, roles, count, turned)) {
        const double far = distance(*checked, tensors, count, roles, limits, &failed);
        const bool makes =
            far > 0 && !failed &&
            complete_claim(&other, turned, tensors, count, others, limits, &refused) == PE_OK;

        if (makes && 8 * distance(other, tensors, count, others, limits, &failed) < far) {
            struct pe_args *first = *checked;

            *checked = other;
            other = first;
            memcpy(roles, others, count * sizeof *roles);
        }
    }
    pe_args_free(other);
    pe_args_free(turned);
    return !failed;
}

enum pe_status pe_verify_complete(struct pe_args **checked, struct pe_args *given,
                                  const struct pe_verify_tensor *tensors, size_t count,
                                  struct pe_verify_role *roles, const struct pe_limits *limits,
                                  struct pe_errors *errors)
{
    enum pe_status status =
        complete_claim(checked, given, tensors, count, roles, limits, errors);

    if (status != PE_OK || settle(checked, given, tensors, count, roles, limits))
        return status;
    pe_args_free(*checked);
    *checked = NULL;
    return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}
