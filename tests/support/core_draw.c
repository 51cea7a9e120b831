/* SPDX-License-Identifier: Apache-2.0
 * core_draw.c - queries from the rows of an encoding. */
#include "tests/support/core_draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct draw {
    struct core_random *random;
    char *query;
    size_t len;
    int64_t count; /* the last whole number drawn: how long lists of one a head are */
};

static int64_t pick(struct draw *draw, int64_t low, int64_t high)
{
    return core_random_whole(draw->random, low, high);
}

static void say(struct draw *draw, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct draw *draw, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    draw->len +=
        (size_t)vsnprintf(draw->query + draw->len, CORE_DRAW_MAX - draw->len, format, list);
    va_end(list);
}

static void draw_real(struct draw *draw, const struct pe_param *p)
{
    double least = fmax(p->min, -1e3), most = fmin(p->max, 1e3), value;

    if (p->words && pick(draw, 0, 2) == 0) {
        size_t words = 0;

        while (p->words[words].word)
            words++;
        say(draw, "%s", p->words[pick(draw, 0, (int64_t)words - 1)].word);
        return;
    }
    switch (pick(draw, 0, 4)) {
    case 0: /* an end of the range */
        value = pick(draw, 0, 1) || p->above_min ? p->max : p->min;
        break;
    case 1: /* a round number */
        value = (double)pick(draw, (int64_t)ceil(fmax(least, -4)), (int64_t)fmin(most, 12));
        break;
    case 2: /* of any size */
        value = exp(core_random_real(draw->random, -30, 30));
        break;
    default:
        value = core_random_real(draw->random, least, most);
    }
    say(draw, "%.*g", pick(draw, 0, 1) ? 17 : 3, value);
}

static void draw_reals(struct draw *draw, const struct pe_param *p)
{
    int64_t rows = p->matrix ? pick(draw, 1, 3) : 1;
    int64_t cols = draw->count > 0 && draw->count < 20 ? draw->count : pick(draw, 1, 5);

    for (int64_t i = 0; i < rows * cols; i++) {
        const char *mark = i == 0 ? "" : i % cols ? "," : ";";

        if (p->max - p->min <= 1)
            say(draw, "%s%d", mark, (int)pick(draw, (int64_t)p->min, (int64_t)p->max));
        else
            say(draw, "%s%.9g", mark, core_random_real(draw->random, -1, 1));
    }
}

static void draw_segments(struct draw *draw)
{
    for (int64_t i = 0, count = pick(draw, 1, 3); i < count; i++) {
        const char *mark = i ? "," : "";

        if (pick(draw, 0, 1))
            say(draw, "%s%s:%d", mark, pick(draw, 0, 3) ? "text" : "audio",
                (int)pick(draw, 1, 9));
        else if (pick(draw, 0, 1))
            say(draw, "%simage:1x%dx%d", mark, 2 * (int)pick(draw, 1, 3),
                2 * (int)pick(draw, 1, 3));
        else
            say(draw, "%svideo:%dx%dx%d%s", mark, 2 * (int)pick(draw, 1, 2),
                2 * (int)pick(draw, 1, 3), 2 * (int)pick(draw, 1, 3),
                pick(draw, 0, 1) ? "@0.5" : "");
    }
}

