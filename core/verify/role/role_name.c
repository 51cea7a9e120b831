/* SPDX-License-Identifier: Apache-2.0
 * role_name.c - see role_name.h. Ends of the name are looked up first, the longest first, and
 * then its words by themselves, the last first. */
#include "core/verify/role/role_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/args/args.h"
#include "core/posenc_verify.h"

enum { NAME_MAX_LEN = 120 }; /* the end of a longer name is read */

struct role_word {
    const char *word;
    enum role_kind kind;
    const char *means;
};

static const struct role_word words[] = {
#define ROLE_WORD(WORD, KIND, MEANS) {WORD, ROLE_##KIND, MEANS},
#include "core/verify/role/role_words.def"
#undef ROLE_WORD
};

/* Ends of names that say how a tensor is kept, not what it is. */
static const char *const ends[] = {".weight", "_cached", "_cache", "_table", "_buffer"};

static const struct pe_output *find_output(const struct pe_encoding *enc, const char *name)
{
    const size_t output = args_find_output(enc, name);

    return output == SIZE_MAX ? NULL : &enc->outputs[output];
}

static bool takes_numbers(const struct pe_param *param)
{
    return param->type == PE_TENSOR || param->type == PE_REALS || param->type == PE_POSITIONS;
}

/* Returns the parameter of that name which takes numbers; vectors only, where `vectors`. */
static const struct pe_param *find_param(const struct pe_encoding *enc, const char *name,
                                         bool vectors)
{
    const size_t param = args_find(enc, name, strlen(name));

    if (param == SIZE_MAX || !takes_numbers(&enc->params[param]) ||
        (vectors && enc->params[param].type != PE_TENSOR))
        return NULL;
    return &enc->params[param];
}

/* Finds the first of the names, joined by spaces, that is an output, or else a parameter. */
static struct role_name choose(const struct pe_encoding *enc, const char *means)
{
    struct role_name found = {.kind = ROLE_UNKNOWN};
    char name[NAME_MAX_LEN];

    for (const char *at = means; *at; at += strspn(at, " ")) {
        const size_t len = strcspn(at, " ");

        snprintf(name, sizeof name, "%.*s", (int)len, at);
        at += len;
        if (strcmp(name, "cos+sin") == 0 && find_output(enc, "cos") && find_output(enc, "sin"))
            return (struct role_name){.kind = ROLE_BOTH};
        if (find_output(enc, name))
            return (struct role_name){.kind = ROLE_OUTPUT, .output = find_output(enc, name)};
        if (found.kind == ROLE_UNKNOWN && find_param(enc, name, false))
            found =
                (struct role_name){.kind = ROLE_OUTPUT, .param = find_param(enc, name, false)};
    }
    return found;
}

/* Returns what a word means for the encoding. */
static struct role_name meaning(const struct pe_encoding *enc, const struct role_word *word,
                                bool turned)
{
    struct role_name found = {.kind = word->kind};

    switch (word->kind) {
    case ROLE_BOTH:
        if (!find_output(enc, "cos") || !find_output(enc, "sin"))
            found.kind = ROLE_UNKNOWN;
        found.output = found.kind == ROLE_BOTH ? find_output(enc, word->means) : NULL;
        return found;
    case ROLE_BEFORE:
    case ROLE_AFTER:
        found.param = find_param(enc, word->means, true);
        found.output = find_output(enc, word->means);
        found.kind = !found.param                         ? ROLE_UNKNOWN
                     : turned || word->kind == ROLE_AFTER ? ROLE_AFTER
                                                          : ROLE_BEFORE;
        if (found.kind == ROLE_AFTER && !found.output)
            found.kind = ROLE_UNKNOWN;
        return found;
    case ROLE_OUTPUT:
        return choose(enc, word->means);
    case ROLE_TURNED:
    case ROLE_UNKNOWN:
        break;
    }
    return (struct role_name){.kind = ROLE_UNKNOWN};
}

static const struct role_word *find_word(const char *text, size_t len)
{
    for (size_t i = 0; i < PE_LEN(words); i++)
        if (strlen(words[i].word) == len && memcmp(words[i].word, text, len) == 0)
            return &words[i];
    return NULL;
}

/* Writes the end of the name in small letters, with "." between its parts. */
static void simplify(char text[NAME_MAX_LEN], const char *name)
{
    const size_t len = strlen(name);
    const char *from = len < NAME_MAX_LEN ? name : name + len - (NAME_MAX_LEN - 1);
    size_t used = 0;

    for (; *from; from++)
        text[used++] = strchr("/:[]() ", *from) ? '.' : (char)tolower((unsigned char)*from);
    text[used] = '\0';
}

/* Returns the length of the text without what says how the tensor is kept. */
static size_t kept_length(const char *text)
{
    size_t len = strlen(text);

    for (size_t i = 0; i < PE_LEN(ends); i++) {
        const size_t end = strlen(ends[i]);

        if (len > end && memcmp(text + len - end, ends[i], end) == 0)
            len -= end;
    }
    return len;
}

/* Returns the start of the next part or word behind `at`; NULL: there is none. */
static const char *next_start(const char *at)
{
    at = strpbrk(at, "._-");
    return at ? at + 1 : NULL;
}

static bool has_turned(const char *text)
{
    for (const char *at = text; at; at = next_start(at)) {
        const struct role_word *word = find_word(at, strcspn(at, "._-"));

        if (word && word->kind == ROLE_TURNED)
            return true;
    }
    return false;
}

/* Returns the last part of a name that is a word by itself: "q_rot" of "attn.q_rot". */
static const char *last_part(const char *text)
{
    const char *dot = strrchr(text, '.');

    return dot && dot[1] != '\0' ? dot + 1 : text;
}

/* Looks up the end of a name, and the same without how it is kept. */
static struct role_name of_end(const struct pe_encoding *enc, const char *at)
{
    const struct role_word *word = find_word(at, strlen(at));

    if (!word)
        word = find_word(at, kept_length(at));
    return word ? meaning(enc, word, false) : (struct role_name){.kind = ROLE_UNKNOWN};
}

struct role_name role_name_read(const struct pe_encoding *enc, const char *name)
{
    struct role_name found = {.kind = ROLE_UNKNOWN};
    char text[NAME_MAX_LEN];

    simplify(text, name);
    for (const char *at = text; at && found.kind == ROLE_UNKNOWN; at = next_start(at))
        found = of_end(enc, at);
    if (found.kind != ROLE_UNKNOWN && found.kind != ROLE_BEFORE)
        return found;
    const bool turned = has_turned(last_part(text));
    for (const char *at = last_part(text); at; at = next_start(at)) {
        const struct role_word *word = find_word(at, strcspn(at, "._-"));
        const struct role_name one =
            word ? meaning(enc, word, turned) : (struct role_name){.kind = ROLE_UNKNOWN};

        if (one.kind != ROLE_UNKNOWN)
            found = one;
    }
    return found;
}

bool pe_verify_is_named(const struct pe_encoding *enc, const char *name)
{
    const struct role_name read = role_name_read(enc, name);

    return args_find_output(enc, name) != SIZE_MAX || (read.kind != ROLE_BOTH && read.output);
}
