// The page in a real browser. Run by `cargo xtask web`, which builds `bouton` and tells where it
// is: BOUTON=path.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import jsqrModule from "jsqr";
import * as browser from "./browser.mjs";

const here = new URL(".", import.meta.url).pathname;
const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
const { timeout } = browser;
const jsqr = jsqrModule.default ?? jsqrModule;
let server, base, visitor, context;
const open = path => browser.open(context, base, path);

before(
  async () => {
    server = await browser.serve();
    base = server.base;
    visitor = await browser.visitor();
    context = visitor.context;
  },
  { timeout },
);

after(async () => {
  await visitor?.close();
  server?.close();
});

// The live region is empty for a moment before it speaks.
async function status(page) {
  const said = await page.waitForFunction(() => document.getElementById("status")?.textContent);
  return said.jsonValue();
}
const turns = page => page.locator(".history ol li").count();
const query = (game, at) => `/play?game=${encodeURIComponent(game)}&at=${encodeURIComponent(at)}`;

// What the rules give, asked of the API: the position, and the moves that keep what there is to
// keep.
async function winning(page) {
  const line = new URL(page.url()).searchParams;
  const at = line.get("line") ? line.get("line").split("~").pop() : (line.get("at") ?? "");
  const answer = await (
    await fetch(
      `${base}/api/solve?game=${encodeURIComponent(line.get("game"))}&position=${encodeURIComponent(at)}`,
    )
  ).json();
  const good = answer.moves.filter(move =>
    answer.margin === null || answer.margin === undefined
      ? move.outcome === "P"
      : move.margin === answer.margin,
  );
  return { at: answer.position, good: good.map(move => move.to) };
}

// The list of moves is folded away until it is wanted.
const unfold = page =>
  page.locator("#moves").evaluate(list => {
    list.open = true;
  });

const ordinals = ["first", "second", "third", "fourth", "fifth"];

// Makes a winning move on the board, where one can be made there; `act` touches, clicks or presses.
async function winOnBoard(page, act) {
  const before = await turns(page);
  const { at, good } = await winning(page);
  assert.ok(good.length, "a won game was lost");
  if (await page.locator("#board a[aria-label^='heap ']").count()) {
    // Put together heap by heap.
    const from = at.split(",").map(Number);
    const to = good
      .map(text => text.split(",").map(Number))
      .find(heaps => heaps.length === from.length);
    if (to) {
      for (let i = 0; i < from.length; i++) {
        if (to[i] === from[i]) continue;
        await act(
          page.locator(
            `#board a[aria-label='heap ${i + 1}: take ${from[i] - to[i]}, keep ${to[i]}']`,
          ),
        );
        await page.waitForFunction(
          words =>
            !document.body.classList.contains("busy") &&
            document.getElementById("status").textContent.includes(words),
          from.length === 1 ? " token" : `from the ${ordinals[i]} heap`,
        );
      }
      await act(page.locator("#confirm"));
      return moved(page, before);
    }
  } else {
    const links = page.locator("#board a");
    for (let i = 0; i < (await links.count()); i++) {
      const to = new URL(await links.nth(i).getAttribute("href"), base).searchParams.get("to");
      if (good.includes(to)) {
        await act(links.nth(i));
        return moved(page, before);
      }
    }
  }
  await unfold(page);
  await act(
    page
      .locator(
        `.moves a[href$='to=${encodeURIComponent(good[0]).replaceAll("%2C", ",").replaceAll("+", "%2B").replaceAll("(", "%28").replaceAll(")", "%29")}']`,
      )
      .first(),
  );
  return moved(page, before);
}

// Waits until the move is made and answered.
async function moved(page, before) {
  await page.waitForFunction(
    count =>
      document.querySelectorAll(".history ol li").length > count &&
      !document.body.classList.contains("busy"),
    before,
  );
}

// Games that the first player wins, each drawn in its own way; those of the first page.
const games = [
  ["nim", "1,3,4"],
  ["Gamma(1,4;8)", ""],
  ["wythoff", "3,4"],
  ["kayles", "7"],
];
const openings = [
  ["nim", "3,4,5"],
  ["moore(3)", "1,3,5,7"],
  ["0.137", "9"],
  ["S(1,2,3)", "21"],
  ["CN(4,2)", "3,2,4,2"],
  ["SCN(4,2)", "3,2,4,1"],
  ["simplicial(1,2;2,3;3,4)", "2,3,3,1"],
  ["Gamma(1,4;13)", ""],
  ["NIM(1,3,4;14;9,9)", ""],
  ["NIM(1,3,4;17)", ""],
  ["dots(2x2)", ""],
  ["coins(1-2,2-3,3-0)", ""],
];

async function whole(page, name, act) {
  for (let turn = 0; !(await status(page)).includes("The game is over"); turn++) {
    assert.ok(turn < 30, `${name} does not end`);
    await winOnBoard(page, act);
  }
  assert.match(await status(page), /The game is over: you won/, name);
  assert.deepEqual(page.complaints, []);
}

test("a full game by mouse, on the board", { timeout }, async () => {
  for (const [game, at] of [...games, ...openings]) {
    const page = await open(query(game, at));
    await whole(page, game, part => part.click());
    // Undo goes back to the last choice.
    const before = await turns(page);
    await page.locator("#undo").click();
    await page.waitForFunction(
      count => document.querySelectorAll(".history ol li").length < count,
      before,
    );
    assert.match(await status(page), /Your turn\./);
    await page.close();
  }
});

