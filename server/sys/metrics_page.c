/* SPDX-License-Identifier: Apache-2.0
 * metrics_page.c - see metrics_page.h. */
#include "server/sys/metrics_page.h"

#include <inttypes.h>

static const struct {
    const char *name, *type, *help;
} families[FAMILY_COUNT] = {
#define FAMILY(ID, NAME, TYPE, HELP) [FAMILY_##ID] = {"posencd_" NAME, TYPE, HELP},
#include "server/sys/metrics.def"
};
static const struct {
    enum metrics_family family;
    const char *name;
} aliases[] = {
#define FAMILY_ALIAS(ID, NAME) {FAMILY_##ID, "posencd_" NAME},
#include "server/sys/metrics.def"
};

void metrics_page_begin(struct metrics_page *page, enum metrics_family family)
{
    page->name = families[family].name;
    buffer_add_format(page->out, "# HELP %s %s\n# TYPE %s %s\n", page->name,
                      families[family].help, page->name, families[family].type);
}

void metrics_page_sample(struct metrics_page *page, const char *label, const char *value,
                         uint64_t number)
{
    buffer_add_format(page->out, "%s{%s=\"%s\"} %" PRIu64 "\n", page->name, label, value,
                      number);
}

void metrics_page_number(struct metrics_page *page, enum metrics_family family, uint64_t number)
{
    metrics_page_begin(page, family);
    buffer_add_format(page->out, "%s %" PRIu64 "\n", page->name, number);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (aliases[i].family == family)
            buffer_add_format(page->out,
                              "# HELP %s Deprecated: now %s.\n# TYPE %s %s\n%s %" PRIu64 "\n",
                              aliases[i].name, page->name, aliases[i].name,
                              families[family].type, aliases[i].name, number);
}
