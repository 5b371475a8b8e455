// The service worker: keeps the site's files for when there is no network, and answers every page
// from the engines.
"use strict";
importScripts("engine.js");
const VERSION = "bouton-VERSION";
const FILES = [
  "engine.js",
  "lzma.js",
  "manifest.webmanifest",
  "assets/style.css",
  "assets/bouton.js",
  "assets/icon.svg",
  "assets/inter.woff2",
  "assets/math.woff2",
];
const POLICY =
  "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; font-src 'self'; worker-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'";

self.addEventListener("install", event =>
  event.waitUntil(
    (async () => {
      const cache = await caches.open(VERSION);
      const [module] = await Promise.all([
        fetched(),
        cache.addAll(FILES.map(file => new Request(file, { cache: "reload" }))),
      ]);
      await cache.put(new URL("bouton.wasm", self.location), module);
      await self.skipWaiting();
    })(),
  ),
);

self.addEventListener("activate", event =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith("bouton-") && name !== VERSION) await caches.delete(name);
      await self.clients.claim();
    })(),
  ),
);

self.addEventListener("fetch", event => {
  const url = new URL(event.request.url);
  if (
    url.origin !== self.location.origin ||
    !(url.pathname + "/").startsWith(`${ROOT}/`) ||
    !["GET", "POST"].includes(event.request.method)
  )
    return;
  const path = url.pathname.slice(ROOT.length + 1);
  if (["sw.js", "boot.js", "bouton.wasm.lzma", "schema.json"].includes(path)) return;
  event.respondWith(FILES.includes(path) ? file(path, event.request) : page(url, event.request));
});

async function file(path, request) {
  return (await caches.match(new URL(path, self.location))) || fetch(request);
}

async function page(url, request) {
  try {
    const sent = request.method === "POST" ? await request.text() : "";
    let at = url,
      answer = await ask(url, "answer", sent);
    // What a script fetches is led on here, with the address it came to: Firefox does not follow a
    // worker's redirection there.
    for (; answer.headers.location && request.mode !== "navigate"; answer = await ask(at, "answer"))
      at = new URL(answer.headers.location, at);
    const { status, headers, body } = answer;
    if (headers.location) return Response.redirect(new URL(headers.location, url), status);
    return new Response(body, {
      status,
      headers: {
        ...headers,
        "content-location": at.pathname + at.search,
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      },
    });
  } catch (error) {
    return new Response(`The engines could not answer: ${error.message}. Load the page again.`, {
      status: 500,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  }
}