test("a full game by touch, on a telephone", { timeout }, async () => {
  const other = await browser.browser();
  const phone = await other.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  for (const [game, at] of [...openings, ["wythoff", "7,6"], ["kayles", "7"]]) {
    const page = await phone.newPage();
    page.complaints = [];
    page.on("pageerror", error => page.complaints.push(String(error)));
    await page.goto(base + query(game, at));
    await whole(page, game, part => part.tap());
    // Nothing is wider than the telephone.
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), game);
    await page.close();
  }
  await other.close();
});

// Every part that makes a move takes the touch on at least 44 x 44 pixels, or there is another
// control of that size for it.
test("boards are for fingers", { timeout }, async () => {
  const other = await browser.browser();
  const phone = await other.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await phone.newPage();
  const sizes = parts =>
    page.locator(parts).evaluateAll(all =>
      all.map(part => {
        const box = part.getBoundingClientRect();
        return Math.min(box.width, box.height);
      }),
    );
  for (const [game, at] of [
    ["nim", "3,4,5"],
    ["nim", "1,3,5,7"],
    ["S(1,2,3)", "21"],
    ["kayles", "10"],
    ["0.137", "9"],
    ["kayles:7 + nim:4", ""],
    ["Gamma(1,4;13)", ""],
    ["NIM(1,3,4;17)", ""],
    ["dots(2x2)", ""],
    ["dots(3x3)", ""],
  ]) {
    await page.goto(base + query(game, at));
    const found = await sizes("#board a");
    assert.ok(found.length && found.every(size => size >= 44), `${game}: ${found.map(Math.round)}`);
  }
  // Where there is no room for that: a field for each heap, or a button for each move.
  for (const [game, at, parts] of [
    ["CN(6,3)", "3,1,4,2,2,3", ".numbers input:not([type=hidden]), .numbers button"],
    ["nim", "40,3", ".numbers input:not([type=hidden]), .numbers button"],
    ["wythoff", "12,17", ".numbers input:not([type=hidden]), .numbers button"],
    ["Gamma(1,4;29)", "", ".steps a"],
    ["coins(1-2,2-3,3-0)", "", ".steps a"],
  ]) {
    await page.goto(base + query(game, at));
    const found = await sizes(parts);
    assert.ok(
      found.length >= 2 && found.every(size => size >= 44),
      `${game}: ${found.map(Math.round)}`,
    );
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), game);
  }
  // A move by numbers.
  await page.goto(base + query("nim", "40,3"));
  await page.locator("#left1").fill("3");
  await page.locator(".numbers > button").tap();
  await page.locator("#status", { hasText: "Bouton took" }).waitFor();
  // One token more or less: by a link where the board shows half-made moves, else in the field.
  await page.goto(base + query("CN(4,2)", "3,2,4,2"));
  await page.locator(".numbers .step").first().tap();
  await page.locator("#status", { hasText: "take 1 from the first heap" }).waitFor();
  assert.equal(await page.locator("#left1").inputValue(), "2");
  await page.goto(base + query("nim", "40,3"));
  await page.locator(".numbers .step").first().tap();
  assert.equal(await page.locator("#left1").inputValue(), "39");
  // The doors are all on the screen, at the bottom.
  for (const door of ["Play", "Learn", "Research"]) {
    const box = await page.locator(".doors").getByRole("link", { name: door }).boundingBox();
    assert.ok(
      box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844 && box.height >= 44,
      door,
    );
  }
  await other.close();
});

// The game and the position with which each family begins, as its card on the page of all games
// says.
async function families(page) {
  await page.goto(`${base}/games`);
  const cards = await page
    .locator(".families a.picture")
    .evaluateAll(all => all.map(card => card.href));
  return cards
    .map(href => new URL(href).searchParams)
    .map(asked => [asked.get("game"), asked.get("at") ?? ""]);
}

// A control that makes a winning move and is at least 44 pixels wide and high: a part of the board,
// the fields of heaps, a button, or else the list of moves.
async function winByTouch(page, name) {
  const before = await turns(page),
    { at, good } = await winning(page);
  assert.ok(good.length, `${name}: a won game was lost`);
  const size = async part => {
    const box = await part.boundingBox();
    return box ? Math.min(box.width, box.height) : 0;
  };
  const tap = async part => {
    await part.scrollIntoViewIfNeeded();
    const found = await size(part);
    assert.ok(found >= 43.5, `${name} at ${at}: a control of ${found} pixels`);
    await part.tap();
  };
  const to = href => new URL(href, base).searchParams.get("to");
  for (const controls of ["#board a[href^='/move']", ".steps a"]) {
    for (const link of await page.locator(controls).all()) {
      if (good.includes(to(await link.getAttribute("href"))) && (await size(link)) >= 43.5) {
        await tap(link);
        return moved(page, before);
      }
    }
  }
  const from = at.split(",").map(Number),
    fields = page.locator(".numbers input:not([type=hidden])");
  const kept = good
    .map(text => text.split(",").map(Number))
    .find(heaps => heaps.length === from.length && heaps.every((heap, i) => heap <= from[i]));
  if (kept && (await fields.count()) === from.length) {
    for (let i = 0; i < from.length; i++) {
      if (kept[i] === from[i]) continue;
      await tap(fields.nth(i));
      await fields.nth(i).fill(String(kept[i]));
    }
    await tap(page.locator(".numbers > button"));
    return moved(page, before);
  }
  // Put together heap by heap.
  const token = i =>
    page.locator(
      `#board a[aria-label='heap ${i + 1}: take ${from[i] - kept[i]}, keep ${kept[i]}']`,
    );
  const lowered = kept ? [...from.keys()].filter(i => kept[i] < from[i]) : [];
  if (kept && (await page.locator("#board a[aria-label^='heap ']").count())) {
    for (const i of lowered) {
      await tap(token(i));
      await page.waitForFunction(
        words =>
          !document.body.classList.contains("busy") &&
          document.getElementById("status").textContent.includes(words),
        from.length === 1 ? " token" : `from the ${ordinals[i]} heap`,
      );
    }
    await tap(page.locator("#confirm"));
    return moved(page, before);
  }
  if (!(await page.locator("#moves").evaluate(list => list.open)))
    await tap(page.locator("#moves summary"));
  for (const link of await page.locator(".moves a").all())
    if (good.includes(to(await link.getAttribute("href")))) {
      await tap(link);
      return moved(page, before);
    }
  assert.fail(`${name} at ${at}: no control for ${good}`);
}

