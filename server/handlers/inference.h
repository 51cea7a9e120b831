/* SPDX-License-Identifier: Apache-2.0
 * inference.h - the endpoints below /v2, the Open Inference Protocol: what the service and its
 * models are, health as JSON, and requests for inference, which go the way of requests for an
 * encoding. */
#pragma once

#include "server/exchange/internal.h"

exchange_step inference_service, inference_live, inference_ready, inference_models,
    inference_index, inference_model_metadata, inference_model_ready, inference_config,
    inference_infer;
