/* SPDX-License-Identifier: Apache-2.0
 * openapi_verify.c - see openapi_verify.h. */
#include "proto/describe/openapi_verify.h"

#include "proto/text/json_write.h"

void openapi_verify_write_parameters(struct buffer *out)
{
    static const char *const shared[] = {"model", "layer", "layer_type", "shape"};

    json_write(
        out, "'parameters':[{'name':'encoding','in':'query','description':'the claim: whose "
             "numbers they are meant to be; without it and model they are identified',"
             "'schema':{'$ref':'#/components/schemas/EncodingName'}},{'name':'parameters',"
             "'in':'query','style':'form','explode':true,'description':'the claim: parameters "
             "of the encoding, as in a request for it','schema':{'type':'object',"
             "'additionalProperties':{'type':'string'}},'example':{'dim':'128',"
             "'pos':'0:64'}},{'name':'tensor','in':'query','description':'the name of the one "
             "tensor of a body without names','schema':{'type':'string'},'example':'cos'},"
             "{'name':'in_dtype','in':'query','description':'element type of raw bytes',"
             "'schema':{'$ref':'#/components/schemas/Dtype'}}");
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        json_write(out, "{'$ref':'#/components/parameters/%s'}", shared[i]);
    json_write(out, "]");
}
