// Figures in the manner of Lighthouse, but measured here and named as what they are. Run by `cargo
// xtask page-figures`: BOUTON=path node figures.mjs [--runs N] [--only PATH] [--write FILE]. Of N
// runs of a page the one with the middle performance is told. Performance: the first and the
// largest paint and what moved, with a processor four times slower and a line of 1.6 Mbit/s with
// 150 ms, and how long the page was busy after the first paint, weighed by the curves that
// Lighthouse publishes (its speed index, which needs a film, is taken to be the largest paint); the
// rest: which share of named checks a page passes. The checks are axe's, and those listed below.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as browser from "./browser.mjs";

const axe = readFileSync(
  join(new URL(".", import.meta.url).pathname, "node_modules/axe-core/axe.min.js"),
  "utf8",
);
const server = await browser.serve();
const visitor = await browser.visitor({ viewport: { width: 390, height: 844 } });
const share = all =>
  `${Math.round((100 * all.filter(passed => passed).length) / all.length)} % of ${all.length}`;

// Log-normal curves through .5 at the median and .9 at the tenth percentile of pages, for
// telephones.
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const tail =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) *
    t *
    Math.exp(-x * x);
  return Math.sign(x) * (1 - tail);
}
const curve = (median, tenth, value) =>
  value <= 0
    ? 1
    : (1 - erf((0.9061938024368232 * Math.log(value / median)) / -Math.log(tenth / median))) / 2;
const weighed = ({ first, largest, shift, busy }) =>
  Math.round(
    100 *
      (0.1 * curve(3000, 1800, first) +
        0.1 * curve(5800, 3387, largest) +
        0.25 * curve(4000, 2500, largest) +
        0.3 * curve(600, 200, busy) +
        0.25 * curve(0.25, 0.1, shift)),
  );

const after = name => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const runs = Number(after("--runs") ?? 3);
const rows = [
  [
    "page",
    "performance",
    "first paint",
    "largest paint",
    "busy",
    "layout shift",
    "accessibility (axe)",
    "best practices",
    "SEO",
  ],
];
// One visit of a page, with an empty cache.
async function visit(path) {
  const page = await visitor.context.newPage(),
    session = await visitor.context.newCDPSession(page);
  const complaints = [],
    failed = [];
  page.on("pageerror", error => complaints.push(error));
  page.on("console", line => {
    if (line.type() === "error") complaints.push(line.text());
  });
  page.on("response", response => {
    if (response.status() >= 400) failed.push(response.url());
  });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 1.6e6 / 8,
    uploadThroughput: 750e3 / 8,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const answer = await page.goto(server.base + path, { waitUntil: "load" });
  const paint = await page.evaluate(
    () =>
      new Promise(done => {
        let largest = 0,
          shift = 0;
        const tasks = [];
        new PerformanceObserver(list => tasks.push(...list.getEntries())).observe({
          type: "longtask",
          buffered: true,
        });
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) largest = Math.max(largest, entry.startTime);
        }).observe({ type: "largest-contentful-paint", buffered: true });
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) shift += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => {
          const first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
          // Of a task, what lies behind the first paint, as far as it is longer than 50 ms.
          const busy = tasks.reduce(
            (sum, { startTime, duration }) =>
              sum + Math.max(0, startTime + duration - Math.max(first, startTime) - 50),
            0,
          );
          done({ first, largest, shift, busy });
        }, 1500);
      }),
  );
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  const run = async expression =>
    (
      await session.send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
    ).result.value;
  await run(axe + "; 0");
  const [passes, violations] = JSON.parse(
    await run("axe.run().then(r => JSON.stringify([r.passes.length, r.violations.length]))"),
  );
  const headers = answer.headers();
  const practices = [
    complaints.length === 0,
    failed.length === 0,
    "content-security-policy" in headers,
    headers["x-content-type-options"] === "nosniff",
    "referrer-policy" in headers,
    ...(await page.evaluate(() => [
      document.doctype?.name === "html",
      document.characterSet === "UTF-8",
      [...document.images].every(image => image.alt !== null),
    ])),
  ];
  const seo = await page.evaluate(() => [
    document.title.length > 5,
    (document.querySelector("meta[name=description]")?.content.length ?? 0) > 50,
    !!document.documentElement.lang,
    !!document.querySelector("meta[name=viewport]"),
    document.querySelectorAll("h1").length === 1,
    [...document.links].every(
      link =>
        link.textContent.trim() ||
        link.getAttribute("aria-label") ||
        link.getAttribute("aria-hidden") ||
        link.closest("svg"),
    ),
    !document.querySelector("meta[name=robots][content*=noindex]"),
    !!document.querySelector("meta[property='og:title']"),
  ]);
  seo.push(answer.status() === 200);
  const ms = number => `${Math.round(number)} ms`;
  await page.close();
  const performance = weighed(paint),
    all = [...Array(passes).fill(true), ...Array(violations).fill(false)];
  return {
    performance,
    row: [
      path,
      performance,
      ms(paint.first),
      ms(paint.largest),
      ms(paint.busy),
      paint.shift.toFixed(3),
      share(all),
      share(practices),
      share(seo),
    ],
  };
}

const PAGES = [
  "/",
  "/games",
  "/learn",
  "/learn?course=kayles&step=2",
  "/play?game=nim&at=3,4,5",
  "/why?game=nim&at=3,4,5",
  "/table?game=wythoff&at=x,y",
  "/puzzles",
  "/research",
  "/study?game=CN(4,2)",
  "/prove?game=wythoff&claim=a%3Db",
  "/ledger",
  "/literature",
  "/rules?name=my-game&where=one&of=3&take=1,2,3&neighbours=2",
  "/worksheet?game=nim(3)&seed=1",
  "/check",
];
const only = after("--only");
for (const path of PAGES.filter(path => !only || path === only)) {
  const visits = [];
  for (let run = 0; run < runs; run++) visits.push(await visit(path));
  visits.sort((a, b) => a.performance - b.performance);
  rows.push(visits[runs >> 1].row);
}
rows.splice(
  1,
  0,
  rows[0].map(() => "---"),
);
const table = rows.map(row => `| ${row.join(" | ")} |`).join("\n");
console.log(table);
const file = after("--write");
if (file) writeFileSync(file, `${table}\n`);
await visitor.close();
server.close();
