/* SPDX-License-Identifier: Apache-2.0
 * test_hub_names.c - the names of hub_names.list: repositories are found, and the right one
 * is among the three nearest to a misspelt name. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "proto/models/models.h"
#include "tests/support/suite.h"

enum { NAME_SIZE = 128, FOUND_MIN = 220, MISSPELT_MIN = 20 };

#define ARROW " -> "

/* Returns the model, by its name in the case that `fold` gives to a letter of a place. */
static const struct model *find(const char *name, int (*fold)(int letter, size_t place))
{
    char text[NAME_SIZE];
    size_t len = strlen(name);

    ck_assert_uint_lt(len, sizeof text);
    for (size_t i = 0; i <= len; i++)
        text[i] = (char)fold((unsigned char)name[i], i);
    return models_find(models_embedded(), text, len);
}

static int as_it_is(int letter, size_t place)
{
    return letter;
}

static int upper(int letter, size_t place)
{
    return toupper(letter);
}

static int every_other(int letter, size_t place)
{
    return place % 2 == 0 ? toupper(letter) : tolower(letter);
}

static void expect_found(const char *name)
{
    const struct model *model = find(name, as_it_is);
    const char *slash = strchr(name, '/');

    ck_assert_msg(model != NULL, "no model is called %s", name);
    ck_assert_msg(slash != NULL, "%s has no organisation", name);
    for (int with = 0; with < 2; with++) {
        const char *part = with ? name : slash + 1;

        ck_assert_msg(find(part, as_it_is) == model, "%s", part);
        ck_assert_msg(find(part, upper) == model, "%s in capitals", part);
        ck_assert_msg(find(part, every_other) == model, "%s in mixed case", part);
    }
}

static void expect_near(const char *misspelt, const char *right)
{
    const struct model *model = find(right, as_it_is);
    const char *ids[MODELS_NEAR];
    bool told = false;

    ck_assert_msg(model != NULL, "no model is called %s", right);
    ck_assert_msg(!find(misspelt, as_it_is), "%s is a model", misspelt);
    const size_t count = models_nearest(models_embedded(), misspelt, strlen(misspelt), ids);
    for (size_t i = 0; i < count; i++)
        told |= strcmp(ids[i], model->id) == 0;
    ck_assert_msg(told, "%s is told %s, not %s", misspelt, count > 0 ? ids[0] : "nothing",
                  model->id);
}

/* Calls the check of each line; returns how many names and misspelt names there are. */
static void read_list(size_t *names, size_t *misspelt)
{
    FILE *file = fopen("tests/proto/models/hub_names.list", "re");
    char line[2 * NAME_SIZE];

    ck_assert_ptr_nonnull(file);
    *names = *misspelt = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *arrow = strstr(line, ARROW);

        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (arrow) {
            *arrow = '\0';
            expect_near(line, arrow + strlen(ARROW));
            ++*misspelt;
        } else {
            expect_found(line);
            ++*names;
        }
    }
    fclose(file);
}

START_TEST(names_of_the_hub_are_found_and_misspelt_ones_are_told_the_right_one)
{
    size_t names, misspelt;

    read_list(&names, &misspelt);
    ck_assert_uint_ge(names, FOUND_MIN);
    ck_assert_uint_ge(misspelt, MISSPELT_MIN);
}
END_TEST

SUITE(hub_names, TEST(names_of_the_hub_are_found_and_misspelt_ones_are_told_the_right_one));
