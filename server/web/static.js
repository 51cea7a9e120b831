// SPDX-License-Identifier: Apache-2.0
// static.js - the script of every page that is a file (make site): page.js, with an answer in place
// of the service's from its first request on.

import './local.js';
import './page.js';
