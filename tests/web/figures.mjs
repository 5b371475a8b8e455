// Figures in the manner of Lighthouse, but measured here and named as what they are: BOUTON=path node figures.mjs
// Performance: the first and the largest paint and what moved, with a processor four times slower and a line of 1.6 Mbit/s
// with 150 ms; the rest: which share of named checks a page passes. The checks are axe's, and those listed below.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as browser from "./browser.mjs";

const axe = readFileSync(join(new URL(".", import.meta.url).pathname, "node_modules/axe-core/axe.min.js"), "utf8");
const server = await browser.serve();
const visitor = await browser.visitor({ viewport: { width: 390, height: 844 } });
const share = all => `${Math.round(100 * all.filter(passed => passed).length / all.length)} % of ${all.length}`;
const rows = [["page", "first paint", "largest paint", "layout shift", "accessibility (axe)", "best practices", "SEO"]];
for (const path of ["/", "/games", "/learn", "/learn?course=kayles&step=2", "/play?game=nim&at=3,4,5", "/why?game=nim&at=3,4,5", "/table?game=wythoff&at=x,y", "/puzzles", "/research"]) {
  const page = await visitor.context.newPage(), session = await visitor.context.newCDPSession(page);
  const complaints = [], failed = [];
  page.on("pageerror", error => complaints.push(error));
  page.on("console", line => { if (line.type() === "error") complaints.push(line.text()); });
  page.on("response", response => { if (response.status() >= 400) failed.push(response.url()); });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const answer = await page.goto(server.base + path, { waitUntil: "load" });
  const paint = await page.evaluate(() => new Promise(done => {
    let largest = 0, shift = 0;
    new PerformanceObserver(list => { for (const entry of list.getEntries()) largest = Math.max(largest, entry.startTime); }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver(list => { for (const entry of list.getEntries()) shift += entry.value; }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done({ first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0, largest, shift }), 1500);
  }));
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  const run = async expression => (await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })).result.value;
  await run(axe + "; 0");
  const [passes, violations] = JSON.parse(await run("axe.run().then(r => JSON.stringify([r.passes.length, r.violations.length]))"));
  const headers = answer.headers();
  const practices = [complaints.length === 0, failed.length === 0, "content-security-policy" in headers, headers["x-content-type-options"] === "nosniff", "referrer-policy" in headers,
    ...await page.evaluate(() => [document.doctype?.name === "html", document.characterSet === "UTF-8", [...document.images].every(image => image.alt !== null)])];
  const seo = await page.evaluate(() => [document.title.length > 5, (document.querySelector("meta[name=description]")?.content.length ?? 0) > 50, !!document.documentElement.lang, !!document.querySelector("meta[name=viewport]"),
    document.querySelectorAll("h1").length === 1, [...document.links].every(link => (link.textContent.trim() || link.getAttribute("aria-label") || link.getAttribute("aria-hidden") || link.closest("svg"))),
    !document.querySelector("meta[name=robots][content*=noindex]"), !!document.querySelector("meta[property='og:title']")]);
  seo.push(answer.status() === 200);
  const ms = number => `${Math.round(number)} ms`;
  rows.push([path, ms(paint.first), ms(paint.largest), paint.shift.toFixed(3), share([...Array(passes).fill(true), ...Array(violations).fill(false)]), share(practices), share(seo)]);
  await page.close();
}
rows.splice(1, 0, rows[0].map(() => "---"));
for (const row of rows) console.log(`| ${row.join(" | ")} |`);
await visitor.close();
server.close();
