/* SPDX-License-Identifier: Apache-2.0
 * test_local.c - tests of answers without a service: every endpoint, and every sentence of the
 * folder's own. That the bytes are the service's is tested by tests/wasm. */
#include <string.h>

#include "proto/local/local.h"
#include "proto/local/module.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static const struct asked {
    const char *method, *path, *query, *type, *body;
    unsigned status;
    const char *media_type, *part; /* a part of the body */
} asked[] = {
    {"GET", "/v1/rope", "pos=0:2&dim=4", NULL, NULL, 200, "application/json",
     "\"data\":[[1,1],[0.5403023,0.99995]]"},
    {"GET", "/v1/rope", "pos=0:2&dim=4&out=cos&format=csv", NULL, NULL, 200,
     "text/csv; charset=utf-8; header=present", "0.5403023"},
    {"POST", "/v1/rope", "", "application/json", "{\"pos\":[1],\"dim\":4}", 200,
     "application/json", "0.5403023"},
    {"POST", "/v1/rope/apply", "pos=0:1", "application/json; charset=utf-8", "{\"x\":[[1,2]]}",
     200, "application/json", "[[1,2]]"},
    {"GET", "/v1/rope", "pos=0:2&dim=7", NULL, NULL, 400, "application/problem+json",
     "must be an even number"},
    {"POST", "/v1/rope", "dim=4", "application/json", "{\"pos\":[0", 400,
     "application/problem+json", "line 1"},
    {"POST", "/v1/rope", "dim=4", "text/plain", "pos", 415, "application/problem+json",
     "send application/json"},
    {"POST", "/v1/rope/apply", "pos=0:1", "application/x-npy", "\x93NUMPY", 400,
     "application/problem+json", "\"status\":400"},
    {"POST", "/v1/rope/apply", "pos=0:1", "application/octet-stream", "\1\2", 400,
     "application/problem+json", "in_dtype"},
    {"GET", "/v1/batch", "", NULL, NULL, 405, "application/problem+json",
     "/v1/batch does not take this method; see Allow"},
    {"POST", "/v1/batch", "", NULL, NULL, 400, "application/problem+json",
     "send the requests as the body"},
    {"POST", "/v1/batch", "", "application/json",
     "{\"requests\":[{\"path\":\"/v1/rope?pos=0:1&dim=2\"},{\"path\":\"/v1/rope?dim=2\"}]}",
     200, "application/json", "\"status\":400"},
    {"POST", "/v1/batch", "format=safetensors", "application/json",
     "{\"requests\":[{\"path\":\"/v1/rope?dim=2\"}]}", 400, "application/problem+json",
     "1 of 1 requests have problems; as safetensors a batch needs all answers"},
    {"POST", "/v1/batch", "", "application/json", "{\"requests\":3}", 400,
     "application/problem+json", "#/requests"},
    {"GET", "/v1/encodings", "", NULL, NULL, 200, "application/json", "\"name\":\"t5\""},
    {"GET", "/v1/encodings", "fields=name", NULL, NULL, 200, "application/json",
     "{\"name\":\"t5\"}"},
    {"GET", "/v1/encodings", "fields=nme", NULL, NULL, 400, "application/problem+json",
     "fields"},
    {"GET", "/v1/encodings/rope", "", NULL, NULL, 200, "application/json", "\"name\":\"rope\""},
    {"GET", "/v1/encodings/rope", "a=b", NULL, NULL, 400, "application/problem+json",
     "this path takes no parameters; ask for /v1/encodings/rope alone"},
    {"GET", "/v1/encodings/roep", "", NULL, NULL, 404, "application/problem+json",
     "there is nothing at /v1/encodings/roep; did you mean rope?"},
    {"GET", "/openapi.json", "encoding=rope", NULL, NULL, 200, "application/json",
     "\"/v1/rope\""},
    {"GET", "/openapi.json", "encoding=roep", NULL, NULL, 400, "application/problem+json",
     "roep"},
    {"GET", "/v1/models", "q=llama&fields=id", NULL, NULL, 200, "application/json",
     "\"llama-3.1-8b\""},
    {"GET", "/v1/models/llama-3.1-8b", "", NULL, NULL, 200, "application/json",
     "\"encoding\":\"rope\""},
    {"GET", "/v1/models/lama-3.1-8b", "", NULL, NULL, 404, "application/problem+json",
     "there is no model lama-3.1-8b; did you mean llama-3.1-8b"},
    {"GET", "/v1/models/llama-3.1-8b/tables", "pos=0:2", NULL, NULL, 200,
     "application/x-safetensors", "all_layers.rope.cos"},
    {"GET", "/v1/models/lama/tables", "", NULL, NULL, 404, "application/problem+json",
     "there is no model lama"},
    {"GET", "/v1/models/llama-3.1-8b/tables", "pos=a", NULL, NULL, 400,
     "application/problem+json", "pos"},
    {"POST", "/v1/models/resolve", "", "application/json",
     "{\"model_type\":\"llama\",\"head_dim\":64,\"rope_theta\":500000}", 200,
     "application/json", "\"base\":500000"},
    {"POST", "/v1/models/resolve", "", NULL, NULL, 400, "application/problem+json",
     "send a Hugging Face config.json as the body"},
    {"POST", "/v1/models/resolve", "", "application/json", "{\"model_type\":3}", 400,
     "application/problem+json", "model_type"},
    {"POST", "/v1/verify", "encoding=rope&dim=4&pos=0:2", "application/json",
     "{\"tensors\":[{\"name\":\"cos\",\"data\":[[1,1],[0.5403023,0.99995]]}]}", 200,
     "application/json", "\"verdict\":\"profile\""},
    {"POST", "/v1/verify", "", NULL, NULL, 400, "application/problem+json",
     "send tensors as the body: npz, npy, safetensors or JSON"},
    {"POST", "/v1/verify", "", "application/json", "{\"tensors\":3}", 400,
     "application/problem+json", "must be an array of 1 to 16 tensors"},
    {"POST", "/v1/verify", "encoding=roep", "application/json",
     "{\"tensors\":[{\"name\":\"cos\",\"data\":[[1]]}]}", 400, "application/problem+json",
     "roep"},
    {"GET", "/v1/roep", "", NULL, NULL, 404, "application/problem+json",
     "there is nothing at /v1/roep; did you mean /v1/rope?"},
    {"GET", "/metrics", "", NULL, NULL, 404, "application/problem+json",
     "/metrics is answered by a running posencd alone; the library in this process has the "
     "encodings, models and verify"},
};

