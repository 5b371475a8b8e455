// Screenshots of the pages into docs/gallery: a telephone and a desk, light and dark. Run by `cargo
// xtask gallery`; what is named behind it are parts of the names of those to take.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import * as browsers from "./browser.mjs";

const folder =
  process.env.GALLERY ?? join(new URL(".", import.meta.url).pathname, "../../docs/gallery");
const only = process.argv.slice(2);
const q = (game, at, more = "") =>
  `/play?game=${encodeURIComponent(game)}&at=${encodeURIComponent(at)}${more}`;
const line = (game, turns, more = "") =>
  `/play?game=${encodeURIComponent(game)}&line=${encodeURIComponent(turns)}${more}`;
const pages = {
  home: "/",
  games: "/games?q=nim",
  families: "/games",
  sum: "/play?game=" + encodeURIComponent("kayles:7 + nim:4"),
  research: "/research",
  learn: "/learn",
  puzzles: "/puzzles",
  nim: line("nim", "3,4,5~1,4,5~1,4,3", "&hints=on"),
  circular: q("CN(4,2)", "3,2,4,2", "&with=1,2,4,2"),
  kotzig: line("Gamma(1,4;13)", "0/0~0,1/1~0,1,2/2"),
  wythoff: line("wythoff", "7,6~5,6~5,3"),
  kayles: line("kayles", "10~4,4~1,4,2"),
  shrinking: q("SCN(4,2)", "3,2,4,1"),
  coins: q("coins(1-2,1-3,1-4,2-3,2-4,3-4)", "-x----"),
  dots: "/move?game=dots(2x2)&line=-./.../../.../..&you=second",
  lesson: "/move?game=nim&line=1,2,3&you=second&lesson=nim-4",
  moore: q("moore(3)", "1,3,5,7", "&with=0,3,5,7"),
  complex: q("simplicial(1,2,3;3,4)", "2,3,3,1"),
  chomp: "/play?game=chomp",
  euclid: "/play?game=euclid",
  graph: "/play?game=node-kayles",
  hackenbush: "/play?game=green-hackenbush",
  purses: q("NIM(1,3,4)", "14,9,9"),
  why: "/why?game=CN(6,3)&at=3,1,4,2,2,3",
  mirror: "/why?game=kayles&at=10",
  golden: "/why?game=wythoff&at=7,6",
  cash: "/why?game=NIM(1,4;n;d,e)&at=14,9,9",
  parts: "/why?game=" + encodeURIComponent("kayles + nim") + "&at=" + encodeURIComponent("7 + 4"),
  rules:
    "/rules?name=queen-knight&heaps=2&symmetry=full&move=" +
    encodeURIComponent(
      "q0 = p0 | q1 = p1 | p0+q1 = p1+q0 | (p0 = q0+1 & p1 = q1+2) | (p0 = q0+2 & p1 = q1+1)",
    ),
  study: "/study?game=CN(6,3)",
  table: "/table?game=wythoff&at=x,y&of=nim-value&to=60",
  ledger: "/ledger",
  review: line("nim", "3,4,5~2,4,5~2,2,5~2,2,0~1,2,0~1,1,0~0,1,0~0,0,0", "&judge=on"),
  walk: "/why?game=Gamma(1,4;23)",
  worksheet: "/worksheet?game=nim(3)&seed=1",
  prove: "/prove",
  check: "/check",
};
const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };
// What the preview of a link shows, in the size that previews ask for.
const preview = join(
  new URL(".", import.meta.url).pathname,
  "../../crates/faces/page/assets/preview.png",
);

// A screenshot as a PNG of the 256 colours that are most frequent, the others as the nearest of
// them: a third of the bytes.
async function withPalette(png) {
  const page = await browser.newPage();
  const { width, height, base64 } = await page.evaluate(
    async source => {
      const picture = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(picture.width, picture.height),
        pen = canvas.getContext("2d");
      pen.drawImage(picture, 0, 0);
      const { data } = pen.getImageData(0, 0, picture.width, picture.height);
      let text = "";
      for (let at = 0; at < data.length; at += 4)
        text += String.fromCharCode(data[at], data[at + 1], data[at + 2]);
      return { width: picture.width, height: picture.height, base64: btoa(text) };
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  await page.close();
  const rgb = Buffer.from(base64, "base64"),
    count = new Map();
  for (let at = 0; at < rgb.length; at += 3)
    count.set(rgb.readUIntBE(at, 3), (count.get(rgb.readUIntBE(at, 3)) ?? 0) + 1);
  const palette = [...count]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 256)
    .map(([colour]) => colour);
  const apart = (a, b) =>
    ((a >> 16) - (b >> 16)) ** 2 +
    (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 +
    ((a & 255) - (b & 255)) ** 2;
  const nearest = new Map(
    [...count.keys()].map(colour => [
      colour,
      palette.reduce(
        (best, own, i) => (apart(own, colour) < apart(palette[best], colour) ? i : best),
        0,
      ),
    ]),
  );
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + x + 1] = nearest.get(rgb.readUIntBE(3 * (y * width + x), 3));
  const chunk = (name, bytes) => {
    const body = Buffer.concat([Buffer.from(name), bytes]),
      ends = Buffer.alloc(8);
    ends.writeUInt32BE(bytes.length, 0);
    let crc = 0xffffffff;
    for (const byte of body) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    ends.writeUInt32BE(~crc >>> 0, 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(
    palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const { base, close } = await browsers.serve();
const browser = await browsers.browser();
mkdirSync(folder, { recursive: true });
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
    for (const [name, path] of Object.entries(pages)) {
      const file = `${name}-${size}-${colorScheme}`;
      if (only.length && !only.some(part => file.includes(part))) continue;
      const page = await context.newPage();
      await page.goto(base + path);
      if (name === "study")
        await page.waitForFunction(
          () => /Done/.test(document.getElementById("status").textContent),
          null,
          { timeout: browser.timeout },
        );
      const session = await context.newCDPSession(page);
      const { data } = await session.send("Page.captureScreenshot", {
        format: "webp",
        quality: 45,
      });
      writeFileSync(join(folder, `${file}.webp`), Buffer.from(data, "base64"));
      await page.close();
    }
    await context.close();
  }
}
if (!only.length || only.includes("preview")) {
  const page = await browser.newPage({
    viewport: { width: 1200, height: 630 },
    colorScheme: "light",
  });
  await page.goto(base);
  writeFileSync(preview, await withPalette(await page.screenshot()));
}
await browser.close();
close();

// All of them on one page.
const shown = name =>
  ["phone-light", "phone-dark", "desk-light", "desk-dark"]
    .map(
      kind =>
        `[<img src="${name}-${kind}.webp" height="220" alt="${name}, ${kind.replace("-", ", ")}">](${name}-${kind}.webp)`,
    )
    .join(" ");
writeFileSync(
  join(folder, "README.md"),
  `# The pages\nMade by \`cargo xtask gallery\`: 390 × 844 and 1280 × 800, light and dark.\n\n${Object.keys(
    pages,
  )
    .map(name => `## ${name}\n${shown(name)}\n`)
    .join("\n")}`,
);
