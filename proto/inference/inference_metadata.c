/* SPDX-License-Identifier: Apache-2.0
 * inference_metadata.c - see inference_metadata.h. */
#include "proto/inference/inference_metadata.h"

#include <inttypes.h>

#include "proto/inference/inference_shape.h"
#include "proto/tensors/element_type.h"
#include "proto/text/json_write.h"

#define PLATFORM "posenc"

void inference_metadata_write_service(struct buffer *out)
{
    json_write(out,
               "{'name':'posencd','version':'%s','extensions':['binary_tensor_data',"
               "'parameters','model_configuration','model_repository']}",
               pe_version());
}

static void add_name(struct buffer *out, const char *member,
                     const struct inference_model *model)
{
    struct buffer name = {0};

    inference_model_write_name(&name, model);
    json_write_buffer(out, member, &name);
}

void inference_metadata_write_names(struct buffer *out, const struct models *models)
{
    struct inference_model_walk walk = {0};
    struct inference_model model;

    json_write(out, "{'models':[");
    while (inference_model_next(&walk, models, &model))
        add_name(out, NULL, &model);
    json_write(out, "]}");
}

void inference_metadata_write_index(struct buffer *out, const struct models *models)
{
    struct inference_model_walk walk = {0};
    struct inference_model model;

    json_write(out, "[");
    while (inference_model_next(&walk, models, &model)) {
        json_write(out, "{");
        add_name(out, "name", &model);
        json_write(out, "'version':'%u','state':'READY','reason':''}", pe_revision(model.enc));
    }
    json_write(out, "]");
}

/* ---- one model ------------------------------------------------------------------------ */

/* Writes tensors with their lengths, of which -1 is any. */
static void add_tensors(struct buffer *out, const char *member,
                        const struct inference_tensor *tensors, size_t count, bool config,
                        bool optional)
{
    json_write(out, "'%s':[", member);
    for (size_t i = 0; i < count; i++) {
        json_write(out,
                   config ? "{'name':'%s','data_type':'TYPE_%s','dims':["
                          : "{'name':'%s','datatype':'%s','shape':[",
                   tensors[i].name, element_type_of(tensors[i].dtype)->inference);
        for (size_t j = 0; j < tensors[i].rank; j++)
            json_write(out, "%" PRId64, tensors[i].dims[j]);
        json_write(out, "]");
        if (optional)
            json_write_flag(out, "optional", tensors[i].optional);
        json_write(out, "}");
    }
    json_write(out, "]");
}

/* Begins a document of the model, {"name":"rope", and finds its tensors. False: out of
 * memory. */
static bool begin(struct buffer *out, struct inference_shape *shape,
                  const struct inference_model *model, const struct models *models)
{
    if (!inference_shape_find(shape, model, models)) {
        buffer_fail(out);
        return false;
    }
    json_write(out, "{");
    add_name(out, "name", model);
    return true;
}

void inference_metadata_write(struct buffer *out, const struct inference_model *model,
                              const struct models *models)
{
    struct inference_shape shape;

    if (!begin(out, &shape, model, models))
        return;
    json_write(out, "'versions':['%u'],'platform':'" PLATFORM "'", pe_revision(model->enc));
    add_tensors(out, "inputs", shape.inputs, shape.input_count, false, false);
    add_tensors(out, "outputs", shape.outputs, shape.output_count, false, false);
    json_write(out, "}");
}

void inference_metadata_write_config(struct buffer *out, const struct inference_model *model,
                                     const struct models *models)
{
    struct inference_shape shape;

    if (!begin(out, &shape, model, models))
        return;
    json_write(out, "'platform':'" PLATFORM "','backend':'" PLATFORM "','max_batch_size':0");
    add_tensors(out, "input", shape.inputs, shape.input_count, true, true);
    add_tensors(out, "output", shape.outputs, shape.output_count, true, false);
    json_write(out, "}");
}