static struct local_answer *ask(const struct asked *row)
{
    return module_ask(row->method, row->path, row->query, NULL, row->type, row->body,
                      row->body ? strlen(row->body) : 0);
}

START_TEST(each_endpoint_is_answered_and_each_problem_says_what_is_wrong)
{
    const struct asked *row = &asked[_i];
    struct local_answer *answer = ask(row);

    ck_assert_ptr_nonnull(answer);
    ck_assert_msg(module_status(answer) == row->status, "%s?%s: %u %.400s", row->path,
                  row->query, module_status(answer), module_body(answer));
    ck_assert_str_eq(module_type(answer), row->media_type);
    ck_assert_msg(memmem(module_body(answer), module_body_len(answer), row->part,
                         strlen(row->part)) != NULL,
                  "%s?%s: %.600s", row->path, row->query, module_body(answer));
    module_free(answer);
}
END_TEST

START_TEST(a_batch_as_safetensors_has_its_elements)
{
    static const char body[] = "{\"requests\":[{\"path\":\"/v1/sinusoidal?pos=1&dim=2\"}]}";
    const float rows[] = {0.8414709848f, 0.5403023059f};
    struct local_answer *answer = module_ask("POST", "/v1/batch", "format=safetensors", NULL,
                                             "application/json", body, sizeof body - 1);
    const size_t len = module_body_len(answer);

    ck_assert_uint_eq(module_status(answer), 200);
    ck_assert_uint_gt(len, sizeof rows);
    ck_assert_mem_eq(module_body(answer) + len - sizeof rows, rows, sizeof rows);
    module_free(answer);
}
END_TEST

