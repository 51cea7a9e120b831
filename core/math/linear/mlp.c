/* SPDX-License-Identifier: Apache-2.0
 * mlp.c - see mlp.h. */
#include "core/math/linear/mlp.h"

#include <math.h>

enum { EXP_LAST = 700 };

void mlp_check_weights(const char *name, const struct pe_reals *weights, uint64_t rows,
                       uint64_t cols, struct pe_errors *errors)
{
    if (weights->rows > 0 && (weights->rows != rows || weights->cols != cols))
        pe_fail(errors, PE_CONFLICT, name, "must have %llu rows of %llu; got %zu of %zu",
                (unsigned long long)rows, (unsigned long long)cols, weights->rows,
                weights->cols);
}

void mlp_layer(const struct pe_reals *weights, const struct pe_reals *bias, const struct dd *in,
               struct dd *out)
{
    for (size_t o = 0; o < weights->rows; o++) {
        struct dd sum = {bias->rows > 0 ? bias->values[o] : 0, 0};

        for (size_t i = 0; i < weights->cols; i++) {
            struct dd weight = {weights->values[o * weights->cols + i], 0};

            sum = elementary_add(sum, elementary_multiply(weight, in[i]));
        }
        out[o] = sum;
    }
}

void mlp_relu(struct dd *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (x[i].hi < 0)
            x[i] = (struct dd){0, 0};
}

void mlp_normalise(struct dd *x, size_t count, const struct pe_reals *weight,
                   const struct pe_reals *bias)
{
    const struct dd of = {(double)count, 0};
    struct dd mean = {0, 0}, variance = {0, 0}, root;

    for (size_t i = 0; i < count; i++)
        mean = elementary_add(mean, x[i]);
    mean = elementary_divide(mean, of);
    for (size_t i = 0; i < count; i++) {
        x[i] = elementary_add(x[i], (struct dd){-mean.hi, -mean.lo});
        variance = elementary_add(variance, elementary_multiply(x[i], x[i]));
    }
    /* 1e-5 is the real number 1 / 100000, not its nearest double */
    root = elementary_sqrt(
        elementary_add(elementary_divide(variance, of),
                       elementary_divide((struct dd){1, 0}, (struct dd){100000, 0})));
    for (size_t i = 0; i < count; i++) {
        x[i] = elementary_divide(x[i], root);
        if (weight->rows > 0)
            x[i] = elementary_multiply(x[i], (struct dd){weight->values[i], 0});
        if (bias->rows > 0)
            x[i] = elementary_add(x[i], (struct dd){bias->values[i], 0});
    }
}

/* ---- two layers -------------------------------------------------------------------------- */

size_t mlp_units(const struct mlp *mlp, size_t inputs)
{
    return mlp->w1->rows * mlp->w1->cols / inputs;
}

static void check_bias(const struct pe_reals *bias, const char *name, const char *weights,
                       size_t rows, struct pe_errors *errors)
{
    if (bias->rows > 0 && bias->cols != rows)
        pe_fail(errors, PE_CONFLICT, name, "must have one number a row of %s, %zu; got %zu",
                weights, rows, bias->cols);
}

enum pe_status mlp_check(const struct mlp *mlp, size_t inputs, const char *what,
                         struct pe_errors *errors)
{
    bool list = inputs == 1 && mlp->w1->rows == 1;
    size_t units;

    if (!list && mlp->w1->cols != inputs)
        return pe_fail(errors, PE_CONFLICT, "w1", "must have rows of %zu, for %s; got %zu",
                       inputs, what, mlp->w1->cols);
    units = mlp_units(mlp, inputs);
    if (units > MLP_MOST_UNITS) {
        pe_fail(errors, PE_TOO_LARGE, "w1", "must have at most %d rows; got %zu",
                MLP_MOST_UNITS, units);
        pe_note_limit(errors, MLP_MOST_UNITS, units);
    }
    check_bias(mlp->b1, "b1", "w1", units, errors);
    if (mlp->w2->cols != units)
        pe_fail(errors, PE_CONFLICT, "w2",
                "must have rows of one number a row of w1, %zu; got %zu", units, mlp->w2->cols);
    check_bias(mlp->b2, "b2", "w2", mlp->w2->rows, errors);
    return errors->count ? errors->at[0].status : PE_OK;
}