static void draw_value(struct draw *draw, const struct pe_param *p)
{
    static const char *const lists[] = {"0:4",   "3",   "-2:3",    "0:9:3",  "5,1,1,7", "0:0",
                                        "0:600", "0:2", "127:128", "4:0:-1", "0:1"};
    static const char *const reals[] = {"0.5,1.25", "-3.5,0:4", "1e-9,2", "0.1"};
    int64_t step = p->multiple_of > 1 ? p->multiple_of : 1, least;
    size_t choices = 0;

    switch (p->type) {
    case PE_INT:
        least = (int64_t)fmax(p->min, -3);
        draw->count = least + pick(draw, 0, 12) * step;
        say(draw, "%lld", (long long)draw->count);
        break;
    case PE_REAL:
        draw_real(draw, p);
        break;
    case PE_BOOL:
        say(draw, "%s", pick(draw, 0, 1) ? "true" : "0");
        break;
    case PE_CHOICE:
        while (p->choices[choices].name)
            choices++;
        say(draw, "%s", p->choices[pick(draw, 0, (int64_t)choices - 1)].name);
        break;
    case PE_REALS:
        draw_reals(draw, p);
        break;
    case PE_POSITIONS:
        if (p->fractions && pick(draw, 0, 3) == 0)
            say(draw, "%s", reals[pick(draw, 0, 3)]);
        else
            say(draw, "%s", lists[pick(draw, 0, 10)]);
        break;
    case PE_GRID:
        say(draw, "%lldx%lld", (long long)pick(draw, 1, 4), (long long)pick(draw, 1, 4));
        break;
    case PE_TENSOR: /* the shape of vectors must suit the rest: they come with the examples */
        if (p->table)
            say(draw, "f32:%dx%d", (int)pick(draw, 1, 9), (int)pick(draw, 1, 6));
        break;
    case PE_SEGMENTS:
        draw_segments(draw);
        break;
    }
}

/* The query names the parameter already. */
static bool names(const struct draw *draw, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = draw->query; at; at = strchr(at, '&')) {
        at += *at == '&';
        if (strncmp(at, name, len) == 0 && at[len] == '=')
            return true;
    }
    return false;
}

/* Takes an example of the encoding, which is right, and adds a few parameters: where most
 * parameters go with certain others only, chance alone seldom meets a right query. */
static void draw_from_example(struct draw *draw, const struct pe_encoding *enc)
{
    static const char *const dtypes[] = {"f32", "f64", "f16", "bf16"};
    const char *const *examples = pe_examples(enc);
    size_t count = 0, param_count;
    const struct pe_param *params = pe_params(enc, &param_count);

    while (examples[count])
        count++;
    say(draw, "%s", examples[pick(draw, 0, (int64_t)count - 1)]);
    if (!names(draw, "dtype") && pick(draw, 0, 1))
        say(draw, "&dtype=%s", dtypes[pick(draw, 0, 3)]);
    for (int64_t more = pick(draw, 0, 2); more > 0; more--) {
        const struct pe_param *p = &params[pick(draw, 0, (int64_t)param_count - 1)];

        if (names(draw, p->name) || p->type == PE_TENSOR)
            continue;
        say(draw, "&%s=", p->name);
        draw_value(draw, p);
    }
}

void core_draw_query(const struct pe_encoding *enc, struct core_random *random,
                     char query[CORE_DRAW_MAX])
{
    static const char *const dtypes[] = {"f32", "f64", "f16", "bf16"};
    struct draw draw = {random, query, 0, 0};
    size_t param_count, output_count;
    const struct pe_param *params = pe_params(enc, &param_count);
    const struct pe_output *outputs = pe_outputs(enc, &output_count);
    size_t one = (size_t)pick(&draw, 0, (int64_t)output_count - 1);
    size_t other = pick(&draw, 0, 3) ? one : (size_t)pick(&draw, 0, (int64_t)output_count - 1);
    int64_t eager = pick(&draw, 2, 12); /* one in so many parameters is given */

    if (pick(&draw, 0, 1)) {
        draw_from_example(&draw, enc);
        return;
    }
    say(&draw, "out=%s", outputs[one].name);
    if (other != one)
        say(&draw, ",%s", outputs[other].name);
    if (pick(&draw, 0, 1))
        say(&draw, "&dtype=%s", dtypes[pick(&draw, 0, 3)]);
    for (size_t i = 0; i < param_count; i++) {
        bool used = pe_output_uses(&outputs[one], params[i].name) ||
                    pe_output_uses(&outputs[other], params[i].name);
        bool preset = params[i].type == PE_CHOICE && params[i].choices[0].stands_for;

        if ((!used && !preset) || (!params[i].required && pick(&draw, 1, eager) > 1))
            continue;
        say(&draw, "&%s=", params[i].name);
        draw_value(&draw, &params[i]);
    }
}
