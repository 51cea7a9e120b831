/* SPDX-License-Identifier: Apache-2.0
 * posenc.c - a client of posencd to copy: tables, rotated vectors and pictures as C arrays.
 *
 *     cc posenc.c -lcurl -o posenc && POSENC_URL=http://localhost:8080 ./posenc
 *     ./posenc '/v1/rope?dim=8&pos=0:4&out=cos'      prints the numbers of any such URL */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    char *at; /* ends with a NUL that len does not count; the caller frees it */
    size_t len;
};

static size_t append(char *data, size_t size, size_t count, void *to)
{
    struct bytes *bytes = to;
    char *grown = realloc(bytes->at, bytes->len + size * count + 1);

    if (!grown)
        return 0;
    memcpy(grown + bytes->len, data, size * count);
    *bytes = (struct bytes){grown, bytes->len + size * count};
    grown[bytes->len] = '\0';
    return size * count;
}

/* Sends GET, or POST where there is a body; ends with the service's problem if it says no. */
static struct bytes ask(const char *target, const char *type, const void *body, size_t len)
{
    const char *base = getenv("POSENC_URL");
    struct bytes answer = {calloc(1, 1), 0};
    struct curl_slist *headers = NULL;
    CURL *curl = curl_easy_init();
    char url[4096];
    long status = 0;

    snprintf(url, sizeof url, "%s%s", base ? base : "http://localhost:8080", target);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 30L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
    if (body) {
        headers = curl_slist_append(headers, type);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
    }
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    if (code != CURLE_OK || status != 200) {
        fprintf(stderr, "posenc: %s\n", code ? curl_easy_strerror(code) : answer.at);
        exit(1);
    }
    return answer;
}

/* Prints a tensor of float32: little-endian bytes, C order. rows: vectors to post, or NULL. */
static void print_numbers(const char *name, const char *target, const float *rows, size_t len)
{
    char url[4096];
    float number;

    snprintf(url, sizeof url, "%s&dtype=f32&format=raw", target);
    struct bytes answer = ask(url, "Content-Type: application/octet-stream", rows, len);
    fputs(name, stdout);
    for (size_t i = 0; i + sizeof number <= answer.len; i += sizeof number)
        printf(" %.9g", (double)*(float *)memcpy(&number, answer.at + i, sizeof number));
    printf("\n");
    free(answer.at);
}

int main(int argc, char *argv[])
{
    const float q[] = {1, 2, 3, 4, 5, 6, 7, 8}, k[] = {1, 0, 0, 1, 0, 1, 1, 0};
    const char *rotate = "/v1/rope/apply?pos=0:2&shape=2,4&in_dtype=f32";
    const char *config = "{\"model_type\":\"llama\",\"head_dim\":8,\"rope_theta\":500000}";
    char table[4096];

    print_numbers(argc > 1 ? "numbers" : "row",
                  argc > 1 ? argv[1] : "/v1/sinusoidal?dim=8&pos=3", NULL, 0);
    if (argc > 1)
        return 0;
    print_numbers("table", "/v1/rope?dim=8&pos=0:4&out=cos", NULL, 0);
    print_numbers("q", rotate, q, sizeof q);
    print_numbers("k", rotate, k, sizeof k);
    struct bytes picture = ask("/v1/alibi?heads=8&len=64&format=png", NULL, NULL, 0);
    FILE *file = fopen("alibi.png", "wb");
    if (!file || fwrite(picture.at, 1, picture.len, file) != picture.len || fclose(file) != 0)
        return 1;
    struct bytes model =
        ask("/v1/models/resolve", "Content-Type: application/json", config, strlen(config));
    const char *url = strstr(model.at, "/v1/"); /* the first URL of the first use */
    snprintf(table, sizeof table, "%.*s&out=cos", url ? (int)strcspn(url, "\"") : 0, url);
    print_numbers("config", table, NULL, 0);
}