// Games of the shelf: squares and joints of two, coins, heaps, graphs, sheets and cards.
const shelf = [
  ["chomp", ""],
  ["cram", "../../.."],
  ["grundys-game", "9"],
  ["treblecross", "7"],
  ["northcott", ""],
  ["silver-dollar", ""],
  ["turning-turtles", ""],
  ["staircase", ""],
  ["green-hackenbush", "0-1,1-2,1-3"],
  ["euclid", ""],
  ["node-kayles", ""],
  ["geography", "1;1-2,1-3,3-4"],
  ["permutation-game", "3,1,2,5,4"],
  ["chocolate-bar", "2x3"],
  ["kayles-on-a-circle", "[3,2]"],
];

test(
  "each family and games of the shelf are played to their end by touch, on targets of 44 pixels",
  { timeout },
  async () => {
    const other = await browser.browser();
    const phone = await other.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: "reduce",
    });
    try {
      const page = await phone.newPage(),
        all = await families(page);
      assert.ok(all.length >= 16, `${all}`);
      for (const [game, at] of [...all, ...shelf]) {
        await page.goto(base + query(game, at));
        for (let turn = 0; !(await status(page)).includes("The game is over"); turn++) {
          assert.ok(turn < 40, `${game} does not end`);
          await winByTouch(page, game);
        }
        assert.match(await status(page), /The game is over: you won/, game);
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          game,
        );
      }
    } finally {
      await other.close();
    }
  },
);

test("sound is off until it is asked for, and kept", { timeout }, async () => {
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.tones = 0;
    window.AudioContext = class {
      currentTime = 0;
      createOscillator() {
        window.tones++;
        return { frequency: {}, connect: to => to, start() {}, stop() {} };
      }
      createGain() {
        return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
      }
    };
  });
  const tones = () => page.evaluate(() => window.tones);
  await page.goto(base + query("nim", "3,4,5"));
  await winOnBoard(page, part => part.click());
  assert.equal(await tones(), 0);
  await page.locator("#sound").click();
  assert.equal(await page.locator("#sound").getAttribute("aria-pressed"), "true");
  const heard = await tones();
  await winOnBoard(page, part => part.click());
  assert.ok((await tones()) > heard);
  await page.reload();
  assert.equal(await page.locator("#sound").getAttribute("aria-pressed"), "true");
  await page.locator("#sound").click();
  assert.equal(await page.locator("#sound").getAttribute("aria-pressed"), "false");
  await page.close();
});

test("one search box finds games, and tabs keep the game", { timeout }, async () => {
  const page = await open("/");
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  await page.keyboard.type("wyt");
  await page.keyboard.press("Enter");
  // The first page has such a card, too.
  await page.waitForURL(/[?&]q=wyt/);
  await page.locator(".family", { hasText: "wythoff" }).first().waitFor();
  await page.goto(base + "/play?game=nim&line=3,4,5~1,4,5");
  for (const tab of ["Why", "Table", "Theorem", "Worksheet", "Board"]) {
    await page.locator(".tabs").getByRole("link", { name: tab, exact: true }).click();
    await page.locator(".tabs [aria-current]", { hasText: tab }).waitFor();
  }
  assert.match(await page.locator(".history ol").textContent(), /1,4,5/);
  await page.locator(".tabs").getByRole("link", { name: "Share" }).click();
  await page.locator("#copy").waitFor({ state: "attached" });
  assert.ok(await page.locator("#share").evaluate(details => details.open));
  assert.deepEqual(page.complaints, []);
  await page.close();
});

