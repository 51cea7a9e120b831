/* SPDX-License-Identifier: Apache-2.0
 * mrope_axes.c - the axes of a multimodal RoPE: rules between sections and positions, and the
 * layout of its table. */
#include <math.h>

#include "core/encodings/rotary/mrope.h"

const struct pe_choice mrope_section_layouts[] = {
    PE_ONE_AT(MROPE_CHUNKED, "chunked",
              "the sections follow one another: time, height, width (Qwen2-VL, GLM-4.1V)"),
    PE_ONE_AT(MROPE_INTERLEAVED, "interleaved",
              "time, height and width in turn (Qwen3-VL; IMROPE of ggml); pairs "
              "beyond the sections turn by time (GenLIP)"),
    PE_ONE_AT(MROPE_OPENPANGU, "openpangu",
              "each pair goes to the axis that is furthest behind (openPangu in vLLM)"),
    PE_ONE_AT(MROPE_ERNIE, "ernie",
              "height and width in turn, then time; sections are h,w,t (ERNIE 4.5-VL)"),
    PE_ONE_AT_WITH(MROPE_XDROPE, "xdrope",
                   "text, width, height, time follow one another (HunyuanVL); its "
                   "alpha is scaling=ntk&factor=",
                   "dim=8&mrope_section=1,1,1,1&pos=0:8&pos.t=&pos.h=&pos.w="),
    PE_ONE_AT(MROPE_VIDEOROPE, "videorope",
              "height and width in turn, then time, which has the slow pairs (VideoRoPE)"),
    PE_ONE_AT_WITH(MROPE_HOPE, "hope",
                   "height and width in turn, then time, whose pairs are not turned (HoPE)",
                   "pos.t="),
    {NULL, NULL, NULL, NULL, NULL}};

enum { LEFTOVER_T, LEFTOVER_EXTRA };

