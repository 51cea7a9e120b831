// SPDX-License-Identifier: Apache-2.0
// validate.mjs - judges the OpenAPI document of a file by @readme/openapi-parser.
import { validate } from "@readme/openapi-parser";

const verdict = await validate(process.argv[2]);
if (!verdict.valid || verdict.warnings.length > 0) {
  console.error(JSON.stringify(verdict, null, 1));
  process.exitCode = 1;
}