// Goes to a part by the keys alone, by arrows on the board and by Tab elsewhere, and presses Enter
// there.
async function press(page, part) {
  const target = await part.elementHandle();
  const there = () => target.evaluate(part => document.activeElement === part);
  const onBoard = await target.evaluate(part => !!part.closest("#board"));
  const seen = new Map();
  for (let step = 0; !(await there()); step++) {
    assert.ok(step < 250, "a part is not reached by the keys");
    const way =
      onBoard &&
      (await target.evaluate(part => {
        const here = document.activeElement.closest("#board a");
        if (!here) return null;
        const middle = of => {
          const b = of.getBoundingClientRect();
          return [b.left + b.width / 2, b.top + b.height / 2];
        };
        const [x, y] = middle(part),
          [a, b] = middle(here);
        const across = x > a ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"],
          along = y > b ? ["ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown"];
        const [first, second] =
          Math.abs(x - a) > Math.abs(y - b) ? [across, along] : [along, across];
        return { at: here.getAttribute("href"), keys: [first[0], second[0], second[1], first[1]] };
      }));
    // Where a way has been gone already, the next one.
    const gone = way ? (seen.get(way.at) ?? 0) : 0;
    if (way) seen.set(way.at, gone + 1);
    await page.keyboard.press(way ? way.keys[gone % 4] : "Tab");
  }
  await page.keyboard.press("Enter");
}

test("a full game by keyboard alone", { timeout }, async () => {
  for (const [game, at] of [...games, ...openings]) {
    const page = await open(query(game, at));
    // From the top of the page by Tab to the board.
    let steps = 0;
    while (!(await page.evaluate(() => !!document.activeElement.closest("#board")))) {
      await page.keyboard.press("Tab");
      assert.ok(++steps < 30, `${game}: the board is not reached by Tab`);
    }
    await whole(page, game, part => press(page, part));
    await page.close();
  }
  // Typed notation, in the list that opens by its own key; the focus stays where one types.
  const page = await open(query("nim", "1,3,4"));
  await page.locator("#moves summary").focus();
  await page.keyboard.press("Enter");
  await page.locator("#typed").focus();
  const before = await turns(page);
  await page.keyboard.type((await winning(page)).good[0]);
  await page.keyboard.press("Enter");
  await moved(page, before);
  assert.equal(await page.evaluate(() => document.activeElement.id), "typed");
  await page.close();
});

test("several heaps at once on a circle", { timeout }, async () => {
  const page = await open(query("CN(4,2)", "2,3,2,2"));
  const before = await turns(page);
  // One token from each of two neighbours, put together; what stands opposite looks still.
  await page.locator("#board a[aria-label='heap 1: take 1, keep 1']").click();
  await page.locator("#confirm").waitFor();
  assert.equal(await page.locator("#board .still").count(), 2);
  await page.locator("#board a[aria-label='heap 2: take 2, keep 1']").click();
  await page.waitForFunction(() =>
    document.getElementById("status").textContent.includes("2 from the second heap"),
  );
  // Put back, and chosen again, by keyboard.
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.getElementById("confirm"));
  for (const label of ["heap 1: take 1, keep 1", "heap 2: take 2, keep 1"]) {
    await page.locator(`#board a[aria-label='${label}']`).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      words => document.getElementById("status").textContent.includes(words),
      `from the ${ordinals[label[5] - 1]} heap`,
    );
  }
  await page.locator("#confirm").click();
  await moved(page, before);
  assert.match(await page.locator(".history ol").textContent(), /1,1,2,2/);
  await page.close();
});

