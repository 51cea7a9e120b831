// SPDX-License-Identifier: Apache-2.0
// compare.mjs - asks the WebAssembly modules what a service was asked, in Node and in a page.
// Each question has the status and the SHA-256 of the service's answer.

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the questions are answered, by localFetch with these options; a list of those that are answered
 * otherwise. */
export async function compare(posenc, questions, options) {
  const fetch = posenc.localFetch(options);
  const wrong = [];
  for (const { target, type, accept, body, status, sha256 } of questions) {
    let found;
    try {
      const asked = body === undefined ? { headers: accept ? { Accept: accept } : {} } :
        { method: "POST", headers: { "Content-Type": type }, body: bytesOf(body) };
      const answer = await fetch(`http://local${target}`, asked);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.status === status && (await digest(bytes)) === sha256) continue;
      found = `status ${answer.status}: ${new TextDecoder().decode(bytes.subarray(0, 300))}`;
    } catch (why) {
      found = String(why);
    }
    wrong.push(`${target}: ${found}`);
  }
  return wrong;
}
