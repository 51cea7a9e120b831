/* SPDX-License-Identifier: Apache-2.0
 * names.c - finds what a name means: in names.def, whatever the encoding; in spellings.def,
 * where a parameter has another name as well. */
#include "core/args/names.h"

#include <assert.h>
#include <string.h>

#include "core/args/args.h"

/* A row of names.def. */
struct name {
    const char *name;
    const char *types; /* "integer", "positions or tensor", in the words of the catalogue */
    enum pe_group group;
    enum pe_level level;
    const char *meaning; /* half a sentence */
};

static const struct name names[] = {
#define NAME(NAME, TYPES, GROUP, LEVEL, MEANING)                                               \
    {NAME, TYPES, PE_GROUP_##GROUP, PE_##LEVEL, MEANING},
#include "core/args/names.def"
#undef NAME
};

static const struct name *find(const char *name)
{
    for (size_t i = 0; i < PE_LEN(names); i++)
        if (strcmp(names[i].name, name) == 0)
            return &names[i];
    return NULL;
}

const char *pe_param_summary(const struct pe_param *param)
{
    const struct name *shared = param->summary ? NULL : find(param->name);

    return shared ? shared->meaning : param->summary;
}

enum pe_group pe_param_group(const struct pe_param *param)
{
    const struct name *shared = param->group ? NULL : find(param->name);

    return shared ? shared->group : param->group;
}

enum pe_level pe_param_level(const struct pe_param *param)
{
    const struct name *shared = param->level ? NULL : find(param->name);

    return shared ? shared->level : param->level;
}

const char *pe_group_name(enum pe_group group)
{
    static const char *const words[] = {
        [PE_GROUP_UNSET] = "",
        [PE_GROUP_POSITIONS] = "positions",
        [PE_GROUP_SHAPE] = "shape",
        [PE_GROUP_FREQUENCIES] = "frequencies",
        [PE_GROUP_DISTANCE] = "distance",
        [PE_GROUP_CONVENTION] = "convention",
        [PE_GROUP_MASK] = "mask",
        [PE_GROUP_WEIGHTS] = "weights",
        [PE_GROUP_VECTORS] = "vectors",
        [PE_GROUP_ARITHMETIC] = "arithmetic",
    };

    return words[group];
}

const char *pe_level_name(enum pe_level level)
{
    static const char *const words[] = {"", "basic", "advanced"};

    return words[level];
}

/* ---- other spellings --------------------------------------------------------------------- */

static const struct pe_spelling spellings[] = {
#define OLD(NAME, NEW, ...) {NAME, NEW, PE_WORDS(__VA_ARGS__), true},
#define ALSO(NAME, OURS, ...) {NAME, OURS, PE_WORDS(__VA_ARGS__), false},
#include "core/args/spellings.def"
#undef ALSO
#undef OLD
};

size_t names_spelling_count(void)
{
    return PE_LEN(spellings);
}

const struct pe_spelling *names_spelling_at(size_t i)
{
    assert(i < PE_LEN(spellings));
    return &spellings[i];
}

/* Returns whether a word of the row names the encoding: "rope" also names rope/apply, "mask/"
 * names the family, "*" names all. */
static bool names_encoding(const char *word, const struct pe_encoding *enc)
{
    const char *family = pe_family_name(enc->family);
    size_t len = strlen(word), family_len = strlen(family);

    if (strcmp(word, "*") == 0)
        return true;
    if (word[len - 1] == '/')
        return len - 1 == family_len && memcmp(word, family, family_len) == 0;
    return strncmp(enc->name, word, len) == 0 &&
           (enc->name[len] == '\0' || strcmp(enc->name + len, "/apply") == 0);
}

static bool is_for(const struct pe_spelling *spelling, const struct pe_encoding *enc)
{
    for (const char *const *word = spelling->encodings; *word; word++)
        if (names_encoding(*word, enc))
            return true;
    return false;
}

const struct pe_spelling *pe_spelling_find(const struct pe_encoding *enc, const char *name,
                                           size_t len)
{
    if (args_find(enc, name, len) != SIZE_MAX)
        return NULL;
    for (size_t i = 0; i < PE_LEN(spellings); i++) {
        const struct pe_spelling *spelling = &spellings[i];

        if (args_parse_is(spelling->name, name, len) && is_for(spelling, enc) &&
            args_find(enc, spelling->means, strlen(spelling->means)) != SIZE_MAX)
            return spelling;
    }
    return NULL;
}
