/* SPDX-License-Identifier: Apache-2.0
 * posenc.c - a client of posencd to copy: tables, rotated vectors and pictures as C arrays.
 *
 *     cc posenc.c -lcurl -o posenc && POSENC_URL=http://localhost:8080 ./posenc
 *     ./posenc '/v1/rope?dim=8&pos=0:4&out=cos'      prints the numbers of any such URL */
#define _POSIX_C_SOURCE 200809L
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { URL_MAX = 4096, ATTEMPTS = 4, PATIENCE = 30 /* seconds */ };
struct bytes {
    char *at; /* ends with a NUL that len does not count; the caller frees it */
    size_t len;
};

static void fail(const char *why)
{
    fprintf(stderr, "posenc: %s\n", why);
    exit(1);
}

/* Sends GET, or POST where there is a body, and again where the service is overloaded, after the
 * time that it asks for. Ends the program with the service's problem where it says no. */
static struct bytes ask(const char *target, const char *type, const void *body, size_t len)
{
    const char *base = getenv("POSENC_URL");
    struct curl_slist *headers = curl_slist_append(NULL, body ? type : "Accept: */*");
    struct bytes answer = {NULL, 0};
    CURL *curl = curl_easy_init();
    CURLcode code = CURLE_OK;
    char url[URL_MAX];
    long status = 503;
    curl_off_t wait = 0;
    snprintf(url, sizeof url, "%s%s", base ? base : "http://localhost:8080", target);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)PATIENCE);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
    if (body)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    for (int i = 0; i < ATTEMPTS && status == 503 && wait <= PATIENCE && !code; i++) {
        sleep((unsigned)wait);
        free(answer.at);
        FILE *file = open_memstream(&answer.at, &answer.len);
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, file);
        code = file ? curl_easy_perform(curl) : CURLE_OUT_OF_MEMORY;
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &wait);
        if (file && fclose(file) != 0)
            code = CURLE_OUT_OF_MEMORY;
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    if (code != CURLE_OK || status != 200)
        fail(code ? curl_easy_strerror(code) : answer.at);
    return answer;
}

/* Prints a tensor of float32: little-endian bytes, C order. rows: vectors to post, or NULL. */
static void print_numbers(const char *name, const char *target, const float *rows, size_t len)
{
    char url[URL_MAX];
    snprintf(url, sizeof url, "%s&dtype=f32&format=raw", target);
    struct bytes answer = ask(url, "Content-Type: application/octet-stream", rows, len);
    const float *table = (const void *)answer.at; /* aligned for any type, as all of malloc's */
    printf("%s", name);
    for (size_t i = 0; i < answer.len / sizeof *table; i++)
        printf(" %.9g", (double)table[i]);
    printf("\n");
    free(answer.at);
}

int main(int argc, char *argv[])
{
    const float q[] = {1, 2, 3, 4, 5, 6, 7, 8}, k[] = {1, 0, 0, 1, 0, 1, 1, 0};
    const char *rotate = "/v1/rope/apply?pos=0:2&shape=2,4&in_dtype=f32", *url;
    const char *config = "{\"model_type\":\"llama\",\"head_dim\":8,\"rope_theta\":500000}";
    const char *json = "Content-Type: application/json";
    char table[URL_MAX];
    print_numbers(argc > 1 ? "numbers" : "row",
                  argc > 1 ? argv[1] : "/v1/sinusoidal?dim=8&pos=3", NULL, 0);
    if (argc > 1)
        return 0;
    print_numbers("table", "/v1/rope?dim=8&pos=0:4&out=cos", NULL, 0);
    print_numbers("q", rotate, q, sizeof q);
    print_numbers("k", rotate, k, sizeof k);
    struct bytes png = ask("/v1/alibi?heads=8&len=64&format=png", NULL, NULL, 0);
    FILE *file = fopen("alibi.png", "wb");
    if (!file || fwrite(png.at, 1, png.len, file) != png.len || fclose(file) != 0)
        fail("alibi.png cannot be written");
    struct bytes model = ask("/v1/models/resolve", json, config, strlen(config));
    if (!(url = strstr(model.at, "/v1/"))) /* the first URL of the first use */
        fail("the model has no encoding");
    snprintf(table, sizeof table, "%.*s&out=cos", (int)strcspn(url, "\""), url);
    print_numbers("config", table, NULL, 0);
}
