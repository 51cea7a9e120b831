/* SPDX-License-Identifier: Apache-2.0
 * inference_path.c - see inference_path.h. */
#include "proto/inference/inference_path.h"

#include <stdio.h>
#include <string.h>

#include "core/posenc.h"

static const char root[] = "/v2", models[] = "/v2/models/", versions[] = "versions/";

static bool begins(const char *text, size_t len, const char *start)
{
    return len >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

bool inference_path_is(const char *path, size_t len, const char *prefix)
{
    size_t skip = prefix ? strlen(prefix) : 0;

    if (!path || !begins(path, len, prefix ? prefix : ""))
        return false;
    path += skip;
    len -= skip;
    return begins(path, len, root) && (len == sizeof root - 1 || path[sizeof root - 1] == '/' ||
                                       path[sizeof root - 1] == '?');
}

struct inference_path inference_path_read(const char *segment, size_t len)
{
    const char *slash = memchr(segment, '/', len), *end = segment + len;
    struct inference_path parts = {.name = segment,
                                   .name_len = slash ? (size_t)(slash - segment) : len};

    if (!slash || !begins(slash + 1, (size_t)(end - slash - 1), versions))
        return parts;
    parts.version = slash + sizeof versions;
    slash = memchr(parts.version, '/', (size_t)(end - parts.version));
    parts.version_len = (size_t)((slash ? slash : end) - parts.version);
    return parts;
}

const char *inference_path_suggest(const char *path, size_t len,
                                   char name[INFERENCE_PATH_NAME_SIZE])
{
    if (!begins(path, len, models))
        return NULL;
    path += sizeof models - 1;
    len -= sizeof models - 1;
    const char *slash = memchr(path, '/', len);
    if (!slash || !pe_find(path, (size_t)(slash - path)))
        return NULL;
    const char *rest = slash + 1, *end = path + len;
    const char *next = memchr(rest, '/', (size_t)(end - rest));
    size_t rest_len = (size_t)((next ? next : end) - rest);
    if (rest_len == 0)
        return NULL;
    snprintf(name, INFERENCE_PATH_NAME_SIZE, "%.*s.%.*s", (int)(slash - path), path,
             (int)(rest_len < 40 ? rest_len : 40), rest);
    return name;
}
