// SPDX-License-Identifier: Apache-2.0
// page_worker.mjs - the comparison in a worker of a page.
import { compare } from "./compare.mjs";
import * as posenc from "./dist/index.js";

addEventListener("message", async ({ data: { questions, modules } }) => {
  postMessage(await compare(posenc, questions, { modules }));
});
