/* SPDX-License-Identifier: Apache-2.0
 * inference_answer.c - see inference_answer.h. */
#include "proto/inference/inference_answer.h"

#include <stdlib.h>

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
