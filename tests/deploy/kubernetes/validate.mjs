// SPDX-License-Identifier: Apache-2.0
// validate.mjs - reads [{module, kind, object}] from objects.json and prints what the schema of
// each kind says of its object, as a list of sentences (null where it says nothing).
import { readFile } from "node:fs/promises";

const found = [];
for (const { module, kind, object } of JSON.parse(await readFile("objects.json", "utf-8"))) {
    const Model = (await import(module))[kind];
    try {
        new Model(object).validate();
        found.push(null);
    } catch (error) {
        found.push(String(error.message));
    }
}
console.log(JSON.stringify(found));
