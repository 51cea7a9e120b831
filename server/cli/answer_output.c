/* SPDX-License-Identifier: Apache-2.0
 * answer_output.c - see answer_output.h. */
#include "server/cli/answer_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/cli/command/say.h"
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

/* Writes the answer; false after setting errno. */
static bool write_all(struct encoder *encoder, struct output_file *file,
                      struct progress *progress)
{
    char *buffer = malloc(BUFFER_SIZE);
    bool ok = buffer != 0;
    size_t len;

    if (!ok)
        errno = ENOMEM;
    while (ok && (len = encoder_read(encoder, buffer, BUFFER_SIZE)) > 0)
        ok = write_pieces(file, buffer, len, progress);
    free(buffer);
    if (ok && encoder_failed(encoder))
        errno = ENOMEM;
    return ok && !encoder_failed(encoder);
}

/* Writes the answer to its place; returns 0, or the number of an error. */
static int write_file(struct encoder *encoder, struct output_file *file, const char *path,
                      struct progress *progress)
{
    int error = 0;

    if (!output_file_open(file, path))
        return errno;
    progress_set_total(progress, encoder_size(encoder));
    if (!write_all(encoder, file, progress))
        error = errno;
    if (!output_file_close(file, error == 0))
        error = error ? error : errno;
    return error;
}

/* A bar would be drawn into an answer that goes to the same terminal. */
void answer_output_begin(struct answer_output *output, const char *path)
{
    const bool mixed = (!path || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO);

    *output = (struct answer_output){.path = path};
    output->progress = mixed ? NULL : progress_start();
}

int answer_output_end(struct answer_output *output, struct encoder *encoder,
                      const struct pe_errors *errors)
{
    struct output_file file;
    const int error = encoder ? write_file(encoder, &file, output->path, output->progress) : 0;

    progress_end(output->progress);
    if (!encoder)
        return say_problems(errors);
    if (error == ENOMEM)
        return say_error(CLI_INTERNAL, "out of memory");
    return error ? say_error(CLI_INTERNAL, "%.200s: %s", file.title, strerror(error)) : 0;
}
