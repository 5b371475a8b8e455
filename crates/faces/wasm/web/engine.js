// The engines in a worker: answers requests as a server would, and does long work. Shared by the
// service worker, which answers pages, and by workers of a page's own, which do long work and are
// ended when it is to stop.
"use strict";
importScripts("lzma.js");
// The site lies where this file lies.
const ROOT = new URL(".", self.location).pathname.replace(/\/$/, "");
let engine = null,
  hear = null;

// Fetches the module and unpacks it.
async function fetched() {
  const response = await fetch(
    new Request(new URL("bouton.wasm.lzma", self.location), { cache: "reload" }),
  );
  if (!response.ok) throw new Error(`bouton.wasm.lzma: ${response.status}`);
  return new Response(unpack(new Uint8Array(await response.arrayBuffer())), {
    headers: { "content-type": "application/wasm" },
  });
}

async function started() {
  // The service worker has kept it, unpacked.
  const response =
    (self.caches && (await caches.match(new URL("bouton.wasm", self.location)))) ||
    (await fetched());
  let memory = null;
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
  const host = {
    now: () => performance.now(),
    progress: (nodes, at, length) => hear && hear("progress", { nodes, doing: text(at, length) }),
    stages: (at, length) => hear && hear("stages", { html: text(at, length) }),
  };
  const { instance } = await WebAssembly.instantiateStreaming(response, { host });
  memory = instance.exports.memory;
  return instance.exports;
}

// Asks the module: an answer's status, headers and body. What a form sends, if it sends something,
// is one line.
async function ask(url, work, sent = "") {
  if (!engine)
    engine = started().catch(error => {
      engine = null;
      throw error;
    });
  const module = await engine;
  const path = decodeURI(url.pathname.slice(ROOT.length)).replace(/(.)\/$/, "$1") || "/";
  const day = Math.floor((Date.now() - new Date().getTimezoneOffset() * 60_000) / 86_400_000);
  const question = new TextEncoder().encode(
    [ROOT, path, url.search.slice(1), day, sent].join("\n"),
  );
  try {
    // Memory that grows is another buffer, so the place comes first.
    const at = module.reserve(question.length);
    new Uint8Array(module.memory.buffer, at, question.length).set(question);
    module[work]();
    const [start, length] = [module.answer_at(), module.answer_length()];
    const bytes = new Uint8Array(module.memory.buffer, start, length).slice();
    const end = bytes.indexOf(10);
    return {
      ...JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))),
      body: bytes.subarray(end + 1),
    };
  } catch (error) {
    // What has trapped is not used again.
    engine = null;
    throw error;
  }
}

// A page's own worker: one long work, told as it goes.
if (
  typeof DedicatedWorkerGlobalScope !== "undefined" &&
  self instanceof DedicatedWorkerGlobalScope
) {
  self.onmessage = async ({ data }) => {
    hear = (name, told) => self.postMessage({ name, data: JSON.stringify(told) });
    const refusal = message => ({ name: "refusal", data: JSON.stringify({ error: { message } }) });
    try {
      const answer = await ask(new URL(data.tell), "tell");
      const text = new TextDecoder().decode(answer.body),
        end = text.indexOf("\n");
      if (answer.status === 200)
        self.postMessage({ name: text.slice(0, end), data: text.slice(end + 1) });
      else
        self.postMessage(
          answer.headers["content-type"] === "application/json"
            ? { name: "refusal", data: text }
            : refusal("this is not answered"),
        );
    } catch (error) {
      self.postMessage(refusal(`the work broke off: ${error.message}`));
    }
  };
}
