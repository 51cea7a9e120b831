/* SPDX-License-Identifier: Apache-2.0
 * crowd_requests.c - see crowd_requests.h. */
#include "tests/campaign/crowd_requests.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 512 }; /* bytes by which the numbers may lengthen a first line */

static bool read_one(struct crowd_request *request, FILE *file)
{
    const char *line_end;

    if (fread(&request->len, sizeof request->len, 1, file) != 1 ||
        fread(&request->body, sizeof request->body, 1, file) != 1)
        return false;
    request->bytes = malloc((size_t)request->len + 1);
    if (!request->bytes || fread(request->bytes, 1, request->len, file) != request->len)
        return false;
    request->bytes[request->len] = '\0';
    line_end = strstr(request->bytes, "\r\n");
    if (!line_end)
        return false;
    request->line_len = (uint32_t)(line_end - request->bytes);
    request->is_head = strncmp(request->bytes, "HEAD ", 5) == 0;
    return true;
}

bool crowd_requests_read(struct crowd_requests *requests, const char *path, long long first)
{
    FILE *file = fopen(path, "rbe");
    int byte;

    *requests = (struct crowd_requests){.number = first};
    while (file && (byte = fgetc(file)) != EOF) {
        void *more = realloc(requests->all, (requests->count + 1) * sizeof *requests->all);

        assert(more);
        requests->all = more;
        ungetc(byte, file);
        if (!read_one(&requests->all[requests->count++], file)) {
            fclose(file);
            return false;
        }
    }
    if (file)
        fclose(file);
    return requests->count > 0;
}

static void reserve(struct crowd_output *output, size_t more)
{
    if (output->sent == output->len)
        output->sent = output->len = 0;
    if (output->len + more > output->size) {
        output->size = output->len + more;
        output->bytes = realloc(output->bytes, output->size);
        assert(output->bytes);
    }
}

/* Writes the first line, with the next number in place of "{n}" and a sum for "{n+K}". */
static void write_line(struct crowd_output *output, const char *from, const char *end,
                       long long number)
{
    char *limit = output->bytes + output->size; /* the end of what is reserved */

    while (from < end) {
        if (strncmp(from, "{n", 2) != 0) {
            output->bytes[output->len++] = *from++;
            continue;
        }
        char *behind, *at = output->bytes + output->len;
        const long long more = strtoll(from + 2, &behind, 10);
        const int len = snprintf(at, (size_t)(limit - at), "%lld", number + more);
        assert(*behind == '}' && len > 0 && len < limit - at);
        output->len += (size_t)len;
        from = behind + 1;
    }
}

const struct crowd_request *crowd_requests_write(struct crowd_requests *requests,
                                                 struct crowd_output *output)
{
    const struct crowd_request *request = &requests->all[requests->next];
    const char *line_end = request->bytes + request->line_len;

    requests->next = (requests->next + 1) % requests->count;
    reserve(output, request->len + NUMBERS);
    write_line(output, request->bytes, line_end, requests->number++);
    memcpy(output->bytes + output->len, line_end, request->len - request->line_len);
    output->len += request->len - request->line_len;
    return request;
}
