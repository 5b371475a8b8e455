// The static site: every engine in the browser, without a server. Run by `cargo xtask web` where
// the site could be built: SITE=folder. Verdicts are compared with those of `bouton`: BOUTON=path.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as browser from "./browser.mjs";

const site = process.env.SITE,
  skip = site ? false : "no static site was built (see SKIPPED above)";
const { timeout } = browser;
let host, base, visitor;
const open = path => browser.open(visitor.context, base, path);

before(
  async () => {
    if (skip) return;
    host = await browser.host(site);
    base = host.base;
    visitor = await browser.visitor();
  },
  { timeout },
);

after(async () => {
  await visitor?.close();
  host?.close();
});

const files = [
  "bouton.wasm.lzma",
  "lzma.js",
  "engine.js",
  "sw.js",
  "boot.js",
  "manifest.webmanifest",
  "index.html",
  "assets/style.css",
  "assets/bouton.js",
  "assets/icon.svg",
  "assets/inter.woff2",
  "assets/math.woff2",
];
test("the site is small", { skip }, () => {
  const bytes = files
    .map(file => gzipSync(readFileSync(join(site, file)), { level: 9 }).length)
    .reduce((a, b) => a + b);
  console.log(`the site: ${(bytes / 1e6).toFixed(2)} MB compressed`);
  assert.ok(bytes <= 2e6, `${bytes} bytes`);
});

test("the module is unpacked as xz does it, and not from a part of it", { skip }, () => {
  const unpack = new Function(`${readFileSync(join(site, "lzma.js"), "utf8")}; return unpack;`)();
  const file = join(site, "bouton.wasm.lzma"),
    packed = new Uint8Array(readFileSync(file));
  const module = execFileSync("xz", ["--format=lzma", "--decompress", "--stdout", file], {
    maxBuffer: 1 << 28,
  });
  assert.ok(module.equals(unpack(packed)));
  assert.throws(() => unpack(packed.subarray(0, packed.length / 2)), /ends too early/);
  packed[packed.length >> 1] ^= 1;
  assert.throws(() => unpack(packed), /broken|ends too early/);
});

test("an address on the first visit, then without a network", { skip, timeout }, async () => {
  const page = await open("/play?game=nim&at=3,4,5&mistakes=0");
  await page.locator("#board svg").waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  // The host is gone: whatever is asked now comes from the browser.
  host.close();
  const before = host.asked;
  await page.goto(`${base}/`);
  await page.locator(".family").first().waitFor();
  await page.locator(".family a.button").first().click();
  await page.locator("#board svg").waitFor();
  // A whole game of Nim against perfect play, by the hints of the page.
  await page.goto(`${base}/play?game=nim&at=3,4,5&hints=on`);
  for (let turn = 0; turn < 20; turn++) {
    const said = await (
      await page.waitForFunction(() => document.getElementById("status")?.textContent)
    ).jsonValue();
    if (said.includes("The game is over")) break;
    const count = await page.locator(".history ol li").count();
    await page.locator("#board a.wins").first().click();
    await page.waitForFunction(n => document.querySelectorAll(".history ol li").length > n, count);
  }
  assert.match(
    await page.locator(".stage:not(.beside)").textContent(),
    /The game is over: you won\./,
  );
  for (const path of [
    "/why?game=CN(4,2)&at=1,2,1,2",
    "/table?game=wythoff&at=x,y&to=20",
    "/strategy?game=Gamma(1,2;7)",
    "/ledger/claim?id=C4",
    "/prove?game=wythoff&claim=a%3Db",
    "/rules?name=halves&heaps=1&move=p0%3C%3D2*q0",
    "/api/solve?game=nim&position=1,2,4",
  ]) {
    const answer = await page.goto(base + path);
    assert.equal(answer.status(), 200, path);
    assert.ok(answer.fromServiceWorker(), path);
  }
  // A certificate is made, sent and checked; nothing leaves the machine.
  await page.goto(`${base}/prove?game=CN(4,2)&claim=${encodeURIComponent("a = c & b = d")}`);
  await page.getByRole("button", { name: "Check the certificate" }).click();
  await page.locator("#result", { hasText: "Accepted." }).waitFor();
  // The typefaces come from the browser, too.
  assert.deepEqual(
    await page.evaluate(async () =>
      Promise.all(
        ["16px Inter", "16px 'Noto Sans Math'"].map(
          async face => (await document.fonts.load(face, "a")).length,
        ),
      ),
    ),
    [1, 1],
  );
  assert.deepEqual(page.complaints, []);
  assert.equal(host.asked, before);
  await page.close();
});

test(
  "a study in a worker: progress, stop, and the same as the command line's",
  { skip, timeout },
  async () => {
    const page = await open("/study?game=CN(4,2)");
    await page.locator("#article strong", { hasText: "Theorem" }).first().waitFor();
    assert.match(await page.locator("#status").textContent(), /Done in/);
    await page.goto(`${base}/study?game=CN(7,4)`);
    await page.waitForFunction(() => /steps/.test(document.getElementById("status").textContent));
    await page.locator("#stop").click();
    assert.match(await page.locator("#status").textContent(), /Stopped/);
    for (const game of ["CN(4,2)", "CN(6,3)", "SCN(4,2)", "wythoff", "NIM(1,3,4;n;d,e)"]) {
      const found = await browser.studied(page, base, game);
      assert.equal(found.name, "answer", found.data);
      const native = execFileSync(process.env.BOUTON, ["study", game, "--json"], {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      assert.equal(browser.verdicts(found.data), browser.verdicts(native), game);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  },
);
