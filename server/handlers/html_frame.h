/* SPDX-License-Identifier: Apache-2.0
 * html_frame.h - the frame of every HTML page of this service. */
#pragma once

#include "proto/pages/page_frame.h"
#include "server/config/config.h"

/* The frame without title, kind and place, which the page gives. */
struct page_frame html_frame_of(const struct config *config);
