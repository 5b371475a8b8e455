// What every script here needs: bouton's server or a host of plain files, a browser, and pages that
// complain of nothing.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

// What has not happened after so many milliseconds is not going to happen, however busy the machine
// is.
export const timeout = 600_000;

const options = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

// `bouton serve` (BOUTON=path), its address and its end.
export async function serve() {
  const server = spawn(process.env.BOUTON, ["serve", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const base = await new Promise((found, failed) => {
    let text = "";
    server.stdout.on("data", piece => {
      text += piece;
      const address = text.match(/http:\/\/[\d.:]+/);
      if (address) found(address[0]);
    });
    server.on("exit", code => failed(new Error(`bouton serve ended with ${code}`)));
  });
  return { base, close: () => server.kill() };
}

const kinds = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

// A host that knows nothing but files, with the folder under a path of its own, and counts what it
// is asked.
export async function host(folder, under = "/under/a/path") {
  const counted = { asked: 0 };
  const server = createServer((request, response) => {
    counted.asked += 1;
    const url = new URL(request.url, "http://host");
    try {
      if (!url.pathname.startsWith(under)) throw new Error("elsewhere");
      let file = join(
        folder,
        normalize(decodeURIComponent(url.pathname.slice(under.length)) || "/"),
      );
      if (statSync(file).isDirectory()) {
        if (!url.pathname.endsWith("/")) {
          response.writeHead(301, { location: `${url.pathname}/${url.search}` });
          return response.end();
        }
        file = join(file, "index.html");
      }
      const bytes = readFileSync(file);
      response.writeHead(200, {
        "content-type": kinds[extname(file)] ?? "application/octet-stream",
      });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  counted.base = `http://127.0.0.1:${server.address().port}${under}`;
  counted.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return counted;
}

export const browser = () => chromium.launch(options);

// A browser with a profile of its own, which goes with it.
export async function visitor(more = {}) {
  const profile = mkdtempSync(join(tmpdir(), "bouton-web-"));
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    reducedMotion: "reduce",
    ...more,
  });
  context.setDefaultTimeout(timeout);
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

// A page that complains of nothing and asks nobody else.
export async function open(context, base, path) {
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", error => page.complaints.push(String(error)));
  // A browser asks for an icon where an answer is no page.
  page.on("console", line => {
    if (line.type() === "error" && !line.location().url.endsWith("/favicon.ico"))
      page.complaints.push(`${line.text()} ${line.location().url}`);
  });
  page.on("request", request => {
    if (!request.url().startsWith(base) && !request.url().startsWith("data:"))
      page.complaints.push(request.url());
  });
  await page.goto(base + path);
  return page;
}

// A study in a page's own worker, as the static site does one: the answer, and the milliseconds it
// took.
export function studied(page, root, game) {
  return page.evaluate(
    ([root, game]) =>
      new Promise(done => {
        const began = performance.now();
        const worker = new Worker(`${root}/engine.js`);
        worker.onmessage = ({ data }) => {
          if (data.name === "progress") return;
          worker.terminate();
          done({ ...data, milliseconds: performance.now() - began });
        };
        worker.postMessage({ tell: `${root}/api/study/stream?game=${encodeURIComponent(game)}` });
      }),
    [root, game],
  );
}

// Everything that a study (as JSON) decides: verdicts, forms, certificates; nothing that depends on
// the clock.
export function verdicts(study) {
  const kept = {};
  const walk = (value, path) => {
    if (value && typeof value === "object")
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
    else if (
      /\.(verdict|form|claim|whole|certificate|hash|period|preperiod|condition|statement)(\.|$)/.test(
        path,
      )
    )
      kept[path] = value;
  };
  walk(JSON.parse(study), "");
  return JSON.stringify(
    kept,
    (key, value) => (["seconds", "nodes_per_second"].includes(key) ? undefined : value),
    1,
  );
}
