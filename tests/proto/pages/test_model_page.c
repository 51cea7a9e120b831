/* SPDX-License-Identifier: Apache-2.0
 * test_model_page.c - tests the pages of models. */
#include <string.h>

#include "proto/pages/model_page.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "/pe", .origin = "", .folder = "/", .kind = ""};

static size_t count(void)
{
    return models_count(models_embedded());
}

START_TEST(every_model_has_a_well_formed_page)
{
    const struct model *model = models_at(models_embedded(), (size_t)_i);
    struct buffer page = {0};

    model_page_write(&page, &frame, model);
    ck_assert(!page.failed);
    ck_assert_ptr_nonnull(strstr(page.bytes, model->source->repository));
    for (size_t i = 0; i < model->use_count; i++)
        for (size_t j = 0; j < model->uses[i].count; j++)
            ck_assert_msg(strstr(page.bytes, model->uses[i].settings[j].name), "%s", model->id);
    html_check(&page, model->id);
}
END_TEST

static const struct {
    const char *model, *part;
} parts[] = {
    {"gemma-3-4b", "Layers 0–4, 6–10, 12–16, 18–22, 24–28, 30–33</p>"},
    {"gemma-3-4b", "Layers 5, 11, 17, 23, 29</p>"},
    {"llama-3.1-8b", "<h2>Every layer: <code>rope</code></h2>"},
    {"llama-3.1-8b", "href=\"/pe/explore/rope?model=llama-3.1-8b&amp;pos=0:16\""},
    {"llama-3.1-8b", "<code>llama3</code>"},
    {"gpt2", "For <code>rows</code> you send <code>table</code> with the request."},
    {"gpt2", "Without it the service answers <a href=\"/pe/explore/learned?model=gpt2&amp;"
             "layer_type=embeddings&amp;pos=0:16&amp;out=index\"><code>out=index</code></a>."},
    {"t5-base", "<code>out=buckets</code></a>."},
    {"gpt-oss-20b", "For <code>sink_probability</code> you send <code>scores</code>, "
                    "<code>sink_logit</code> with the request."},
    {"gpt-oss-20b", "Without it there is nothing to compute."},
    {"deepseek-v4-flash", "<p>Left out: which of these entries a query sees"},
    {"gemma-3n-e4b", "<h2>audio</h2>\n<p>Left out: positions of the tower of sound"},
};

START_TEST(a_page_tells_layers_and_settings)
{
    const char *name = parts[_i].model;
    struct buffer page = {0};

    model_page_write(&page, &frame, models_find(models_embedded(), name, strlen(name)));
    ck_assert_msg(strstr(page.bytes, parts[_i].part), "%s", parts[_i].part);
    buffer_fini(&page);
}
END_TEST

static void write_one(struct buffer *out)
{
    model_page_write(out, &frame, models_find(models_embedded(), "gemma-3-4b", 10));
}

START_TEST(a_page_without_memory_fails_as_a_whole)
{
    html_check_memory(write_one);
}
END_TEST

SUITE(model_page, TEST_COUNTED(every_model_has_a_well_formed_page, count),
      TEST_EACH(a_page_tells_layers_and_settings, parts),
      TEST(a_page_without_memory_fails_as_a_whole));
