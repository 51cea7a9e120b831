/* SPDX-License-Identifier: Apache-2.0
 * mask_say.c - compares two masks term by term: hidden keys, keys after the query, the window,
 * documents, queries that see nothing. */
#include "core/verify/solve/mask_say.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/verify/solve/mask_print.h"

struct saying {
    const struct mask_terms *found, *claimed;
    char *text;
    size_t size, len, count;
};

__attribute__((format(printf, 2, 3))) static void say(struct saying *saying, const char *format,
                                                      ...)
{
    va_list arguments;

    if (saying->len + 2 < saying->size)
        saying->len += (size_t)snprintf(saying->text + saying->len, saying->size - saying->len,
                                        "%s", saying->count > 0 ? "; " : "");
    va_start(arguments, format);
    if (saying->len + 1 < saying->size)
        saying->len += (size_t)vsnprintf(saying->text + saying->len, saying->size - saying->len,
                                         format, arguments);
    va_end(arguments);
    saying->count++;
}

/* ---- keys that are hidden ---------------------------------------------------------------- */

static bool is_reversed(const bool *one, const bool *other, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (one[i] != other[count - 1 - i])
            return false;
    return true;
}

/* Returns whether the keys that the claim hides see each other alone: they are a document. */
static bool is_padding_seen(const struct mask_terms *found, const struct mask_terms *claimed)
{
    const uint64_t hidden = mask_print_count(claimed->hidden, claimed->keys);
    uint32_t document = 0;
    uint64_t own = 0;

    for (uint64_t i = 0; i < found->keys; i++)
        if (claimed->hidden[i])
            document = found->document[i];
    for (uint64_t i = 0; i < found->keys; i++) {
        if ((found->document[i] == document) != claimed->hidden[i])
            return false;
        own += found->document[i] == document;
    }
    return hidden > 0 && own == hidden && hidden < claimed->keys;
}

static void say_hidden(struct saying *saying)
{
    const struct mask_terms *found = saying->found, *claimed = saying->claimed;
    const uint64_t keys = found->keys;
    const uint64_t hidden = mask_print_count(found->hidden, keys);
    const uint64_t meant = mask_print_count(claimed->hidden, keys);
    char list[MASK_PRINT_LIST], other[MASK_PRINT_LIST];

    mask_print_runs(found->hidden, keys, list);
    mask_print_runs(claimed->hidden, keys, other);
    if (found->turned & MASK_TURNED_PADDING)
        say(saying,
            "the padding is transposed: it hides all keys from queries %s, where it is right "
            "that no query sees those keys",
            list);
    if (memcmp(found->hidden, claimed->hidden, keys * sizeof *found->hidden) == 0)
        return;
    if (meant == 0)
        say(saying,
            "key%s %s %s hidden from every query, as padding is, where the claim hides none",
            hidden > 1 ? "s" : "", list, hidden > 1 ? "are" : "is");
    else if (hidden == 0)
        say(saying, "the padding is seen: the claim hides keys %s", other);
    else if (is_reversed(found->hidden, claimed->hidden, keys))
        say(saying,
            "the padding is on the other side: keys %s are hidden where keys %s are right",
            list, other);
    else
        say(saying, "keys %s are hidden, as padding is, where keys %s are right", list, other);
}

/* ---- keys after the query ---------------------------------------------------------------- */

static bool is_same_ahead(const struct mask_terms *found, const struct mask_terms *claimed)
{
    const enum mask_ahead one = mask_print_kind(found);

    if (one != mask_print_kind(claimed))
        return false;
    if (one == MASK_BLOCKS)
        return memcmp(found->block, claimed->block, found->keys * sizeof *found->block) == 0;
    return one == MASK_PREFIX ? mask_print_prefix(found) == mask_print_prefix(claimed)
                              : found->ahead == claimed->ahead;
}

/* Says the causal term where the blocks beside it are the claim's; false: they are not, or it
 * is the same. */
static bool say_causal(struct saying *saying)
{
    const struct mask_terms *found = saying->found, *claimed = saying->claimed;
    const int64_t by = found->ahead - claimed->ahead;

    if (claimed->ahead != 0 ||
        memcmp(found->block, claimed->block, found->keys * sizeof *found->block) != 0)
        return false;
    if (found->turned & MASK_TURNED_CAUSAL)
        say(saying,
            "the causal term is transposed: a query sees the keys after it where those before "
            "it are right");
    else if (by < 0 && found->offset == (uint64_t)-by)
        say(saying,
            "the causal diagonal is aligned top-left: the first query stands at key 0 where it "
            "stands at key %" PRIu64 " by the claim",
            found->offset);
    else if (by < 0)
        say(saying,
            "a query does not see its own key%s: the causal diagonal is shifted by %" PRId64,
            by < -1 ? ", nor those just before it" : "", by);
    else if (by > 0 && found->window != (uint64_t)by + 1 && by < (int64_t)found->keys)
        say(saying,
            "a query sees %" PRId64 " key%s after it, where the claim is causal: the causal "
            "diagonal is shifted by %" PRId64,
            by, by > 1 ? "s" : "", by);
    else if (by > 0 && mask_print_kind(claimed) != MASK_CAUSAL)
        say(saying, "every query sees all keys after it: the causal term is missing");
    else
        return false;
    return true;
}

