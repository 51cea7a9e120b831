/* SPDX-License-Identifier: Apache-2.0
 * text_rows.c - the loop that prints blocks of numbers as text. The text does not depend on the
 * size of the caller's buffers: chunks end between elements, and a comma belongs to the element
 * behind it. */
#include "proto/output/text_rows.h"

#include "proto/text/elements.h"

/* Prints the cells of the current row that fit and are in the block; computes the next block
 * first if all of the block is printed. */
static char *print_cells(struct text_rows *cells, struct encoder *encoder, char *out,
                         size_t capacity)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, cells->tensor);

    if (cells->used == cells->computed) {
        uint64_t at = cells->row * cells->cols + cells->col;

        cells->computed =
            encoder_fill(encoder, cells->tensor, at,
                         encoder_block_elements(encoder->plan, tensor), encoder->block);
        cells->used = 0;
    }
    uint64_t count = cells->cols - cells->col;
    size_t ready = cells->computed - cells->used, fit = capacity / ELEMENTS_TEXT_MAX;
    count = count < ready ? count : ready;
    count = count < fit ? count : fit;
    if (cells->col > 0)
        *out++ = ',';
    const unsigned char *from = encoder->block + cells->used * pe_dtype_size(tensor->dtype);
    out = elements_print(out, tensor->dtype, from, (size_t)count, cells->quoted,
                         &cells->nonfinite);
    cells->used += (size_t)count;
    cells->col += count;
    return out;
}

size_t text_rows_read(struct text_rows *cells, struct encoder *encoder, char *out,
                      size_t capacity)
{
    char *at = out, *end = out + capacity;

    while (cells->row < cells->rows && end - at >= 2 * TEXT_ROWS_EDGE_MAX) {
        if (!cells->inside) {
            at = cells->open(cells, at);
            cells->inside = true;
        } else if (cells->col < cells->cols) {
            at = print_cells(cells, encoder, at, (size_t)(end - at) - 1);
        } else {
            at = cells->close(cells, at);
            cells->inside = false;
            cells->col = 0;
            cells->row++;
        }
    }
    return (size_t)(at - out);
}

bool text_rows_done(const struct text_rows *cells)
{
    return cells->row == cells->rows;
}
