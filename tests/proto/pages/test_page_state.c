/* SPDX-License-Identifier: Apache-2.0
 * test_page_state.c - tests the state of a page that a query says. */
#include <string.h>

#include "proto/pages/page_state.h"
#include "tests/support/suite.h"

static const char *text_of(const struct buffer *buffer)
{
    return buffer->len > 0 ? buffer->bytes : "";
}

static void read(struct page_state *state, const char *encoding, const char *text)
{
    struct pe_errors errors = {.count = 0};
    struct query query;

    *state = page_state_of(NULL);
    query_parse(&query, text, strlen(text), &errors);
    page_state_read(state, pe_find(encoding, strlen(encoding)), &query);
    query_fini(&query);
    ck_assert(!page_state_failed(state));
}

static const struct {
    const char *query, *own, *words, *against, *colours;
} states[] = {
    {"dim=64&pos=0:4&format=npy&x=1", "dim=64&pos=0:4", "", "", NULL},
    {"view=rotation&pal=viridis&dim=8", "dim=8", "view=rotation&pal=viridis", "", "viridis"},
    {"view=<script>&pal=red&vs=nothing%3Fdim=8", "", "", "", NULL},
    {"dim=8&vs=rope%3Fdim=8%26base=500%26out=sin", "dim=8",
     "vs=rope%3Fdim%3D8%26base%3D500%26out%3Dsin", "base=500", NULL},
    {"dim=8&vs=rope%3Fdim=8", "dim=8", "vs=rope%3Fdim%3D8", "itself", NULL},
    {"model=llama-2-7b&vs=rope%3Fmodel=llama-3.1-8b", "model=llama-2-7b",
     "vs=rope%3Fmodel%3Dllama-3.1-8b", "llama-3.1-8b", NULL},
    {"dim=8&vs=alibi", "dim=8", "vs=alibi", "alibi", NULL},
};

START_TEST(a_query_says_the_request_and_the_words_of_the_page)
{
    struct page_state state;

    read(&state, "rope", states[_i].query);
    ck_assert_str_eq(text_of(&state.own.query), states[_i].own);
    ck_assert_str_eq(text_of(&state.words), states[_i].words);
    ck_assert_str_eq(text_of(&state.against), states[_i].against);
    ck_assert_pstr_eq(state.colours, states[_i].colours);
    page_state_fini(&state);
}
END_TEST

START_TEST(the_address_of_a_state_reads_back_as_the_state)
{
    struct page_state state, again;
    struct buffer address = {0}, second = {0};

    read(&state, "rope", states[_i].query);
    page_state_write(&address, &state);
    ck_assert(strncmp(address.bytes, "rope", 4) == 0);
    read(&again, "rope", address.bytes + 4 + (address.bytes[4] == '?'));
    page_state_write(&second, &again);
    ck_assert_str_eq(second.bytes, address.bytes);
    page_state_fini(&state);
    page_state_fini(&again);
    buffer_fini(&address);
    buffer_fini(&second);
}
END_TEST

static const struct {
    const char *query, *own, *other;
} pairs[] = {
    {"a=rope?dim=8&pos=0:4&b=alibi?heads=8", "rope?dim=8&pos=0:4", "alibi?heads=8"},
    {"a=rope%3Fdim=8%26pos=0:4&b=alibi%3Fheads=8", "rope?dim=8&pos=0:4", "alibi?heads=8"},
    {"a=rope?dim=8%26pos=0:4&b=alibi?heads=8", "rope?dim=8&pos=0:4", "alibi?heads=8"},
    {"a=rope?dim=8&b=alibi%3Fheads=8", "rope?dim=8", "alibi?heads=8"},
    {"b=alibi&a=rope", "rope", "alibi"},
    {"a=rope&b=nothing", NULL, NULL},
    {"a=llama-2-7b&b=llama-3.1-8b", NULL, NULL}, /* models are for the script */
    {"a=rope?dim=8", NULL, NULL},
    {"", NULL, NULL},
};

START_TEST(a_comparison_names_two_requests)
{
    struct page_state state = page_state_of(NULL);
    struct buffer own = {0}, other = {0};

    page_state_read_pair(&state, pairs[_i].query, strlen(pairs[_i].query));
    ck_assert_int_eq(state.own.enc != NULL, pairs[_i].own != NULL);
    ck_assert_int_eq(state.other.enc != NULL, pairs[_i].other != NULL);
    if (pairs[_i].own) {
        page_state_write_request(&own, &state.own);
        page_state_write_request(&other, &state.other);
        ck_assert_str_eq(own.bytes, pairs[_i].own);
        ck_assert_str_eq(other.bytes, pairs[_i].other);
    }
    page_state_fini(&state);
    buffer_fini(&own);
    buffer_fini(&other);
}
END_TEST

START_TEST(no_parameter_has_the_name_of_a_word)
{
    static const char *const words[] = {"view", "pal", "vs"};

    for (size_t i = 0; i < 3; i++)
        ck_assert_ptr_null(pe_param_find(pe_at((size_t)_i), words[i], strlen(words[i])));
}
END_TEST

static bool take_none(struct buffer_budget *budget, size_t bytes)
{
    (void)budget;
    (void)bytes;
    return false;
}

START_TEST(the_texts_of_a_state_are_taken_from_its_budget)
{
    struct buffer_budget none = {take_none};
    struct page_state state = page_state_of(&none);
    struct pe_errors errors = {.count = 0};
    struct query query;

    query_parse(&query, "dim=8", 5, &errors);
    page_state_read(&state, pe_find("rope", 4), &query);
    ck_assert(page_state_failed(&state));
    query_fini(&query);
    page_state_fini(&state);
}
END_TEST

SUITE(page_state, TEST_EACH(a_query_says_the_request_and_the_words_of_the_page, states),
      TEST_EACH(the_address_of_a_state_reads_back_as_the_state, states),
      TEST_EACH(a_comparison_names_two_requests, pairs),
      TEST_COUNTED(no_parameter_has_the_name_of_a_word, pe_count),
      TEST(the_texts_of_a_state_are_taken_from_its_budget));
