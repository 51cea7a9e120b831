/* SPDX-License-Identifier: Apache-2.0
 * web.c - requests through libcurl. */
#include "tests/support/web.h"

#include <check.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct web {
    CURL *curl;
    char base[64];
};

struct upload {
    const char *bytes;
    size_t len, at;
};

struct web *web_new(const char *base_url)
{
    struct web *web = calloc(1, sizeof *web);

    ck_assert_ptr_nonnull(web);
    web->curl = curl_easy_init();
    ck_assert_ptr_nonnull(web->curl);
    snprintf(web->base, sizeof web->base, "%s", base_url);
    return web;
}

void web_free(struct web *web)
{
    curl_easy_cleanup(web->curl);
    free(web);
}

static size_t grow(char **text, size_t *len, const char *bytes, size_t count)
{
    char *more = realloc(*text, *len + count + 1);

    ck_assert_ptr_nonnull(more);
    memcpy(more + *len, bytes, count);
    *text = more;
    *len += count;
    more[*len] = '\0';
    return count;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
    struct answer *answer = context;

    return grow(&answer->body, &answer->len, bytes, size * count);
}

static size_t on_head(char *bytes, size_t size, size_t count, void *context)
{
    struct answer *answer = context;
    size_t len = answer->head ? strlen(answer->head) : 0;

    if (count > 5 && memcmp(bytes, "HTTP/", 5) == 0)
        len = 0; /* an interim answer came before */
    return grow(&answer->head, &len, bytes, size * count);
}

static size_t on_upload(char *out, size_t size, size_t count, void *context)
{
    struct upload *upload = context;
    size_t left = upload->len - upload->at;
    size_t now = size * count < left ? size * count : left;

    memcpy(out, upload->bytes + upload->at, now);
    upload->at += now;
    return now;
}

static void set_method(CURL *curl, const struct ask *ask)
{
    if (!ask->method)
        return;
    if (strcmp(ask->method, "HEAD") == 0)
        curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    else
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ask->method);
}

static struct curl_slist *make_headers(const struct ask *ask)
{
    /* libcurl would add these headers by itself; a test sends only its own */
    struct curl_slist *list = curl_slist_append(NULL, "Accept:");
    bool typed = false, expects = false;
    for (size_t i = 0; ask->headers && ask->headers[i]; i++) {
        list = curl_slist_append(list, ask->headers[i]);
        typed |= strncasecmp(ask->headers[i], "Content-Type", 12) == 0;
        expects |= strncasecmp(ask->headers[i], "Expect:", 7) == 0;
    }
    if (!typed)
        list = curl_slist_append(list, "Content-Type:");
    if (!expects)
        list = curl_slist_append(list, "Expect:");
    if (ask->chunked)
        list = curl_slist_append(list, "Transfer-Encoding: chunked");
    return list;
}

void web_ask(struct web *web, const struct ask *ask, struct answer *answer)
{
    CURL *curl = web->curl;
    char url[65536], error[CURL_ERROR_SIZE] = "";
    struct upload upload = {.bytes = ask->body};

    answer_fini(answer);
    curl_easy_reset(curl);
    snprintf(url, sizeof url, "%s%s", web->base, ask->target);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 60L);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_head);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, answer);
    if (ask->body) {
        upload.len = ask->body_len != 0 ? ask->body_len : strlen(ask->body);
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_upload);
        curl_easy_setopt(curl, CURLOPT_READDATA, &upload);
        if (!ask->chunked)
            curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)upload.len);
    }
    set_method(curl, ask);
    struct curl_slist *headers = make_headers(ask);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    CURLcode code = curl_easy_perform(curl);
    ck_assert_msg(code == CURLE_OK, "%s %s: %s", ask->method ? ask->method : "GET", ask->target,
                  error[0] != '\0' ? error : curl_easy_strerror(code));
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
    curl_easy_getinfo(curl, CURLINFO_NUM_CONNECTS, &answer->connects);
    curl_slist_free_all(headers);
    if (!answer->body)
        grow(&answer->body, &answer->len, "", 0);
}

void web_get(struct web *web, const char *target, struct answer *answer)
{
    web_ask(web, &(struct ask){.target = target}, answer);
}

void answer_fini(struct answer *answer)
{
    free(answer->body);
    free(answer->head);
    *answer = (struct answer){0};
}

const char *answer_header(struct answer *answer, const char *name)
{
    const char *found = NULL;
    size_t name_len = strlen(name);

    for (const char *line = answer->head; line && *line != '\0';) {
        const char *end = strstr(line, "\r\n");

        ck_assert_ptr_nonnull(end);
        if (strncasecmp(line, name, name_len) == 0 && line[name_len] == ':') {
            ck_assert_msg(!found, "%s is there twice:\n%s", name, answer->head);
            const char *value = line + name_len + 1;
            value += strspn(value, " \t");
            snprintf(answer->value, sizeof answer->value, "%.*s", (int)(end - value), value);
            found = answer->value;
        }
        line = end + 2;
    }
    return found;
}
