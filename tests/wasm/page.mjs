// SPDX-License-Identifier: Apache-2.0
// page.mjs - the comparison in a page: all questions in the page itself, and each tenth in a worker of the
// package and in a worker of the page.
import { compare } from "./compare.mjs";

const STEP = 10;

export async function run() {
  const posenc = await import("./dist/index.js");
  const { questions } = await (await fetch("questions.json")).json();
  const modules = new URL("dist/", location.href);
  const few = questions.filter((_, i) => i % STEP === 0);
  const told = (where, wrong) => wrong.map((one) => `${where}: ${one}`);
  return [
    ...await compare(posenc, questions, { modules }),
    ...told("worker: true", await compare(posenc, few, { modules, worker: true })),
    ...told("in a worker", await inWorker(few, modules)),
  ];
}

function inWorker(questions, modules) {
  const worker = new Worker("page_worker.mjs", { type: "module" });
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => resolve(data));
    worker.addEventListener("error", ({ message }) => reject(new Error(message)));
    worker.postMessage({ questions, modules: modules.href });
  });
}