void mlp_check_questions(const struct mlp_questions *q, struct pe_errors *errors)
{
    /* products of some seconds; answers of 32 MiB */
    const double most = 0x1p28, most_kept = 0x1p22;
    const double products = q->count * q->products, kept = q->count * q->answers;

    if (products <= most && kept <= most_kept)
        return;
    if (products > most) {
        pe_fail(errors, PE_TOO_LARGE, q->parameter,
                "needs %.0f products of the network's weights; at most %.0f", products, most);
        pe_note_limit(errors, (uint64_t)most, (uint64_t)fmin(products, 0x1p60));
    } else {
        pe_fail(errors, PE_TOO_LARGE, q->parameter, "needs %.0f %s; at most %.0f", kept,
                q->kept, most_kept);
        pe_note_limit(errors, (uint64_t)most_kept, (uint64_t)kept);
    }
}

struct dd mlp_unit(const struct mlp *mlp, size_t unit, const struct dd *in, size_t inputs)
{
    struct dd sum = {mlp->b1->rows > 0 ? mlp->b1->values[unit] : 0, 0};

    for (size_t i = 0; i < inputs; i++) {
        struct dd weight = {mlp->w1->values[unit * inputs + i], 0};

        sum = elementary_add(sum, elementary_multiply(weight, in[i]));
    }
    return sum.hi < 0 ? elementary_multiply((struct dd){mlp->slope, 0}, sum) : sum;
}

struct dd mlp_answer(const struct mlp *mlp, size_t answer, const struct dd *in, size_t inputs)
{
    size_t units = mlp->w2->cols;
    struct dd sum = {mlp->b2->rows > 0 ? mlp->b2->values[answer] : 0, 0};

    for (size_t u = 0; u < units; u++) {
        struct dd weight = {mlp->w2->values[answer * units + u], 0};

        sum = elementary_add(sum, elementary_multiply(weight, mlp_unit(mlp, u, in, inputs)));
    }
    return sum;
}

/* ---- logistic function ------------------------------------------------------------------- */

/* Returns 1 / (1 + exp(-x)) for x within -700 .. 700: 1 / (1 + t) or t / (1 + t), where t =
 * exp(-|x|) is at most 1. */
static struct dd share_of(struct dd x)
{
    struct dd below = x.hi > 0 ? (struct dd){-x.hi, -x.lo} : x, one = {1, 0};
    struct dd t = elementary_exp_dd(below);

    return elementary_divide(x.hi > 0 ? one : t, elementary_add(one, t));
}

struct dd mlp_share(struct dd x)
{
    if (isnan(x.hi) || x.hi > EXP_LAST)
        return (struct dd){isnan(x.hi) ? x.hi : 1, 0};
    return x.hi < -EXP_LAST ? (struct dd){elementary_exp(x), 0} : share_of(x);
}

double mlp_sigmoid(double factor, struct dd x)
{
    struct dd share;

    if (x.hi > EXP_LAST)
        return factor;
    if (x.hi < -EXP_LAST)
        return factor * elementary_exp(x);
    share = elementary_multiply(share_of(x), (struct dd){factor, 0});
    return share.hi + share.lo;
}

void mlp_silu(struct dd *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        /* x / (1 + exp(-x)) is below the smallest double, but for a few values */
        if (x[i].hi < -EXP_LAST)
            x[i] = (struct dd){x[i].hi * elementary_exp(x[i]), 0};
        else if (x[i].hi <= EXP_LAST)
            x[i] = elementary_multiply(x[i], share_of(x[i]));
}