test("a position is shared by its address", { timeout }, async () => {
  const page = await open(query("nim", "3,5,7") + "&misere=1&mistakes=25");
  const before = await turns(page);
  await unfold(page);
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

test(
  "a claim is refuted, its counterexample set on the board, and another one proved",
  { timeout },
  async () => {
    const page = await open("/prove");
    await page.locator("[name=game]").fill("CN(4,2)");
    await page.locator("#claim").fill("a = b");
    await page.keyboard.press("Enter");
    await page.locator("#result >> text=Refuted").waitFor();
    await page.locator("#result figure svg").first().waitFor();
    await page.locator("#result figure a").first().click();
    await page.locator("#board svg").waitFor();
    await page.locator("#hint").click();
    await page.locator("#verdict").waitFor();
    await page.goto(`${base}/prove`);
    await page.locator("[name=game]").fill("CN(4,2)");
    await page.locator("#claim").fill("a = c & b = d");
    await page.keyboard.press("Enter");
    await page.locator("#result >> text=Proved").waitFor();
    assert.deepEqual(page.complaints, []);
    await page.close();
  },
);

test("a click on a table leads to the board", { timeout }, async () => {
  const page = await open("/table?game=wythoff&at=x,y&to=24");
  const [x, y] = [48 + 4 * 22 + 11, 30 + (24 - 7) * 22 + 11];
  await page.locator("input[type=image]").click({ position: { x, y } });
  await page.waitForURL(/\/play/);
  assert.equal(new URL(page.url()).searchParams.get("at"), "4,7");
  await page.close();
});

test("board and table stand side by side when asked", { timeout }, async () => {
  const page = await open(query("nim", "3,4,5"));
  for (const [game, at] of [
    ["nim", "3,4,5"],
    ["wythoff", "7,6"],
    ["CN(4,2)", "3,2,4,2"],
    ["kayles", "4,4"],
    ["Gamma(1,4;13)", ""],
    ["NIM(1,3,4;14;9,9)", ""],
    ["kayles", "10"],
    ["S(1,2,3)", "21"],
  ]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(base + query(game, at));
    assert.equal(await page.locator("#nearby input[src]").count(), 0, game);
    await page.locator("#beside summary").click();
    await page.waitForFunction(() => {
      const map = document.querySelector("#nearby input");
      return map
        ? map.complete !== false && map.hasAttribute("src")
        : document.querySelector(".heaps a");
    });
    const [board, table] = [
      await page.locator("#board").boundingBox(),
      await page.locator(".beside").boundingBox(),
    ];
    assert.ok(
      table.x > board.x + board.width / 2 && table.y < board.y + board.height,
      `${game}: side by side`,
    );
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), game);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(base + query(game, at));
    assert.ok(!(await page.locator(".beside").isVisible()), game);
    // What is not seen is not computed.
    assert.equal(await page.locator("#nearby input[src]").count(), 0, game);
  }
  // A heap of the list is a move, or a game from there.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(base + query("S(1,2,3)", "21"));
  const before = await turns(page);
  await page.locator("#beside summary").click();
  await page.locator(".heaps a", { hasText: /^20/ }).click();
  await moved(page, before);
  // Unfolded, it stays so in this game, and no longer.
  await page.locator(".heaps a").first().waitFor();
  await page.goto(base + query("nim", "1,2"));
  assert.ok(!(await page.locator("#nearby").isVisible()));
  await page.locator("#beside summary").click();
  await page.locator("#nearby").waitFor();
  // Puzzles and lessons give nothing away.
  await page.goto(`${base}/move?game=nim&line=1,2,3&you=second&lesson=nim-4`);
  assert.equal(await page.locator(".beside").count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("a game by its keys: hint, undo, review, anew, and what they are", { timeout }, async () => {
  const page = await open(query("nim", "3,4,5"));
  await page.keyboard.press("h");
  await page.locator("#verdict", { hasText: "Look at heap 1" }).waitFor();
  await page.keyboard.press("h");
  await page.locator("#verdict .bar", { hasText: "II · Bouton" }).waitFor();
  const before = await turns(page);
  await page.locator("#board a:not(.wins)").first().click();
  await moved(page, before);
  await page.keyboard.press("r");
  await page.locator(".history .bad", { hasText: "throws the win away" }).waitFor();
  await page.keyboard.press("u");
  await page.waitForFunction(
    count => document.querySelectorAll(".history ol li").length === count,
    before,
  );
  await page.locator("#board a").first().click();
  await moved(page, before);
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.querySelectorAll(".history ol li").length === 1);
  await page.keyboard.press("?");
  await page.locator("#keys dl").waitFor();
  // What is typed is no command.
  await page.keyboard.press("/");
  await page.keyboard.type("nhur?");
  assert.equal(await page.locator("#search").inputValue(), "nhur?");
  // For a class: the board alone, until Escape.
  await page.evaluate(() => {
    document.getElementById("share").open = true;
  });
  await page.locator("#projector").click();
  assert.ok(
    !(await page.locator("header").isVisible()) && (await page.locator("#board").isVisible()),
  );
  await page.evaluate(() => document.fullscreenElement && document.exitFullscreen());
  await page.keyboard.press("Escape");
  await page.locator("header").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("research opens on something to look at", { timeout }, async () => {
  for (const [path, part] of [
    ["/table", "#sheet input.map"],
    ["/prove", "#result >> text=Proved"],
    ["/study", "#article strong"],
    ["/rules", "#made figure svg"],
    ["/ledger", ".ledger .v-refuted"],
  ]) {
    const page = await open(path);
    await page.locator(part).first().waitFor();
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
  // Rules as a program.
  const page = await open("/rules");
  await page.locator("#program summary").click();
  await page.locator("#program textarea").pressSequentially(" ");
  await page.locator("#made h2", { hasText: "divide" }).waitFor();
  await page.locator("#made a", { hasText: "Play" }).click();
  await page.locator("#board, .moves").first().waitFor();
  await page.close();
});

test("the table beside a board follows sliders and plays", { timeout }, async () => {
  const page = await open(query("CN(4,2)", "3,2,4,1") + "&hints=on");
  await page.setViewportSize({ width: 1440, height: 900 });
  const [board, table] = [
    await page.locator("#board").boundingBox(),
    await page.locator(".beside").boundingBox(),
  ];
  assert.ok(
    table.x > board.x + board.width / 2 && table.y < board.y + board.height,
    "side by side",
  );
  await page.locator("#part2").focus();
  await page.keyboard.press("ArrowRight");
  await page.locator("#nearby [src*='x,y,5,1'], #nearby [src*='x%2Cy%2C5%2C1']").waitFor();
  await page.waitForFunction(() =>
    document.querySelector(".history ol").textContent.includes("3,2,5,1"),
  );
  const click = async (x, y) =>
    page
      .locator("#nearby input")
      .click({ position: { x: 48 + x * 22 + 11, y: 30 + (16 - y) * 22 + 11 } });
  const before = await turns(page);
  await click(1, 2);
  await moved(page, before);
  assert.match(await page.locator(".history ol").textContent(), /1,2,5,1/);
  assert.deepEqual(page.complaints, []);
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page.goto(base + query("CN(4,2)", "3,2,4,1") + "&hints=on");
  const columns = await page
    .locator(".play > *")
    .evaluateAll(all => all.map(part => part.getBoundingClientRect().x));
  assert.equal(new Set(columns.map(Math.round)).size, 3);
  await page.close();
});

// Boards that are shown after a move: the own move, then the reply; and how long the change of one
// takes.
test(
  "moves and replies are shown one after the other, unless motion is unwanted",
  { timeout },
  async () => {
    const other = await browser.browser();
    for (const [reducedMotion, boards] of [
      ["no-preference", 2],
      ["reduce", 1],
    ]) {
      const page = await (await other.newContext({ reducedMotion })).newPage();
      await page.goto(base + query("nim", "3,4,5"));
      await page.evaluate(() => {
        window.seen = [];
        window.lasted = new Set();
        new MutationObserver(() => {
          const svg = document.querySelector("#board svg");
          if (svg && svg !== window.seen.at(-1)) window.seen.push(svg);
        }).observe(document.getElementById("main"), { childList: true, subtree: true });
        const watch = () => {
          document.getAnimations().forEach(a => {
            const { duration } = a.effect.getTiming();
            if (duration) window.lasted.add(duration);
          });
          requestAnimationFrame(watch);
        };
        watch();
      });
      const before = await turns(page);
      await page.locator("#board a").first().click();
      await moved(page, before);
      const [seen, lasted] = await page.evaluate(() => [window.seen.length, [...window.lasted]]);
      assert.equal(seen, boards, reducedMotion);
      assert.equal(lasted.length > 0, boards === 2);
      assert.ok(
        lasted.every(ms => ms >= 150 && ms <= 250),
        String(lasted),
      );
      await page.close();
    }
    await other.close();
  },
);

test("a position is shown to telephones as a code", { timeout }, async () => {
  const page = await open(query("nim", "3,4,5"));
  await page.locator("#share summary").click();
  await page.locator("#qr img").waitFor();
  const { data, side } = await page.locator("#qr img").evaluate(image => {
    const canvas = document.createElement("canvas"),
      side = (canvas.width = canvas.height = 8 * 60),
      pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, side, side);
    return { data: [...pen.getImageData(0, 0, side, side).data], side };
  });
  const address = await page.locator("#share [data-copy]").evaluate(link => link.href);
  assert.equal(jsqr(Uint8ClampedArray.from(data), side, side)?.data, address);
  assert.match(await page.locator("#qr figcaption").textContent(), /Only this machine/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("puzzles that are solved are marked, and days in a row counted", { timeout }, async () => {
  const page = await open("/puzzles");
  const today = Number(await page.locator("#streak").getAttribute("data-today"));
  assert.ok(await page.locator("#streak").isHidden());
  for (const day of [today - 1, today]) {
    await page.goto(`${base}/puzzle?day=${day}&level=1`);
    const before = await turns(page),
      { good } = await winning(page);
    await unfold(page);
    await page.locator("#typed").fill(good[0]);
    await page.keyboard.press("Enter");
    await moved(page, before);
    await page.locator(`[data-solved='${day}-1']`).waitFor();
  }
  await page.goto(`${base}/puzzles`);
  assert.equal(await page.locator("[data-puzzle].good").count(), 2);
  assert.equal(await page.locator("#streak").textContent(), "2 days in a row");
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("long work can be watched and stopped", { timeout }, async () => {
  const page = await open(query("Gamma(7,10;251)", "") + "&hints=hint");
  const longer = page.locator("#longer");
  await longer.click();
  await page.waitForFunction(() =>
    /positions/.test(document.getElementById("progress").textContent),
  );
  await longer.click();
  assert.equal(await page.locator("#progress").textContent(), "stopped");
  await page.close();
});

test("a study reports progress, can be stopped, and ends in a theorem", { timeout }, async () => {
  const page = await open("/study?game=CN(4,2)");
  await page.locator("#article strong", { hasText: "Theorem" }).first().waitFor();
  assert.match(await page.locator("#status").textContent(), /^Done in/);
  await page.goto(`${base}/study?game=CN(8,6)`);
  await page.locator("#stop").click();
  assert.match(await page.locator("#status").textContent(), /^Stopped/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("a theorem's certificate is checked, kept, and written for Coq", { timeout }, async () => {
  const page = await open("/study?game=CN(4,2)");
  await page.locator("#handover").waitFor();
  for (const [kind, words] of [
    ["html", "Theorem"],
    ["tex", "\\begin{theorem}"],
  ]) {
    const report = page.waitForEvent("download");
    await page.locator(`#reports [data-report=${kind}]`).click();
    assert.equal((await report).suggestedFilename(), `cn-4-2.${kind}`);
    const text = readFileSync(await (await report).path(), "utf8");
    assert.ok(text.includes(words), kind);
    // A page that is kept has its typefaces in it.
    assert.equal(text.split('url("data:font/woff2').length, kind === "html" ? 3 : 1, kind);
  }
  const kept = page.waitForEvent("download");
  await page.locator("#save").click();
  assert.equal((await kept).suggestedFilename(), "cn-4-2.cert");
  const file = await (await kept).path(),
    certificate = readFileSync(file, "utf8");
  await page.locator("#handover button", { hasText: "Check" }).click();
  await page.locator("#result", { hasText: "Accepted." }).waitFor();
  const coq = page.waitForEvent("download");
  await page.getByRole("button", { name: "The theorem for Coq" }).click();
  assert.match(
    readFileSync(await (await coq).path(), "utf8"),
    /Theorem theorem[^]*circular_nim 4 2[^]*Print Assumptions/,
  );
  // Chosen as a file; and with one letter changed.
  await page.goto(`${base}/check`);
  await page
    .locator("#file")
    .setInputFiles({ name: "cn.cert", mimeType: "text/plain", buffer: Buffer.from(certificate) });
  await page.locator("#result", { hasText: "Accepted." }).waitFor();
  await page.locator("#certificate").fill(certificate.replace("a = c", "a = b"));
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.locator("#result", { hasText: "Rejected." }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("hints come in steps, moves are judged, games are remembered", { timeout }, async () => {
  const page = await open(query("nim", "3,4,5"));
  const text = () => page.locator("main").textContent();
  assert.doesNotMatch(await text(), /nim-value|wins\./);
  await page.locator("#hint").click();
  await page.locator("#verdict", { hasText: "Look at heap 1" }).waitFor();
  await page.locator("#hint").click();
  await page.locator("#verdict", { hasText: "nim-value *2" }).waitFor();
  const before = await turns(page);
  await page.locator("#board a:not(.wins)").first().click();
  await moved(page, before);
  await page.locator("text=Judge the moves").click();
  await page.locator(".history .bad", { hasText: "throws the win away" }).waitFor();
  // Back and forth with the arrow keys.
  const there = await turns(page);
  await page.locator("#main").focus();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(n => document.querySelectorAll(".history ol li").length < n, there);
  const back = await turns(page);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(n => document.querySelectorAll(".history ol li").length > n, back);
  // Another move from the start: the line that was left is at hand.
  await page.locator(".history ol li a").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".history ol li").length === 1);
  await page.locator("#board a").last().click();
  await page.locator("#branches a").first().waitFor();
  const left = await page.locator("#branches a").first().getAttribute("href");
  await page.locator("#branches a").first().click();
  await page.waitForFunction(
    line => new URLSearchParams(location.search).get("line") === line,
    new URL(left, base).searchParams.get("line"),
  );
  // A lost game in review: the move that decided it, and the way back.
  await page.goto(base + query("nim", "1,2").replace("at=", "line=") + "~1,0~0,0&judge=on");
  await page.locator(".review", { hasText: "one mistake" }).waitFor();
  await page.getByRole("link", { name: "Back to that moment" }).click();
  await page.waitForFunction(() =>
    document.getElementById("status").textContent.includes("Your turn."),
  );
  await page.goto(`${base}/`);
  await page.locator("#recent").getByRole("link", { name: "Nim", exact: true }).click();
  await page.locator("#board svg").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test(
  "a course judges answers as they are given, and the device remembers what is done",
  { timeout },
  async () => {
    const page = await open("/learn?course=multiples&step=2");
    // By keys alone: an arrow chooses the answer that was not right, another one the right one.
    await page.locator("[name=a1][value=won]").focus();
    await page.keyboard.press("Space");
    await page.locator("[data-field=a1] .bad", { hasText: "Not so" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.locator("[data-field=a1] .good").waitFor();
    for (const [i, answer] of ["lost", "won", "lost", "won", "lost"].entries())
      await page.locator(`[name=a${i + 1}][value=${answer}]`).check();
    await page.locator("#checked [data-done=multiples-2]").waitFor();
    await page.locator("#checked a", { hasText: "Next step" }).click();
    await page.locator("#board svg").waitFor();
    await page.goto(`${base}/learn`);
    await page.locator("[data-step=multiples-2].good").waitFor();
    assert.match(
      await page.locator("[data-course=multiples] .progress").textContent(),
      /1 of 5 steps done/,
    );
    await page.locator("#forget").click();
    assert.equal(await page.locator("[data-step].good").count(), 0);
    // A guess is refuted, and a better one proved, as it is typed.
    await page.goto(`${base}/learn?course=circular&step=3`);
    await page.locator("[name=a1]").fill("a = d");
    await page.locator("[data-field=a1] .bad", { hasText: "Refuted" }).waitFor();
    await page.locator("[name=a1]").fill("a = c & b = d");
    await page.locator("[data-field=a1] .good", { hasText: "Proved for all sizes" }).waitFor();
    assert.deepEqual(page.complaints, []);
    await page.close();
  },
);

test("everything reads without scripts", { timeout }, async () => {
  const other = await browser.browser();
  const page = await (await other.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(base + query("nim", "1,3,4"));
  await page.locator("#moves summary").click();
  await page.locator(".moves a").first().click();
  await page.locator("#status", { hasText: "Bouton took" }).waitFor();
  // A move in several heaps, by links.
  await page.goto(base + query("CN(4,2)", "2,3,2,2"));
  await page.locator("#board a[aria-label='heap 1: take 1, keep 1']").click();
  await page.locator("#board a[aria-label='heap 2: take 1, keep 2']").click();
  await page.locator("#confirm").click();
  await page.locator(".history ol", { hasText: "1,2,2,2" }).waitFor();
  await page.goto(`${base}/study?game=wythoff`);
  await page.locator("noscript a, a[href*='now=1']").first().click();
  await page.locator("#article", { hasText: /Theorem|Wythoff/i }).waitFor();
  await page.goto(`${base}/why?game=nim&at=1,2,3`);
  assert.match(await page.locator("table").last().textContent(), /1,2,2/);
  await other.close();
});

const pages = [
  "/rules?name=halves&heaps=1&move=p0%3C%3D2*q0",
  "/why?game=CN(6,3)&at=3,1,4,2,2,3",
  "/why?game=kayles&at=10",
  "/table?game=CN(5,2)&at=x,y,3,1,2&to=9",
  "/",
  query("kayles", "10"),
  "/rules",
  "/study",
  "/games",
  "/games?q=nim",
  "/research",
  "/worksheet?game=nim(3)&seed=1",
  "/why?game=nim&at=1,1,5&misere=1",
  "/why?game=S(1,2,3)&at=21",
  query("nim", "1,3,5,7") + "&hints=on",
  query("CN(4,2)", "1,2,1,2") + "&with=0,2,1,2",
  query("Gamma(1,4;8)", ""),
  query("dots(2x2)", "") + "&hints=hint",
  query("coins(0-1,1-2,2-3,3-0,2-4,4-0)", ""),
  query("NIM(1,3,4;14;9,9)", ""),
  query("kayles", "1,11"),
  query("wythoff", "3,5"),
  query("kayles:7 + nim:4", ""),
  "/why?game=nim(3)&at=1,3,5",
  "/strategy?game=Gamma(1,2;7)",
  "/table",
  "/table?game=wythoff&at=x,y&of=nim-value",
  "/prove?game=wythoff&claim=a%3Db",
  "/ledger",
  "/ledger/claim?id=C4",
  "/play?game=bridge",
  "/check",
  "/move?game=nim&line=1,2,3&you=second&lesson=nim-4",
  "/learn",
  "/learn?course=multiples&step=2&a1=won",
  "/learn?course=kayles&step=5",
  "/learn?course=wythoff&step=4",
  "/learn?course=circular&step=3&a1=a%3Db",
  "/learn?course=dots&step=3",
  "/puzzle?day=20000",
  "/puzzles",
  "/study",
  "/study?game=CN(4,2)",
  "/play?game=nim&line=3,4,5~1,4,5~1,4,3&judge=on",
];

test("rules are written, tried as they are typed, studied and played", { timeout }, async () => {
  const page = await open("/rules");
  // Put together: Kayles.
  await page.locator(".builder [name=take]").fill("1,2");
  await page.locator(".builder [name=split]").check();
  await page
    .locator("#made pre", { hasText: "p0 = q0+q1+1 | p0 = q0+q1+2" })
    .waitFor({ state: "attached" });
  await page.locator(".builder [name=where]").selectOption("circle");
  await page.locator("#made .error", { hasText: "split" }).waitFor();
  // As a formula.
  await page.locator("#formula summary").click();
  const field = name => page.locator(`#formula [name=${name}]`);
  await field("name").fill("halves");
  await field("heaps").fill("1");
  await field("symmetry").selectOption("none");
  await field("move").fill("p0 <= 2*");
  await page.locator("#made .error mark").waitFor();
  await field("move").fill("p0 <= 2*q0");
  await page.locator("#made figure svg").waitFor();
  assert.match(page.url(), /name=halves/);
  const play = await page.locator("#made a", { hasText: "Play" }).getAttribute("href");
  await page.locator("#made a", { hasText: "Study" }).click();
  // P-positions are the heaps of 2^k − 1 tokens.
  await page
    .locator("#article strong", { hasText: /Theorem|Conjecture/ })
    .first()
    .waitFor();
  await page.goto(base + play);
  // From 3 tokens, 2 are left, then 1: the second player wins by leaving one.
  await page.locator("#board a").last().click();
  await page.waitForFunction(() => document.querySelectorAll(".history ol li").length > 1);
  assert.match(page.url(), /rules=/);
  await page.goto(`${base}/table?game=CN(5,2)&at=x,y,3,1,2&to=8`);
  await page.locator("#part2").fill("4");
  await page.waitForFunction(
    () =>
      document.querySelector("[name=at]").value === "x,y,4,1,2" &&
      location.search.includes("4%2C1%2C2"),
  );
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("axe finds nothing", { timeout }, async () => {
  const page = await open("/");
  // The policy of the page forbids scripts by text; the browser's own door does not.
  const session = await context.newCDPSession(page);
  const run = async expression =>
    (
      await session.send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
    ).result.value;
  for (const path of pages) {
    await page.goto(base + path);
    if (path.startsWith("/study")) await page.locator("#article strong").first().waitFor();
    await run(axe + "; 0");
    for (const [width, height, colorScheme] of [
      [1280, 800, "light"],
      [1280, 800, "dark"],
      [390, 844, "light"],
      [390, 844, "dark"],
      [2560, 1440, "light"],
    ]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const found = JSON.parse(
        await run(
          "axe.run().then(r => JSON.stringify(r.violations.map(v => [v.id, v.help, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))])))",
        ),
      );
      assert.deepEqual(found, [], `${path} ${width} ${colorScheme}`);
    }
  }
  await page.close();
});

// The accessibility tree, as text; INSTA_UPDATE=always rewrites it – read the diff.
test("accessibility trees", { timeout }, async () => {
  for (const [name, path] of [
    ["nim", query("nim", "1,2")],
    ["kotzig", query("Gamma(1,2;7)", "")],
    ["prove", `/prove?game=wythoff&claim=${encodeURIComponent("a = b")}`],
  ]) {
    const page = await open(path);
    const tree = (await page.locator("main").ariaSnapshot()) + "\n";
    const file = join(here, "golden", `${name}.yaml`);
    mkdirSync(join(here, "golden"), { recursive: true });
    if (process.env.INSTA_UPDATE === "always" || (!existsSync(file) && !process.env.CI))
      writeFileSync(file, tree);
    assert.equal(tree, readFileSync(file, "utf8"), name);
    await page.close();
  }
});
