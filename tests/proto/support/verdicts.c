/* SPDX-License-Identifier: Apache-2.0
 * verdicts.c - see verdicts.h. */
#include "tests/proto/support/verdicts.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void verdicts_add_tensors(struct tensor_set *set, const char *text)
{
    while (*text != '\0' && *text != '-') {
        char name[TENSOR_NAME_SIZE], *rest;
        size_t len = strcspn(text, "[");
        struct pe_tensor info = {.dtype = PE_F32};

        ck_assert(len < sizeof name && text[len] == '[');
        memcpy(name, text, len);
        name[len] = '\0';
        for (text += len; *text == '[' || *text == ','; text = rest)
            info.dims[info.rank++] = strtoull(text + 1, &rest, 10);
        ck_assert_int_eq(*text, ']');
        ck_assert_ptr_nonnull(tensor_set_add(set, name, &info));
        text += text[1] == ',' ? 2 : 1;
    }
    ck_assert(tensor_set_allocate(set));
    for (size_t i = 0; i < set->count; i++)
        memset(set->at[i].data, 0, set->at[i].bytes);
}

void verdicts_init(struct verdicts *verdicts, const char *query, const char *tensors)
{
    struct pe_errors errors = {.count = 0};
    struct verify_source source = {.query = &verdicts->query,
                                   .tensors = &verdicts->set,
                                   .models = models_embedded(),
                                   .named = true};

    *verdicts = (struct verdicts){.verdict = calloc(1, sizeof *verdicts->verdict)};
    ck_assert_ptr_nonnull(verdicts->verdict);
    ck_assert_int_eq(query_parse(&verdicts->query, query, strlen(query), &errors), PE_OK);
    verdicts_add_tensors(&verdicts->set, tensors);
    ck_assert_int_eq(verify_request_read(&verdicts->request, &source, &errors), PE_OK);
    verdicts->verdict->tensor_count = verdicts->set.count;
    for (size_t i = 0; i < verdicts->set.count; i++)
        verdicts->verdict->tensor[i] = (struct pe_tensor_verdict){
            .role = verdicts->request.roles[i].output ? verdicts->request.roles[i].name : NULL,
            .of = 4,
            .finite = true,
            .rank = verdicts->set.at[i].info.rank};
}

void verdicts_fini(struct verdicts *verdicts)
{
    pe_args_free(verdicts->verdict->explanation.found);
    free(verdicts->verdict);
    verify_request_fini(&verdicts->request);
    tensor_set_fini(&verdicts->set);
    query_fini(&verdicts->query);
}

struct pe_args *verdicts_args(const char *encoding, const char *query)
{
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(pe_find(encoding, strlen(encoding)));

    ck_assert_int_eq(request_set_query(request, query, strlen(query), &errors), PE_OK);
    ck_assert_int_eq(request_finish(request, NULL, 0, &errors), PE_OK);
    struct pe_args *args = pe_args_ref(request_args(request));
    request_free(request);
    return args;
}
