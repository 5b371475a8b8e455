// What the static site costs: bytes, the first board, studies beside the native program in the same
// run. Run by `cargo xtask site-bench`: SITE=folder, BOUTON=path. Answers are asserted before times
// are printed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import * as browser from "./browser.mjs";

const site = process.env.SITE,
  times = 5;
const median = list => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const files = readdirSync(site, { recursive: true })
  .map(name => join(site, name))
  .filter(name => statSync(name).isFile());
const bytes = squeeze => files.reduce((sum, file) => sum + squeeze(readFileSync(file)).length, 0);
const megabytes = count => `${(count / 1e6).toFixed(2)} MB`;
console.log(
  `the site: ${megabytes(bytes(all => all))}; ${megabytes(bytes(all => gzipSync(all, { level: 9 })))} by gzip, ${megabytes(bytes(all => brotliCompressSync(all)))} by brotli`,
);

const host = await browser.host(site);
const first = [],
  next = [];
for (let round = 0; round < times; round++) {
  const visitor = await browser.visitor();
  for (const list of [first, next]) {
    const began = performance.now();
    const page = await browser.open(visitor.context, host.base, "/play?game=nim&at=3,4,5");
    await page.locator("#board svg").waitFor();
    list.push(performance.now() - began);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
  await visitor.close();
}
console.log(
  `first board: ${Math.round(median(first))} ms on the first visit, ${Math.round(median(next))} ms on the next (medians of ${times})`,
);

const visitor = await browser.visitor();
const page = await browser.open(visitor.context, host.base, "/");
await page.locator(".family").first().waitFor();
for (const game of ["CN(6,3)", "CN(6,4)", "CN(7,4)", "SCN(5,3)", "kayles"]) {
  const here = [],
    there = [];
  for (let round = 0; round < 3; round++) {
    const found = await browser.studied(page, host.base, game);
    assert.equal(found.name, "answer", found.data);
    here.push(found.milliseconds);
    const began = performance.now();
    const native = execFileSync(process.env.BOUTON, ["study", game, "--json"], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    there.push(performance.now() - began);
    assert.equal(browser.verdicts(found.data), browser.verdicts(native), game);
  }
  const [web, program] = [median(here), median(there)];
  console.log(
    `study ${game}: ${(web / 1000).toFixed(2)} s in the browser, ${(program / 1000).toFixed(2)} s by the program: ${(web / program).toFixed(2)} times`,
  );
}
await visitor.close();
host.close();
