// Swaps pages in place, keeps the focus, moves it with the arrow keys, and puts moves in several heaps together.
// Everything works without it; nothing here knows a game.
"use strict";
const main = () => document.getElementById("main");
const say = text => { const status = document.getElementById("status"); if (status) status.textContent = text; };
const parts = () => [...document.querySelectorAll("#board a, #board [role=button]")];

// One part of the board is reached by Tab, the others by the arrow keys.
function rove(to) {
  const all = parts();
  const current = to || all[0];
  all.forEach(part => part.setAttribute("tabindex", part === current ? "0" : "-1"));
}

function nearest(from, key) {
  const box = part => { const b = part.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; };
  const [x, y] = box(from);
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null, least = Infinity;
  for (const part of parts()) {
    const [px, py] = box(part), ahead = (px - x) * way[0] + (py - y) * way[1];
    const aside = Math.abs((px - x) * way[1]) + Math.abs((py - y) * way[0]);
    if (part !== from && ahead > 1 && ahead + 2 * aside < least) { least = ahead + 2 * aside; best = part; }
  }
  return best;
}

async function go(url, push, focus) {
  document.body.classList.add("busy");
  try {
    const answer = await fetch(url, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("main");
    if (!fresh) { location.assign(url); return; }
    main().replaceChildren(...fresh.childNodes);
    document.title = page.title;
    if (push && answer.ok) history.pushState(null, "", answer.url);
    start();
    // A live region speaks when its text changes after it is there.
    const status = document.getElementById("status");
    if (status) { const text = status.textContent; status.textContent = ""; setTimeout(() => { status.textContent = text; }, 30); }
    refocus(focus);
    // The ledger goes on examining, a piece at a time, until it is done or left.
    const onward = document.getElementById("onward");
    if (onward && focus && focus.id === "onward") setTimeout(() => { if (onward.isConnected) go(onward.href, false, focus); }, 50);
  } catch { location.assign(url); } finally { document.body.classList.remove("busy"); }
}

function refocus(focus) {
  if (!focus) return;
  if (focus.typed) { const input = document.getElementById("typed"); if (input) return input.focus(); }
  if (focus.id) { const same = document.getElementById(focus.id); if (same) return same.focus(); }
  if (focus.board) {
    // The part nearest to where the focus was.
    let best = null, least = Infinity;
    for (const part of parts()) {
      const b = part.getBoundingClientRect(), d = Math.hypot(b.left - focus.x, b.top - focus.y);
      if (d < least) { least = d; best = part; }
    }
    if (best) { rove(best); return best.focus(); }
  }
  if (focus.list) { const first = document.querySelector(".moves a"); if (first) return first.focus(); }
  main().focus();
}

function place(element) {
  const b = element.getBoundingClientRect();
  return { board: !!element.closest("#board"), list: !!element.closest(".moves"), id: element.id, x: b.left, y: b.top };
}

// A token that is only a part of a move: the heaps so far stand in the field for typed moves.
function compose(part) {
  const input = document.getElementById("typed"), now = document.querySelector("#type [name=line]");
  if (!input || !now) return;
  const heaps = (input.dataset.heaps || now.value.split("~").pop()).split(",");
  heaps[Number(part.dataset.heap)] = part.dataset.left;
  input.dataset.heaps = heaps.join(",");
  input.value = input.dataset.heaps;
  say(`Chosen so far: ${input.value}. Choose more, or press Move.`);
}

function start() {
  rove();
  const longer = document.getElementById("longer");
  if (longer) longer.hidden = false;
}

document.addEventListener("click", event => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const part = event.target.closest("#board [role=button]");
  if (part) return compose(part);
  const link = event.target.closest("#board a, a[data-go], .moves a");
  if (link) {
    event.preventDefault();
    const input = document.getElementById("typed");
    if (link.dataset.heap && input && input.dataset.heaps) return compose(link);
    return go(link.getAttribute("href"), true, place(link));
  }
  const copy = event.target.closest("a[data-copy]");
  if (copy && navigator.clipboard) {
    event.preventDefault();
    navigator.clipboard.writeText(copy.href).then(() => say("The link is copied."), () => location.assign(copy.href));
  }
  if (event.target.id === "longer") think(event.target);
});

function think(button) {
  const out = document.getElementById("progress");
  if (button.source) { button.source.close(); button.source = null; button.textContent = "Think longer"; out.textContent = "stopped"; return; }
  const source = button.source = new EventSource(button.dataset.stream);
  const end = text => { source.close(); button.source = null; button.textContent = "Think longer"; out.textContent = text; };
  button.textContent = "Stop";
  source.addEventListener("progress", event => { out.textContent = `${JSON.parse(event.data).nodes.toLocaleString("en")} positions`; });
  source.addEventListener("answer", event => {
    const found = JSON.parse(event.data);
    end(found.outcome ? `${found.outcome}${found.nim_value === null ? "" : `, nim-value *${found.nim_value}`}` : found.margin !== undefined && found.margin !== null ? `margin ${found.margin}` : `unknown (${found.reason})`);
  });
  source.addEventListener("refusal", event => end(JSON.parse(event.data).error.message));
  source.onerror = () => end("the server does not answer");
}

document.addEventListener("submit", event => {
  if (event.target.id !== "type") return;
  event.preventDefault();
  const data = new URLSearchParams(new FormData(event.target));
  go(`/move?${data}`, true, { typed: true });
});

document.addEventListener("keydown", event => {
  const part = event.target.closest && event.target.closest("#board a, #board [role=button]");
  if (!part) return;
  if (event.key.startsWith("Arrow")) {
    const next = nearest(part, event.key);
    event.preventDefault();
    if (next) { rove(next); next.focus(); }
  } else if ((event.key === "Enter" || event.key === " ") && part.getAttribute("role") === "button") {
    event.preventDefault();
    compose(part);
  } else if (event.key === " ") {
    event.preventDefault();
    part.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
});

window.addEventListener("popstate", () => go(location.href, false, { board: true, x: 0, y: 0 }));
start();
