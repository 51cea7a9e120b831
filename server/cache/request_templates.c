/* SPDX-License-Identifier: Apache-2.0
 * request_templates.c - see request_templates.h. */
#include "server/cache/request_templates.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "proto/request/request.h"

struct place {
    char *bytes; /* the key's, malloc'd; NULL: the place is free */
    size_t len;
    unsigned generation;
    bool unsuited;         /* the requests of this key cannot be templates */
    struct request *model; /* NULL: the key came once */
};

struct request_templates {
    struct place at[REQUEST_TEMPLATES_MAX];
};

struct request_templates *request_templates_new(void)
{
    return calloc(1, sizeof(struct request_templates));
}

static void clear(struct place *place)
{
    free(place->bytes);
    request_free(place->model);
    *place = (struct place){0};
}

void request_templates_free(struct request_templates *templates)
{
    for (size_t i = 0; templates && i < REQUEST_TEMPLATES_MAX; i++)
        clear(&templates->at[i]);
    free(templates);
}

/* Finds the value of `pos` in a query; NULL: there is none. */
static const char *find_positions(const char *query, size_t len)
{
    static const char name[] = "pos=";
    const size_t name_len = sizeof name - 1;

    for (const char *at = query, *end = query + len; at;) {
        if ((size_t)(end - at) > name_len && memcmp(at, name, name_len) == 0)
            return at + name_len;
        at = memchr(at, '&', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return NULL;
}

static bool add(struct request_templates_key *key, const char *bytes, size_t len)
{
    if (len > sizeof key->bytes - key->len)
        return false;
    memcpy(key->bytes + key->len, bytes, len);
    key->len += len;
    return true;
}

bool request_templates_key(struct request_templates_key *key, const char *name, size_t name_len,
                           const char *query, size_t query_len, const char *accept,
                           unsigned generation)
{
    const char *position = query ? find_positions(query, query_len) : NULL;
    const char *end = query ? query + query_len : NULL, *after;

    if (!position)
        return false;
    after = memchr(position, '&', (size_t)(end - position));
    after = after ? after : end;
    key->len = 0;
    key->position = position;
    key->position_len = (size_t)(after - position);
    key->generation = generation;
    return key->position_len > 0 && !memchr(position, '%', key->position_len) &&
           add(key, name, name_len) && add(key, "?", 1) &&
           add(key, query, (size_t)(position - query)) &&
           add(key, after, (size_t)(end - after)) && add(key, " ", 1) &&
           (!accept || add(key, accept, strlen(accept)));
}

static struct place *find_place(struct request_templates *templates,
                                const struct request_templates_key *key)
{
    return &templates->at[XXH3_64bits(key->bytes, key->len) % REQUEST_TEMPLATES_MAX];
}

static bool is_of(const struct place *place, const struct request_templates_key *key)
{
    return place->bytes && place->len == key->len && place->generation == key->generation &&
           memcmp(place->bytes, key->bytes, key->len) == 0;
}

/* Notes that the key came once. Without memory it is as if the key had not come. */
static void note(struct place *place, const struct request_templates_key *key)
{
    clear(place);
    place->bytes = malloc(key->len);
    if (!place->bytes)
        return;
    memcpy(place->bytes, key->bytes, key->len);
    place->len = key->len;
    place->generation = key->generation;
}

struct request *request_templates_find(struct request_templates *templates,
                                       const struct request_templates_key *key, bool *wanted)
{
    struct place *place = find_place(templates, key);

    *wanted = false;
    if (!is_of(place, key)) {
        note(place, key);
        return NULL;
    }
    if (place->model)
        return request_at(place->model, key->position, key->position_len);
    *wanted = !place->unsuited;
    return NULL;
}

/* Returns whether the template with the key's own positions is the request that was read. It is
 * not where the query gives positions a second time, or where other values follow from them. */
static bool is_faithful(const struct request *model, const struct request_templates_key *key,
                        const struct request *request)
{
    struct request *moved = request_at(model, key->position, key->position_len);
    size_t len, moved_len = 0;
    const char *text = request_key(request, CONTENT_CODING_IDENTITY, &len);
    const char *moved_text =
        moved ? request_key(moved, CONTENT_CODING_IDENTITY, &moved_len) : NULL;
    const bool same = moved && len == moved_len && memcmp(text, moved_text, len) == 0;

    request_free(moved);
    return same;
}

void request_templates_add(struct request_templates *templates,
                           const struct request_templates_key *key,
                           const struct request *request)
{
    struct place *place = find_place(templates, key);

    if (!is_of(place, key) || place->model)
        return;
    place->model = request_copy(request);
    if (place->model && !is_faithful(place->model, key, request)) {
        request_free(place->model);
        place->model = NULL;
    }
    place->unsuited = !place->model;
}
