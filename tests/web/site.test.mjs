// The static site: every engine in the browser, without a server. Run by `cargo xtask web` where the site could be built:
// SITE=folder. Verdicts are held against those of `bouton`: BOUTON=path.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const site = process.env.SITE, skip = site ? false : "no static site was built (see SKIPPED above)";
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" };
let host, base, context, profile, asked = 0;

// A host that knows nothing but files, with the site under a path of its own.
before(async () => {
  if (skip) return;
  host = createServer((request, response) => {
    asked += 1;
    const url = new URL(request.url, "http://host");
    const name = normalize(decodeURIComponent(url.pathname)).replace(/^\/under\/a\/path/, "");
    let file = join(site, name);
    try {
      if (statSync(file).isDirectory()) {
        if (!url.pathname.endsWith("/")) { response.writeHead(301, { location: `${url.pathname}/${url.search}` }); return response.end(); }
        file = join(file, "index.html");
      }
      const bytes = readFileSync(file);
      response.writeHead(200, { "content-type": kinds[extname(file)] ?? "application/octet-stream" });
      response.end(bytes);
    } catch { response.writeHead(404); response.end(); }
  });
  await new Promise(done => host.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${host.address().port}/under/a/path`;
  profile = mkdtempSync(join(tmpdir(), "bouton-site-"));
  context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(60_000);
}, { timeout: 120_000 });

after(async () => {
  await context?.close();
  host?.close();
  host?.closeAllConnections();
  if (profile) rmSync(profile, { recursive: true, force: true });
});

async function open(path) {
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", error => page.complaints.push(String(error)));
  page.on("console", line => { if (line.type() === "error") page.complaints.push(line.text()); });
  page.on("request", request => { if (!request.url().startsWith(base) && !request.url().startsWith("data:")) page.complaints.push(request.url()); });
  await page.goto(base + path);
  return page;
}

const files = ["bouton.wasm", "engine.js", "sw.js", "boot.js", "manifest.webmanifest", "index.html", "assets/style.css", "assets/bouton.js", "assets/icon.svg"];
test("the site is small", { skip }, () => {
  const bytes = files.map(file => gzipSync(readFileSync(join(site, file)), { level: 9 }).length).reduce((a, b) => a + b);
  console.log(`the site: ${(bytes / 1e6).toFixed(2)} MB compressed`);
  assert.ok(bytes <= 2e6, `${bytes} bytes`);
});

test("an address on the first visit, then without a network", { skip, timeout: 180_000 }, async () => {
  const began = performance.now();
  const page = await open("/play?game=nim&at=3,4,5&slips=0");
  await page.locator("#board svg").waitFor();
  console.log(`first board after ${Math.round(performance.now() - began)} ms`);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  // The host is gone: whatever is asked now comes from the browser.
  host.close();
  host.closeAllConnections();
  const before = asked;
  const again = performance.now();
  await page.goto(`${base}/`);
  await page.locator(".family").first().waitFor();
  console.log(`home, offline, after ${Math.round(performance.now() - again)} ms`);
  await page.locator(".family a.button").first().click();
  await page.locator("#board svg").waitFor();
  // A whole game of Nim against perfect play, by the hints of the page.
  await page.goto(`${base}/play?game=nim&at=3,4,5&hints=on`);
  for (let turn = 0; turn < 20; turn++) {
    const said = await (await page.waitForFunction(() => document.getElementById("status")?.textContent)).jsonValue();
    if (said.includes("The game is over")) break;
    const count = await page.locator(".history ol li").count();
    await page.locator("#board a.wins").first().click();
    await page.waitForFunction(n => document.querySelectorAll(".history ol li").length > n, count);
  }
  assert.match(await page.locator(".stage").textContent(), /The game is over: You won\./);
  for (const path of ["/why?game=CN(4,2)&at=1,2,1,2", "/table?game=wythoff&at=x,y&to=20", "/strategy?game=Gamma(1,2;7)", "/ledger/claim?id=C4", "/prove?game=wythoff&claim=a%3Db", "/api/solve?game=nim&position=1,2,4"]) {
    const answer = await page.goto(base + path);
    assert.equal(answer.status(), 200, path);
    assert.ok(answer.fromServiceWorker(), path);
  }
  assert.deepEqual(page.complaints, []);
  assert.equal(asked, before);
  await page.close();
});

// All but what depends on the clock.
const plain = value => JSON.stringify(value, (key, inner) => (["seconds", "nodes_per_second"].includes(key) ? undefined : inner));

test("a study in a worker: told, stopped, and the same as the command line's", { skip, timeout: 300_000 }, async () => {
  const page = await open("/study?game=CN(4,2)");
  await page.locator("#article strong", { hasText: "Theorem" }).first().waitFor();
  assert.match(await page.locator("#status").textContent(), /Done in/);
  await page.goto(`${base}/study?game=CN(7,4)`);
  await page.waitForFunction(() => /steps/.test(document.getElementById("status").textContent));
  await page.locator("#stop").click();
  assert.match(await page.locator("#status").textContent(), /Stopped/);
  for (const game of ["CN(4,2)", "CN(6,3)", "SCN(4,2)", "wythoff", "NIM(1,3,4;n;d,e)"]) {
    const found = await page.evaluate(async ([root, name]) => {
      const worker = new Worker(`${root}/engine.js`);
      worker.postMessage({ tell: `${root}/api/study/stream?game=${encodeURIComponent(name)}` });
      return new Promise(done => { worker.onmessage = ({ data }) => { if (data.name !== "progress") { worker.terminate(); done(data); } }; });
    }, [base, game]);
    assert.equal(found.name, "answer", found.data);
    const native = JSON.parse(execFileSync(process.env.BOUTON, ["study", game, "--json"], { encoding: "utf8", maxBuffer: 1 << 28 }));
    const [here, there] = [JSON.parse(found.data), native];
    assert.equal(verdicts(here), verdicts(there), game);
  }
  assert.deepEqual(page.complaints, []);
  await page.close();
});

// Everything that a study decides: verdicts, forms, certificates.
function verdicts(study) {
  const kept = {};
  const walk = (value, path) => {
    if (value && typeof value === "object") for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
    else if (/\.(verdict|form|claim|whole|certificate|hash|period|preperiod|condition|statement)(\.|$)/.test(path)) kept[path] = value;
  };
  walk(JSON.parse(plain(study)), "");
  return JSON.stringify(kept, null, 1);
}