static void say_ahead(struct saying *saying)
{
    const struct mask_terms *found = saying->found, *claimed = saying->claimed;
    const enum mask_ahead one = mask_print_kind(found), other = mask_print_kind(claimed);
    char is[2 * MASK_PRINT_LIST], meant[2 * MASK_PRINT_LIST];

    mask_print_ahead(found, is, sizeof is);
    mask_print_ahead(claimed, meant, sizeof meant);
    if (is_same_ahead(found, claimed) && !(found->turned & MASK_TURNED_CAUSAL))
        return;
    if (say_causal(saying))
        return;
    if (one == MASK_PREFIX && other == MASK_PREFIX)
        say(saying,
            "the prefix (or first block) has %" PRIu64 " keys where %" PRIu64 " is right",
            mask_print_prefix(found), mask_print_prefix(claimed));
    else if (other == MASK_CAUSAL)
        say(saying, "%s, where the claim is causal%s", is,
            one == MASK_ALL || one == MASK_DISTANCE ? ": the causal term is missing" : "");
    else if (one == MASK_CAUSAL)
        say(saying, "the mask is causal: the term is missing by which %s", meant);
    else
        say(saying, "%s, where it is right that %s", is, meant);
}

/* ---- earlier keys ------------------------------------------------------------------------ */

static void say_window(struct saying *saying)
{
    const struct mask_terms *found = saying->found, *claimed = saying->claimed;
    char list[MASK_PRINT_LIST];

    mask_print_blocks(found, list);
    if (found->turned & MASK_TURNED_WINDOW)
        say(saying,
            "the window of %" PRIu64 " keys is transposed: it bounds the keys after a query in "
            "place of those before it",
            found->window);
    if (found->window > 0 && claimed->window == 0)
        say(saying, "a window of %" PRIu64 " keys is added, where the claim has none",
            found->window);
    else if (found->window == 0 && claimed->window > 0)
        say(saying, "the window of %" PRIu64 " keys is missing: a query sees all before it",
            claimed->window);
    else if (found->window != claimed->window)
        say(saying, "the window has %" PRIu64 " keys where %" PRIu64 " is right", found->window,
            claimed->window);
    if (found->escapes != claimed->escapes && found->window > 0)
        say(saying,
            "the keys of a block (of one picture: %s) see each other %s the window of %" PRIu64,
            list,
            found->escapes ? "beyond the window too, where the claim bounds them by"
                           : "no farther than the window, where the claim lets them beyond",
            claimed->window > 0 ? claimed->window : found->window);
}

/* Returns by how much the documents of the one begin later, where all but the first and the
 * last have one length; 0: they are not shifted so. */
static uint64_t shift_of(const struct mask_terms *found, const struct mask_terms *claimed)
{
    uint64_t one = 1, other = 1;

    while (one < found->keys && found->document[one] == 0)
        one++;
    while (other < claimed->keys && claimed->document[other] == 0)
        other++;
    const uint64_t by = one < other ? one : one - other;
    for (uint64_t i = 1; i + by < found->keys && by > 0; i++)
        if ((found->document[i + by] != found->document[i + by - 1]) !=
            (claimed->document[i] != claimed->document[i - 1]))
            return 0;
    return by;
}

static void say_documents(struct saying *saying)
{
    const struct mask_terms *found = saying->found, *claimed = saying->claimed;
    const uint64_t shift = shift_of(found, claimed);
    char is[MASK_PRINT_LIST], meant[MASK_PRINT_LIST];

    mask_print_lengths(found, is);
    mask_print_lengths(claimed, meant);
    if (memcmp(found->document, claimed->document, found->keys * sizeof *found->document) == 0)
        return;
    if (mask_print_document_count(claimed) == 1)
        say(saying,
            "tokens see their own document alone, of documents (or chunks) of %s tokens, where "
            "the claim has none",
            is);
    else if (mask_print_document_count(found) == 1)
        say(saying, "tokens see other documents (or chunks), where the claim has those of %s",
            meant);
    else if (shift > 0)
        say(saying,
            "the chunks (or documents) are shifted by %" PRIu64
            ": their lengths are %s where %s is right",
            shift, is, meant);
    else
        say(saying, "the documents (or chunks) have the lengths %s where %s is right", is,
            meant);
}

static void say_empty(struct saying *saying)
{
    const struct mask_terms *found = saying->found, *claimed = saying->claimed;
    char list[MASK_PRINT_LIST];

    mask_print_runs(found->empty, found->queries, list);
    if (memcmp(found->empty, claimed->empty, found->queries * sizeof *found->empty) == 0)
        return;
    if (mask_print_count(found->empty, found->queries) > 0)
        say(saying,
            "the rows of queries %s see no key, as if they were never written or padding",
            list);
    else
        say(saying, "queries see keys that see none by the claim");
}

size_t mask_say(const struct mask_terms *found, const struct mask_terms *claimed, char *text,
                size_t size)
{
    struct saying saying = {found, claimed, text, size, 0, 0};

    text[0] = '\0';
    if (is_padding_seen(found, claimed)) {
        char list[MASK_PRINT_LIST];

        mask_print_runs(claimed->hidden, claimed->keys, list);
        say(&saying,
            "padding sees padding: keys %s see each other, where the claim hides them from "
            "every query",
            list);
        return saying.count;
    }
    say_empty(&saying);
    say_hidden(&saying);
    say_ahead(&saying);
    say_window(&saying);
    say_documents(&saying);
    return saying.count;
}

void mask_say_terms(const struct mask_terms *terms, char *text, size_t size)
{
    char list[MASK_PRINT_LIST];
    size_t len;

    mask_print_ahead(terms, text, size);
    len = strlen(text);
    if (terms->window > 0 && len < size)
        len += (size_t)snprintf(text + len, size - len, "; window %" PRIu64, terms->window);
    if (mask_print_document_count(terms) > 1 && len < size) {
        mask_print_lengths(terms, list);
        len += (size_t)snprintf(text + len, size - len, "; documents %s", list);
    }
    if (mask_print_count(terms->hidden, terms->keys) > 0 && len < size) {
        mask_print_runs(terms->hidden, terms->keys, list);
        snprintf(text + len, size - len, "; keys %s hidden", list);
    }
}
