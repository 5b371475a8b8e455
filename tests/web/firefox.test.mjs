// The page in the other engine: Firefox, where it can be had (FIREFOX=path). Run by `cargo xtask
// web`.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";
import { host, serve, timeout } from "./browser.mjs";

const executablePath = process.env.FIREFOX,
  site = process.env.SITE;
const skip = executablePath ? false : "there is no Firefox (see SKIPPED above)";
let server, firefox;

before(
  async () => {
    if (skip) return;
    server = await serve();
    firefox = await puppeteer.launch({
      browser: "firefox",
      executablePath,
      headless: true,
      protocolTimeout: timeout,
    });
  },
  { timeout },
);

after(async () => {
  await firefox?.close();
  server?.close();
});

async function open(address) {
  const page = await firefox.newPage();
  page.complaints = [];
  page.on("pageerror", error => page.complaints.push(String(error)));
  await page.goto(address);
  return page;
}

// What a function of the page tells, as soon as it tells something. (Firefox holds the one that
// puppeteer has to the page's own rules, which forbid to make functions of texts.)
async function until(page, tells, ...of) {
  for (
    const end = Date.now() + timeout;
    Date.now() < end;
    await new Promise(done => setTimeout(done, 50))
  ) {
    // The page that is asked may just be left for another.
    const result = await page.evaluate(tells, ...of).catch(() => null);
    if (result) return result;
  }
  assert.fail(`waited in vain for ${tells}`);
}

const is = (page, id, words) =>
  until(page, (id, words) => document.getElementById(id)?.textContent.includes(words), id, words);

// To the end by what the page marks as winning.
async function win(page) {
  for (let turn = 0; turn < 30; turn++) {
    const said = await until(page, () => document.getElementById("status")?.textContent);
    if (said.includes("The game is over")) return assert.match(said, /you won/);
    const count = await page.$$eval(".history ol li", all => all.length);
    const marked =
      (await page.$('#board a.wins[href^="/move"]')) ?? (await page.$(".moves li:first-child a"));
    await marked.click();
    await until(
      page,
      n =>
        document.querySelectorAll(".history ol li").length > n &&
        !document.body.classList.contains("busy"),
      count,
    );
  }
  assert.fail("the game does not end");
}

test("games are won, a game is studied, its certificate checked", { skip, timeout }, async () => {
  for (const [game, at] of [
    ["nim", "3,4,5"],
    ["Gamma(1,4;8)", ""],
    ["wythoff", "3,4"],
    ["kayles", "7"],
    ["SCN(4,2)", "3,2,4,1"],
  ]) {
    const page = await open(
      `${server.base}/play?game=${encodeURIComponent(game)}&at=${at}&hints=on`,
    );
    await win(page);
    assert.deepEqual(page.complaints, [], game);
    await page.close();
  }
  const page = await open(`${server.base}/study?game=CN(4,2)`);
  await is(page, "status", "Done in");
  await until(page, () => document.querySelector("#handover button") !== null);
  await page.click("#handover button");
  await is(page, "result", "Accepted.");
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test(
  "the static site without its host",
  { skip: skip || (site ? false : "no static site was built"), timeout },
  async () => {
    const files = await host(site);
    const page = await open(`${files.base}/play?game=nim&at=3,4,5&hints=on`);
    await until(page, () => document.querySelector("#board svg") !== null);
    await until(page, () => navigator.serviceWorker.controller !== null);
    files.close();
    await win(page);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },
);
