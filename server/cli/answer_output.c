/* SPDX-License-Identifier: Apache-2.0
 * answer_output.c - see answer_output.h. */
#include "server/cli/answer_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_layout.h"
#include "server/cli/command/say.h"
#include "server/cli/command/terminal.h"
#include "server/cli/output_file.h"

enum { BUFFER_SIZE = 1 << 18, PIECE = 1 << 16 };

/* Writes in pieces that a pipe holds, so that progress is seen where the reader is slow. */
static bool write_pieces(struct output_file *file, const char *bytes, size_t len,
                         struct progress *progress)
{
    bool ok = true;

    for (size_t at = 0; ok && at < len; at += PIECE) {
        const size_t some = len - at < PIECE ? len - at : PIECE;

        ok = output_file_write(file, bytes + at, some);
        progress_add(progress, some);
    }
    return ok;
}

/* Writes the bytes of JSON on lines, indented. */
static bool write_indented(struct output_file *file, struct json_layout *layout,
                           const char *bytes, size_t len)
{
    struct buffer lines = {0};
    bool ok;

    json_layout_add(layout, &lines, bytes, len);
    if (lines.failed)
        errno = ENOMEM;
    ok = !lines.failed && output_file_write(file, lines.bytes, lines.len);
    buffer_fini(&lines);
    return ok;
}

/* Writes the answer; false after setting errno. */
static bool write_all(struct encoder *encoder, struct output_file *file,
                      const struct answer_output *output)
{
    struct json_layout layout = {0};
    char *buffer = malloc(BUFFER_SIZE);
    bool ok = buffer != 0;
    size_t len;

    if (!ok)
        errno = ENOMEM;
    while (ok && (len = encoder_read(encoder, buffer, BUFFER_SIZE)) > 0)
        ok = output->indented ? write_indented(file, &layout, buffer, len)
                              : write_pieces(file, buffer, len, output->progress);
    free(buffer);
    if (ok && encoder_failed(encoder))
        errno = ENOMEM;
    return ok && !encoder_failed(encoder);
}

/* Writes the answer to its place; returns 0, or the number of an error. */
static int write_file(struct encoder *encoder, struct output_file *file,
                      const struct answer_output *output)
{
    int error = 0;

    if (!output_file_open(file, output->path))
        return errno;
    progress_set_total(output->progress, encoder_size(encoder));
    if (!write_all(encoder, file, output))
        error = errno;
    if (!output_file_close(file, error == 0))
        error = error ? error : errno;
    return error;
}

/* A bar would be drawn into an answer that goes to the same terminal. */
void answer_output_begin(struct answer_output *output, const char *path,
                         const struct format *format)
{
    const bool mixed = (!path || strcmp(path, "-") == 0) && terminal_is_output();

    *output = (struct answer_output){
        .path = path,
        .indented = mixed && format && strcmp(format->media_type, "application/json") == 0};
    output->progress = mixed ? NULL : progress_start();
}

int answer_output_end(struct answer_output *output, struct encoder *encoder,
                      const struct pe_errors *errors)
{
    struct output_file file;
    const int error = encoder ? write_file(encoder, &file, output) : 0;

    progress_end(output->progress);
    if (!encoder)
        return say_problems(errors);
    if (error == ENOMEM)
        return say_error(CLI_INTERNAL, "out of memory");
    return error ? say_error(CLI_INTERNAL, "%.200s: %s", file.title, strerror(error)) : 0;
}