const struct pe_choice mrope_leftovers[] = {
    PE_ONE_AT(LEFTOVER_T, "t", "the pairs left over turn by time (Hugging Face, vLLM)"),
    PE_ONE_AT(LEFTOVER_EXTRA, "extra",
              "the pairs left over turn by the fourth axis (llama.cpp)"),
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- axes ---------------------------------------------------------------------------- */

static bool has_extra(const struct mrope *m)
{
    return m->leftover == LEFTOVER_EXTRA || m->section.cols == MROPE_AXES;
}

static size_t axis_count(const struct mrope *m)
{
    return m->section_layout == MROPE_XDROPE || has_extra(m) ? 4 : 3;
}

/* An axis in the order of the variant, with its list or that of all axes; NULL stays at 0. */
struct axis_list {
    const char *name;
    const struct pe_positions *list;
    bool may_be_absent;
};

static struct axis_list axis_list(const struct mrope *m, size_t axis)
{
    const struct axis_list usual[] = {
        {"pos.t", m->t ? m->t : m->pos, false},
        {"pos.h", m->h ? m->h : m->pos, false},
        {"pos.w", m->w ? m->w : m->pos, false},
        {"pos.e", m->e, true},
    };
    const struct axis_list hunyuan[] = {
        {"pos.p", m->p ? m->p : m->pos, false},
        {"pos.w", m->w ? m->w : m->pos, false},
        {"pos.h", m->h ? m->h : m->pos, false},
        {"pos.t", m->t ? m->t : m->pos, false},
    };

    if (m->section_layout == MROPE_HOPE && axis == MROPE_T)
        return (struct axis_list){"pos.t", NULL, true};
    return m->section_layout == MROPE_XDROPE ? hunyuan[axis] : usual[axis];
}

struct axes_points mrope_points(const struct mrope *m)
{
    struct axes_points points = axes_points_none(axis_count(m));

    if (m->ids.rows > 0) {
        points.ids = &m->ids;
        points.axes_first = m->ids.cols != points.axes && m->ids.rows == points.axes;
        points.rows = points.axes_first ? m->ids.cols : m->ids.rows;
        if (m->section_layout == MROPE_HOPE)
            points.step[MROPE_T] = 0; /* pairs of t stand still */
        return points;
    }
    points.lists = true;
    for (size_t a = 0; a < points.axes; a++) {
        points.list[a] = axis_list(m, a).list;
        if (points.list[a])
            points.rows = pe_positions_count(points.list[a]);
    }
    return points;
}

/* ---- rules --------------------------------------------------------------------------- */

static void check_sections(const struct mrope *m, struct pe_errors *errors)
{
    const size_t pairs = ladder_pairs(&m->ladder);
    const size_t least = m->section_layout == MROPE_XDROPE ? 4 : 3;
    const size_t most =
        m->section_layout == MROPE_CHUNKED || m->section_layout == MROPE_INTERLEAVED ? 4
                                                                                     : least;
    double sum = 0;

    for (size_t i = 0; i < m->section.cols; i++) {
        if (m->section.values[i] != trunc(m->section.values[i])) {
            pe_fail(errors, PE_BAD_VALUE, "mrope_section", "must be whole numbers; got %g",
                    m->section.values[i]);
            return;
        }
        sum += m->section.values[i];
    }
    if (m->section.cols < least || m->section.cols > most)
        pe_fail(errors, PE_CONFLICT, "mrope_section",
                "must have %zu%s numbers with section_layout=%s; "
                "got %zu",
                least, least < most ? " or 4" : "",
                mrope_section_layouts[m->section_layout].name, m->section.cols);
    else if (m->section_layout == MROPE_INTERLEAVED ? sum > (double)pairs
                                                    : sum != (double)pairs)
        pe_fail(errors, PE_CONFLICT, "mrope_section",
                "must add up to %sthe pairs of the rotary width, %zu; got %g",
                m->section_layout == MROPE_INTERLEAVED ? "at most " : "", pairs, sum);
    else if (m->section_layout == MROPE_OPENPANGU && m->section.values[0] < 1)
        pe_fail(errors, PE_CONFLICT, "mrope_section",
                "must start with at least 1 with section_layout=openpangu, whose last "
                "pair is t");
}

static void check_unused(const struct mrope *m, struct pe_errors *errors)
{
    if (m->e && axis_count(m) < 4)
        pe_fail(errors, PE_CONFLICT, "pos.e",
                "has no effect without a fourth section or leftover=extra");
    if (m->t && m->section_layout == MROPE_HOPE)
        pe_fail(errors, PE_CONFLICT, "pos.t",
                "has no effect with section_layout=hope: its pairs of t stand still");
}

static void check_lists(const struct mrope *m, struct pe_errors *errors)
{
    const struct axes_points points = mrope_points(m);

    for (size_t a = 0; a < points.axes; a++) {
        const struct axis_list axis = axis_list(m, a);

        if (!axis.list && !axis.may_be_absent)
            pe_fail(errors, PE_MISSING_PARAMETER, axis.name,
                    "is required: give it, or pos for all axes, or ids");
        else if (axis.list && pe_positions_count(axis.list) != points.rows)
            pe_fail(errors, PE_CONFLICT, axis.name,
                    "must have as many positions as the other axes, %llu; got %llu",
                    (unsigned long long)points.rows,
                    (unsigned long long)pe_positions_count(axis.list));
    }
}

static const char *names_of(const struct mrope *m)
{
    return m->section_layout == MROPE_XDROPE ? "p, w, h, t"
           : axis_count(m) == 4              ? "t, h, w, e"
                                             : "t, h, w";
}

static void check_ids(const struct mrope *m, struct pe_errors *errors)
{
    const size_t axes = axis_count(m);

    if (m->pos || m->t || m->h || m->w || m->e || m->p)
        pe_fail(errors, PE_CONFLICT, "ids", "and pos say the same thing; give one");
    if (m->ids.cols != axes && m->ids.rows != axes)
        pe_fail(errors, PE_CONFLICT, "ids",
                "must have a row a token and %zu columns (%s), or %zu rows with a column a "
                "token; got %zu rows of %zu",
                axes, names_of(m), axes, m->ids.rows, m->ids.cols);
}

/* Returns the largest position on any axis + 1, by which longrope chooses. */
static double last_position(const struct mrope *m)
{
    const struct axes_points points = mrope_points(m);
    double last = -INFINITY, low, high;

    for (size_t i = 0; i < m->ids.rows * m->ids.cols; i++)
        last = fmax(last, m->ids.values[i]);
    for (size_t a = 0; points.lists && points.rows > 0 && a < points.axes; a++) {
        if (!points.list[a])
            continue;
        pe_positions_range(points.list[a], &low, &high);
        last = fmax(last, high);
    }
    return isinf(last) ? NAN : last + 1;
}

void mrope_resolve(struct mrope *m, bool wants_sections, bool wants_positions,
                   struct pe_errors *errors)
{
    if (ladder_resolve(&m->ladder, wants_positions ? last_position(m) : NAN, errors))
        return;
    if (wants_sections)
        check_sections(m, errors);
    if (wants_positions && errors->count == 0) {
        check_unused(m, errors);
        if (m->ids.rows > 0)
            check_ids(m, errors);
        else
            check_lists(m, errors);
    }
    if (m->section_layout == MROPE_INTERLEAVED && m->leftover < 0)
        m->leftover = m->section.cols == MROPE_AXES ? LEFTOVER_EXTRA : LEFTOVER_T;
}

/* ---- layout -------------------------------------------------------------------------- */

struct spatial_layout mrope_layout(const struct mrope *m)
{
    return (struct spatial_layout){
        .points = mrope_points(m),
        .pairs = ladder_pairs(&m->ladder),
        .pairing = m->pairing,
        .width = m->width,
    };
}

bool mrope_layout_build(struct pe_build *build, const struct mrope *m,
                        const struct rotation_table *table, bool inverse,
                        struct spatial_layout *layout)
{
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);
    unsigned char *axis = pe_build_alloc(build, layout->pairs);
    size_t section[MROPE_AXES] = {0};

    if (!rotation || !axis || !ladder_profile_rotation(build, &m->ladder, table, rotation))
        return false;
    for (size_t i = 0; i < m->section.cols; i++)
        section[i] = (size_t)m->section.values[i];
    if (m->section.cols > 0)
        mrope_map((enum mrope_variant)m->section_layout, m->leftover == LEFTOVER_EXTRA, section,
                  axis, layout->pairs);
    if (inverse)
        rotation->amplitude = 1 / rotation->amplitude;
    layout->rotation = rotation;
    layout->axis = axis;
    return true;
}
