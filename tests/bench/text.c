/* SPDX-License-Identifier: Apache-2.0
 * text.c shortest|printf FILE - writes the float32 numbers of FILE as text, over and over for
 * a tenth of a second, and prints how many a second. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/text/float_text.h"

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static float *read_numbers(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    size_t bytes = (size_t)ftell(file);
    float *values = malloc(bytes + 1);
    rewind(file);
    if (values != NULL)
        *count = fread(values, sizeof *values, bytes / sizeof *values, file);
    fclose(file);
    return values;
}

static size_t write_printf(char *out, const float *values, size_t count)
{
    char *at = out;
    for (size_t i = 0; i < count; i++)
        at += snprintf(at, 32, "%.9g,", (double)values[i]);
    return (size_t)(at - out);
}

int main(int argc, char *argv[])
{
    size_t count = 0;
    float *values = argc == 3 ? read_numbers(argv[2], &count) : NULL;
    char *out = malloc(count * (FLOAT_TEXT_F32_MAX + 1) + 64);
    if (values == NULL || out == NULL || count == 0)
        return EXIT_FAILURE;
    const bool shortest = strcmp(argv[1], "shortest") == 0;
    size_t written = 0, bytes = 0;
    const double start = now();
    double passed = 0;
    do {
        bytes += shortest ? (size_t)(float_text_f32_list(out, values, count) - out)
                          : write_printf(out, values, count);
        written += count;
        passed = now() - start;
    } while (passed < 0.1);
    printf("%.0f\n", bytes > 0 ? (double)written / passed : 0);
    free(out);
    free(values);
    return EXIT_SUCCESS;
}