START_TEST(a_format_that_nobody_accepts_is_refused)
{
    struct local_answer *answer =
        module_ask("GET", "/v1/rope", "pos=0:1&dim=2", "text/none", NULL, NULL, 0);

    ck_assert_uint_eq(module_status(answer), 406);
    ck_assert_ptr_nonnull(strstr(module_body(answer), "\"available\":[\"application/json\""));
    module_free(answer);
    answer = module_ask("POST", "/v1/batch", "", "text/none", "application/json",
                        "{\"requests\":[]}", 15);
    ck_assert_uint_eq(module_status(answer), 406);
    ck_assert_ptr_null(strstr(module_body(answer), "text/csv")); /* a batch has no csv */
    module_free(answer);
}
END_TEST

START_TEST(a_binary_answer_has_the_headers_of_its_format)
{
    struct local_answer *answer =
        module_ask("GET", "/v1/sinusoidal", "pos=0:2&dim=4&format=raw", NULL, NULL, NULL, 0);

    ck_assert_uint_eq(module_body_len(answer), 32);
    ck_assert_ptr_nonnull(strstr(module_headers(answer), "Posenc-Shape: 2,4\n"));
    module_free(answer);
    answer = module_ask("GET", "/v1/encodings/rope", "", NULL, NULL, NULL, 0);
    ck_assert_str_eq(module_headers(answer), "");
    module_free(answer);
    module_free(NULL);
}
END_TEST

START_TEST(head_tells_length_and_canonical_url_without_computing)
{
    const char *headers;
    struct local_answer *answer = module_ask(
        "HEAD", "/v1/sinusoidal", "pos=0:1000000&dim=64&format=npy", NULL, NULL, NULL, 0);

    headers = module_headers(answer);
    ck_assert_uint_eq(module_status(answer), 200);
    ck_assert_uint_eq(module_body_len(answer), 0);
    ck_assert_ptr_nonnull(strstr(headers, "Content-Length: 256000128\n"));
    ck_assert_ptr_nonnull(strstr(headers, "Posenc-Shape: 1000000,64\n"));
    ck_assert_ptr_nonnull(
        strstr(headers, "Content-Location: /v1/sinusoidal?amplitude=1&base=10000&"));
    module_free(answer);
}
END_TEST

/* Asks with allocation number n failing: the answer is whole, or 503, or a problem that lacks a
 * suggestion at most. Returns false when there was no allocation of that number. */
static bool ask_without_memory(const struct asked *row, size_t n,
                               const struct local_answer *whole)
{
    alloc_fail_start(n);
    struct local_answer *answer = ask(row);
    const unsigned status = answer ? module_status(answer) : 503;
    const bool same =
        answer && module_body_len(answer) == module_body_len(whole) &&
        memcmp(module_body(answer), module_body(whole), module_body_len(whole)) == 0;
    module_free(answer);
    const bool failed = alloc_fail_stop();

    /* MPFR's memory, which a thread keeps, may be of an earlier request. */
    ck_assert_msg(alloc_fail_live() <= 0, "%s?%s: allocation %zu: %ld blocks are left",
                  row->path, row->query, n, alloc_fail_live());
    ck_assert_msg(same || status == 503 || (status >= 400 && status == row->status),
                  "%s?%s: allocation %zu: status %u", row->path, row->query, n, status);
    return failed;
}

START_TEST(an_answer_for_which_memory_is_short_is_whole_or_503)
{
    struct local_answer *whole = ask(&asked[_i]);
    size_t n = 0;

    while (ask_without_memory(&asked[_i], n, whole))
        n++;
    ck_assert_uint_gt(n, 0);
    module_free(whole);
}
END_TEST

START_TEST(memory_of_the_module_can_be_had_and_given_back)
{
    char *memory = module_allocate(8);

    ck_assert_ptr_nonnull(memory);
    memset(memory, 1, 8);
    module_release(memory);
}
END_TEST

SUITE(local, TEST_EACH(each_endpoint_is_answered_and_each_problem_says_what_is_wrong, asked),
      TEST(a_batch_as_safetensors_has_its_elements),
      TEST(a_format_that_nobody_accepts_is_refused),
      TEST(a_binary_answer_has_the_headers_of_its_format),
      TEST(head_tells_length_and_canonical_url_without_computing),
      TEST_EACH(an_answer_for_which_memory_is_short_is_whole_or_503, asked),
      TEST(memory_of_the_module_can_be_had_and_given_back));
