/* SPDX-License-Identifier: Apache-2.0
 * posenc_show.h - how parameters and outputs are shown: in which group of a form, with
 * which palette, scale and axes. A part of posenc.h, which includes it. */
#ifndef POSENC_SHOW_H
#define POSENC_SHOW_H

/* What a parameter is about; forms and help keep the parameters of a group together. */
enum pe_group {
    PE_GROUP_UNSET,       /* in a row: as core/args/names.def says */
    PE_GROUP_POSITIONS,   /* which positions, queries, keys or nodes */
    PE_GROUP_SHAPE,       /* sizes: width, heads, grid */
    PE_GROUP_FREQUENCIES, /* frequencies, and rules that rescale them */
    PE_GROUP_DISTANCE,    /* how a distance becomes a number: buckets, slopes, kernels */
    PE_GROUP_CONVENTION,  /* order of columns, rule of a library, bugs that are kept */
    PE_GROUP_MASK,        /* what is hidden, and how that is written */
    PE_GROUP_WEIGHTS,     /* learned tables and networks of the client */
    PE_GROUP_VECTORS,     /* vectors that are encoded, and their axes */
    PE_GROUP_ARITHMETIC,  /* rounding as in a framework, seeds */
};

/* Most requests think about a basic parameter; a form folds the advanced ones. */
enum pe_level { PE_LEVEL_UNSET, PE_BASIC, PE_ADVANCED };

/* The sign of an output's values decides its palette. */
enum pe_sign { PE_SIGNED, PE_NOT_NEGATIVE, PE_NOT_POSITIVE };

/* The scale that shows an output's values: frequencies and wavelengths span decades. */
enum pe_scale { PE_LINEAR, PE_LOGARITHMIC };

/* What column i of an output is. */
enum pe_columns {
    PE_COLUMN_ELEMENT,   /* element i of its axis, no more */
    PE_COLUMN_PAIR,      /* pair i */
    PE_COLUMN_PAIRED,    /* an entry of a pair, which `pairing` and `width` decide */
    PE_COLUMN_WAVE,      /* the sine or the cosine of a pair, which `layout` decides */
    PE_COLUMN_AXES_WAVE, /* PE_COLUMN_WAVE for one axis of a grid after the other */
};

/* An axis of outputs: a row of core/axes.def. */
struct pe_axis {
    const char *name;  /* "pos" */
    const char *label; /* "position" */
    const char *meaning;
};

#endif /* POSENC_SHOW_H */
