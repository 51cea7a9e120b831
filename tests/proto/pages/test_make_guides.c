/* SPDX-License-Identifier: Apache-2.0
 * test_make_guides.c - tests that the generator of guides turns Markdown into HTML, and
 * refuses what it does not know, so that a build fails rather than serve it. */
#include <stdio.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define TOP "# Title\n\nA `lead` of words.\n\n"

static const struct {
    const char *text, *part;
} documents[] = {
    {TOP, "<p>A <code>lead</code> of words.</p>"},
    {TOP "## A Heading\n", "<h2 id=\\\"a-heading\\\">A Heading</h2>"},
    {TOP "## A\n\n## B\n\n## C\n\n## D\n\n## `E` and F\n",
     "    \"<p>A <code>lead</code> of words.</p>\\n\"\n"
     "    \"<nav class=\\\"toc\\\" aria-label=\\\"On this page\\\">\\n\""},
    {TOP "## A\n\n## B\n\n## C\n\n## D\n\n## `E` and F\n",
     "<li><a href=\\\"#e-and-f\\\">E and F</a></li>"},
    {TOP "## A\n\n## B\n\n## C\n\n## D\n", "words.</p>\\n\"\n    \"<h2 id=\\\"a\\\">"},
    {TOP "- one\n- two\n  lines\n", "<li>two lines</li>"},
    {TOP "    a < b\n", "a &lt; b</pre>"},
    {TOP "| a | b |\n|---|---|\n| `x\\|y` | **c** |\n", "<code>x|y</code>"},
    {TOP "| a | b |\n|---|---|\n| x | **c** |\n", "<td><strong>c</strong></td>"},
    {TOP "[x](https://x.org)\n", "<a href=\\\"https://x.org\\\">x</a>"},
    {TOP "[docs/api.md](api.md#top)\n", "<a href=\\\"api#top\\\">Title</a>"},
    {TOP "[x](limits.md)\n", "links to limits.md, which is no page"},
    {TOP "![A `b`.](/v1/rope?{w}&pos={p+k} \"cells\")\n- w | dim=8 | w\n- p | 0..9 | 2 | at\n"
         "- k | 0..9 | 3 | by\n",
     "{\"/v1/rope?dim=8&pos=5\", true, \"/v1/rope?{w}&pos={p+k}\",\n"
     "    (const struct guide_control[]){{\"w\", \"dim=8\", 0, 0, "
     "(const char *const[]){\"dim=8\", NULL}},\n"
     "    {\"p\", \"2\", 0, 9, NULL},\n"},
    {TOP "```\nimport x\n@x.fixture\ndef y():\n```\n", "\n    \"@x.fixture\\n\"\n"},
    {TOP "![A.](/v1/rope?dim={d} \"cells\")\n", "docs/api.md: no control has the name 'd'"},
    {TOP "![A.](api.md)\n", "a block begins in a way that is not known: ![A.](api.md)"},
    {TOP "> quoted\n", "a block begins in a way that is not known: > quoted"},
    {TOP "```\ncode\n```\n", "<pre tabindex=\\\"0\\\">code</pre>"},
};

/* Writes what the generator prints for documents of a folder. */
static void make(char *made, size_t size, const struct scratch *scratch, const char *paths)
{
    char command[512];

    snprintf(command, sizeof command,
             "P=$PWD; cd %s && /usr/bin/python3 $P/proto/pages/make_guides.py %s 2>&1",
             scratch_folder(scratch), paths);
    FILE *output = popen(command, "r");
    size_t len = fread(made, 1, size - 1, output);
    pclose(output);
    made[len] = '\0';
}

START_TEST(a_document_becomes_a_page_or_the_build_fails)
{
    struct scratch *scratch = scratch_new();
    char made[4096];

    scratch_write(scratch, "docs/api.md", documents[_i].text);
    make(made, sizeof made, scratch, "docs/api.md");
    scratch_free(scratch);
    ck_assert_msg(strstr(made, documents[_i].part), "%s\n%s", documents[_i].part, made);
}
END_TEST

#define FIGURE(DIM) "![A.](/v1/rope?pos=0:4&dim=" DIM " \"cells\")\n"
#define TERMS "docs/learn/terms.md"
#define CHAPTER "docs/learn/order.md"
#define CHINESE "docs/learn/zh/order.md"
#define WORDS "docs/learn/zh/words.tsv"
#define RIGHT "# Title\n\n位置编码.\n\n" FIGURE("8")

static const struct {
    const char *translated, *words, *part;
} translations[] = {
    {RIGHT, "pair {}\t第 {} 对\n", "&quot;pair {}&quot;: &quot;第 {} 对&quot;"},
    {RIGHT, "", "guide_rows"},
    {RIGHT, "pair {}\t对\n", WORDS ": a translation has the holes {} of its word: pair {}\t对"},
    {RIGHT, "pair\n", WORDS ": a line has a word, a tab, and its translation, once: pair"},
    {RIGHT, "a\tb\na\tc\n", "a word, a tab, and its translation, once: a\tc"},
    {"# Title\n\n位置编码.\n\n" FIGURE("16"), "", CHINESE " has other figures than " CHAPTER},
    {"# Title\n\n编码.\n\n" FIGURE("8"), "", CHINESE " lacks the term 位置编码"},
    {NULL, "", "docs/learn/zh has not the chapters of docs/learn"},
};

START_TEST(a_chapter_has_a_translation_of_its_figures_and_its_terms)
{
    struct scratch *scratch = scratch_new();
    char made[8192];

    scratch_write(scratch, TERMS,
                  TOP "| English | Chinese | chapters | source |\n|---|---|---|---|\n"
                      "| positional encoding | 位置编码 | order | https://x.org |\n");
    scratch_write(scratch, CHAPTER, TOP FIGURE("8"));
    scratch_write(scratch, WORDS, translations[_i].words);
    if (translations[_i].translated)
        scratch_write(scratch, CHINESE, translations[_i].translated);
    make(made, sizeof made, scratch,
         translations[_i].translated ? TERMS " " CHAPTER " " CHINESE : TERMS " " CHAPTER);
    scratch_free(scratch);
    ck_assert_msg(strstr(made, translations[_i].part), "%s\n%s", translations[_i].part, made);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_document_becomes_a_page_or_the_build_fails, documents),
    TEST_EACH(a_chapter_has_a_translation_of_its_figures_and_its_terms, translations),
};

const struct suite make_guides_suite = {SUITE_TESTS(tests), .timeout = 30};
