// The page in a real browser. Run by `cargo xtask web`, which builds `bouton` and tells where it is: BOUTON=path.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const here = new URL(".", import.meta.url).pathname;
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
let server, base, context, profile;

before(async () => {
  server = spawn(process.env.BOUTON, ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  base = await new Promise((found, failed) => {
    let text = "";
    server.stdout.on("data", piece => {
      text += piece;
      const address = text.match(/http:\/\/[\d.:]+/);
      if (address) found(address[0]);
    });
    server.on("exit", code => failed(new Error(`bouton serve ended with ${code}`)));
  });
  profile = mkdtempSync(join(tmpdir(), "bouton-web-"));
  context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    bypassCSP: false,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(30_000);
}, { timeout: 120_000 });

after(async () => {
  await context?.close();
  server?.kill();
  if (profile) rmSync(profile, { recursive: true, force: true });
});

// A page that complains of nothing and asks nobody else.
async function open(path) {
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", error => page.complaints.push(String(error)));
  page.on("console", line => { if (line.type() === "error") page.complaints.push(line.text()); });
  page.on("request", request => { if (!request.url().startsWith(base) && !request.url().startsWith("data:")) page.complaints.push(request.url()); });
  await page.goto(base + path);
  return page;
}

// The live region is empty for a moment before it speaks.
async function status(page) {
  const said = await page.waitForFunction(() => document.getElementById("status")?.textContent);
  return said.jsonValue();
}
const turns = page => page.locator(".history ol li").count();
const query = (game, at) => `/play?game=${encodeURIComponent(game)}&at=${encodeURIComponent(at)}`;

// What the rules give, asked of the API: the winning moves of a position.
async function winning(page) {
  const line = new URL(page.url()).searchParams;
  const at = line.get("line") ? line.get("line").split("~").pop() : line.get("at") ?? "";
  const answer = await (await fetch(`${base}/api/solve?game=${encodeURIComponent(line.get("game"))}&position=${encodeURIComponent(at)}`)).json();
  return answer.moves.filter(move => move.outcome === "P").map(move => move.to);
}

// Waits until the move is made and answered.
async function moved(page, before) {
  await page.waitForFunction(count => document.querySelectorAll(".history ol li").length > count && !document.body.classList.contains("busy"), before);
}

// Games that the first player wins, each drawn in its own way.
const games = [["nim", "1,3,4"], ["Gamma(1,4;8)", ""], ["wythoff", "3,4"], ["kayles", "7"]];

test("a full game by mouse, on the board", { timeout: 240_000 }, async () => {
  for (const [game, at] of games) {
    const page = await open(query(game, at));
    for (let turn = 0; !(await status(page)).includes("The game is over"); turn++) {
      assert.ok(turn < 30, `${game} does not end`);
      const before = await turns(page);
      const good = await winning(page);
      assert.ok(good.length, `${game}: a won game slipped away`);
      // A part of the board whose move is a winning one; else the list.
      const links = page.locator("#board a");
      let clicked = false;
      for (let i = 0; i < await links.count() && !clicked; i++) {
        const to = new URL(await links.nth(i).getAttribute("href"), base).searchParams.get("to");
        if (good.includes(to)) { await links.nth(i).click(); clicked = true; }
      }
      if (!clicked) await page.locator(".moves a").first().click();
      await moved(page, before);
    }
    assert.match(await status(page), /Bouton cannot move\. The game is over: You won\./, game);
    assert.deepEqual(page.complaints, []);
    // Undo goes back to the last choice.
    const before = await turns(page);
    await page.locator("#undo").click();
    await page.waitForFunction(count => document.querySelectorAll(".history ol li").length < count, before);
    assert.match(await status(page), /Your turn\./);
    await page.close();
  }
});

test("a full game by keyboard alone", { timeout: 240_000 }, async () => {
  for (const [game, at] of games) {
    const page = await open(query(game, at));
    // From the top of the page by Tab to the board.
    let steps = 0;
    while (!(await page.evaluate(() => !!document.activeElement.closest("#board")))) {
      await page.keyboard.press("Tab");
      assert.ok(++steps < 30, `${game}: the board is not reached by Tab`);
    }
    for (let turn = 0; !(await status(page)).includes("The game is over"); turn++) {
      assert.ok(turn < 30, `${game} does not end`);
      const before = await turns(page);
      const good = await winning(page);
      // By arrow keys through the board to a winning move, breadth first over what the keys reach.
      const here = () => page.evaluate(() => document.activeElement.closest("#board a")?.getAttribute("href") ?? "");
      const wins = async () => good.includes(new URL(await here(), base).searchParams.get("to"));
      const seen = new Set();
      let found = await wins();
      for (let step = 0; !found && step < 60; step++) {
        seen.add(await here());
        for (const key of ["ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"]) {
          const from = await here();
          await page.keyboard.press(key);
          found = await wins();
          if (found || !seen.has(await here())) break;
          // Known already: look the other way.
          if (from !== (await here())) continue;
        }
      }
      if (found) {
        await page.keyboard.press("Enter");
        await moved(page, before);
        if (!(await status(page)).includes("The game is over")) {
          assert.ok(await page.evaluate(() => !!document.activeElement.closest("#board")), `${game}: the focus left the board`);
        }
      } else {
        // Typed notation.
        await page.locator("#typed").focus();
        await page.keyboard.type(good[0]);
        await page.keyboard.press("Enter");
        await moved(page, before);
        if (!(await status(page)).includes("The game is over")) {
          assert.equal(await page.evaluate(() => document.activeElement.id), "typed");
          await page.evaluate(() => document.querySelector("#board a")?.focus());
        }
      }
    }
    assert.match(await status(page), /You won\./, game);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test("several heaps at once on a circle", { timeout: 60_000 }, async () => {
  const page = await open(query("CN(4,2)", "2,3,2,2"));
  const before = await turns(page);
  // The heap of 3 down to 2 alone is a winning move; here one token from each of two neighbours, put together.
  await page.locator("#board [data-heap='0'][data-left='0']").focus();
  await page.evaluate(() => { document.getElementById("typed").dataset.heaps = "2,3,2,2"; });
  await page.locator("#board [data-heap='0'][data-left='1']").click();
  await page.locator("#board [data-heap='1'][data-left='1']").click();
  assert.equal(await page.locator("#typed").inputValue(), "1,1,2,2");
  await page.locator("#type button").click();
  await moved(page, before);
  assert.match(await page.locator(".history ol").textContent(), /1,1,2,2/);
  await page.close();
});

test("a position is shared by its address", { timeout: 60_000 }, async () => {
  const page = await open(query("nim", "3,5,7") + "&misere=1&slips=25");
  const before = await turns(page);
  await page.locator("#typed").fill("3,5,6");
  await page.keyboard.press("Enter");
  await moved(page, before);
  const line = await page.locator(".history ol").textContent();
  const other = await open(new URL(page.url()).pathname + new URL(page.url()).search);
  assert.equal(await other.locator(".history ol").textContent(), line);
  assert.match(await other.locator(".rules").textContent(), /Misère play/);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".history ol li").length === 1);
  await page.close();
  await other.close();
});

test("a claim is refuted, its counterexample set on the board, and another one proved", { timeout: 60_000 }, async () => {
  const page = await open("/prove");
  await page.locator("[name=game]").fill("CN(4,2)");
  await page.locator("#claim").fill("a = b");
  await page.keyboard.press("Enter");
  await page.locator("#result >> text=Refuted").waitFor();
  await page.locator("#result figure svg").first().waitFor();
  await page.locator("#result figure a").first().click();
  await page.locator("#board svg").waitFor();
  assert.match(await page.locator("#verdict").textContent(), /^[NP]:/);
  await page.goto(`${base}/prove`);
  await page.locator("[name=game]").fill("CN(4,2)");
  await page.locator("#claim").fill("a = c & b = d");
  await page.keyboard.press("Enter");
  await page.locator("#result >> text=Proved").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("a click on a table leads to the board", { timeout: 60_000 }, async () => {
  const page = await open("/table?game=wythoff&at=x,y&to=24");
  const [x, y] = [48 + 4 * 22 + 11, 30 + (24 - 7) * 22 + 11];
  await page.locator("input[type=image]").click({ position: { x, y } });
  await page.waitForURL(/\/play/);
  assert.equal(new URL(page.url()).searchParams.get("at"), "4,7");
  await page.close();
});

test("long work can be watched and stopped", { timeout: 90_000 }, async () => {
  const page = await open(query("Gamma(3,5;251)", ""));
  const longer = page.locator("#longer");
  await longer.click();
  await page.waitForFunction(() => /positions/.test(document.getElementById("progress").textContent));
  await longer.click();
  assert.equal(await page.locator("#progress").textContent(), "stopped");
  await page.close();
});

test("everything reads without scripts", { timeout: 60_000 }, async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(base + query("nim", "1,3,4"));
  await page.locator(".moves a").first().click();
  assert.match(await page.locator("#status").textContent(), /Bouton moved from/);
  await page.goto(`${base}/why?game=nim&at=1,2,3`);
  assert.match(await page.locator("table").textContent(), /1,2,2/);
  await browser.close();
});

const pages = [
  "/", query("nim", "1,3,5,7"), query("CN(4,2)", "1,2,1,2"), query("Gamma(1,4;8)", ""), query("dots(2x2)", ""), query("NIM(1,3,4;14;9,9)", ""),
  query("kayles", "1,11"), query("wythoff", "3,5"), query("kayles:7 + nim:4", ""), "/why?game=nim(3)&at=1,3,5", "/strategy?game=Gamma(1,2;7)",
  "/table", "/table?game=wythoff&at=x,y&of=nim-value", "/prove?game=wythoff&claim=a%3Db", "/ledger", "/ledger/claim?id=C4", "/play?game=bridge",
];

test("axe finds nothing", { timeout: 240_000 }, async () => {
  for (const [path, colorScheme] of [...pages.map(path => [path, "light"]), [pages[2], "dark"], [pages[13], "dark"]]) {
    const page = await open(path);
    await page.emulateMedia({ colorScheme });
    // The policy of the page forbids scripts by text; the browser's own door does not.
    const session = await context.newCDPSession(page);
    const run = async expression => (await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })).result.value;
    await run(axe + "; 0");
    const found = JSON.parse(await run("axe.run().then(r => JSON.stringify(r.violations.map(v => [v.id, v.help, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))])))"));
    assert.deepEqual(found, [], path);
    await page.close();
  }
});

// What a screen reader is told, as text; INSTA_UPDATE=always rewrites it – read the diff.
test("accessibility trees", { timeout: 120_000 }, async () => {
  for (const [name, path] of [["nim", query("nim", "1,2")], ["kotzig", query("Gamma(1,2;7)", "")], ["prove", `/prove?game=wythoff&claim=${encodeURIComponent("a = b")}`]]) {
    const page = await open(path);
    const tree = (await page.locator("main").ariaSnapshot()) + "\n";
    const file = join(here, "golden", `${name}.yaml`);
    mkdirSync(join(here, "golden"), { recursive: true });
    if (process.env.INSTA_UPDATE === "always" || !existsSync(file) && !process.env.CI) writeFileSync(file, tree);
    assert.equal(tree, readFileSync(file, "utf8"), name);
    await page.close();
  }
});
