// Swaps pages in place, keeps the focus, walks the board with the arrow keys, remembers what was
// played. Everything works without it; nothing here knows a game.
"use strict";
const byId = id => document.getElementById(id);
const main = () => byId("main");
const say = text => {
  const status = byId("status");
  if (status) status.textContent = text;
};
const parts = () => [...document.querySelectorAll("#board a")];
const still = matchMedia("(prefers-reduced-motion: reduce)");
document.documentElement.classList.add("js");

// One part of the board is reached by Tab, the others by the arrow keys.
function rove(to) {
  const all = parts();
  const current = to || all[0];
  all.forEach(part => part.setAttribute("tabindex", part === current ? "0" : "-1"));
}

function nearest(from, key) {
  const box = part => {
    const b = part.getBoundingClientRect();
    return [b.left + b.width / 2, b.top + b.height / 2];
  };
  const [x, y] = box(from);
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null,
    least = Infinity;
  for (const part of parts()) {
    const [px, py] = box(part),
      ahead = (px - x) * way[0] + (py - y) * way[1];
    const aside = Math.abs((px - x) * way[1]) + Math.abs((py - y) * way[0]);
    if (part !== from && ahead > 1 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = part;
    }
  }
  return best;
}

// The change of boards that is shown. While it is, browsers give what is pressed on the page to the
// page as a whole: it ends with the first press.
let change = null;
document.addEventListener(
  "pointerdown",
  () => {
    if (change) change.skipTransition();
  },
  true,
);

function shown(swap) {
  change = document.startViewTransition(swap);
  change.ready.catch(() => {
    /* it was ended before it began to be shown */
  });
  return change;
}

// Short tones, if the visitor turned the sound on.
let audio = null;
function sound(...pitches) {
  if (!kept.read("sound").length) return;
  audio ??= new AudioContext();
  pitches.forEach((pitch, i) => {
    const from = audio.currentTime + 0.1 * i,
      wave = audio.createOscillator(),
      level = audio.createGain();
    wave.frequency.value = pitch;
    level.gain.setValueAtTime(0.1, from);
    level.gain.exponentialRampToValueAtTime(0.001, from + 0.12);
    wave.connect(level).connect(audio.destination);
    wave.start(from);
    wave.stop(from + 0.13);
  });
}
// A tone for a move, three for the end of a game, upwards if it is won.
function heard(over) {
  if (over === undefined) sound(330);
  else if (over === "won") sound(523, 659, 784);
  else sound(330, 294, 262);
}

// The visitor's own move is shown before the reply to it.
async function own(url) {
  const to = new URL(url, location.href),
    here = lineOf().split("~"),
    turns = (to.searchParams.get("line") || "").split("~");
  if (turns.length < here.length + 2 || here.some((at, i) => at !== turns[i])) return;
  to.searchParams.set("line", turns.slice(0, here.length + 1).join("~"));
  for (const more of ["hints", "judge", "reply", "lesson", "puzzle"]) to.searchParams.delete(more);
  const page = new DOMParser().parseFromString(await (await fetch(to)).text(), "text/html"),
    board = page.getElementById("board");
  if (!board) return;
  // Nothing can be touched until the reply is there.
  board.querySelectorAll("a").forEach(part => part.removeAttribute("href"));
  sound(440);
  await shown(() => byId("board").replaceChildren(...board.childNodes)).finished;
}

async function go(url, push, focus) {
  document.body.classList.add("busy");
  try {
    const answer = await fetch(url, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("main");
    if (!fresh) {
      location.assign(url);
      return;
    }
    const moves = document.startViewTransition && !still.matches && focus && focus.board;
    if (moves && answer.ok) await own(answer.headers.get("content-location") || answer.url);
    const swap = () => {
      // What the visitor opened stays open.
      const open = [...document.querySelectorAll("details[id][open]")]
        .filter(d => !d.closest(".asked"))
        .map(d => d.id);
      main().replaceChildren(...fresh.childNodes);
      open.forEach(id => {
        const d = byId(id);
        if (d) d.open = true;
      });
      document.title = page.title;
      // Where the answer was led to.
      if (push && answer.ok)
        history.pushState(null, "", answer.headers.get("content-location") || answer.url);
      start();
      // A live region speaks when its text changes after it is there.
      const status = byId("status");
      if (status) {
        const text = status.textContent;
        status.textContent = "";
        setTimeout(() => {
          status.textContent = text;
        }, 30);
      }
      refocus(focus);
    };
    const line = lineOf(),
      over = fresh.querySelector("#status")?.dataset.over;
    if (moves) await shown(swap).updateCallbackDone;
    else swap();
    if (push && lineOf().startsWith(`${line}~`)) heard(over);
    // The ledger goes on examining, a piece at a time, until it is done or left.
    const onward = byId("onward");
    if (onward && focus && focus.id === "onward")
      setTimeout(() => {
        if (onward.isConnected) go(onward.href, false, focus);
      }, 50);
  } catch {
    location.assign(url);
  } finally {
    document.body.classList.remove("busy");
  }
}

function refocus(focus) {
  if (!focus) return;
  if (focus.typed) {
    const input = byId("typed");
    if (input) return input.focus();
  }
  if (focus.id) {
    const same = byId(focus.id);
    if (same) return same.focus();
  }
  if (focus.board) {
    // The part nearest to where the focus was.
    let best = null,
      least = Infinity;
    for (const part of parts()) {
      const b = part.getBoundingClientRect(),
        d = Math.hypot(b.left - focus.x, b.top - focus.y);
      if (d < least) {
        least = d;
        best = part;
      }
    }
    if (best) {
      rove(best);
      return best.focus({ preventScroll: true });
    }
    const again = byId("again");
    if (again) return again.focus({ preventScroll: true });
  }
  if (focus.list) {
    const first = document.querySelector(".moves a");
    if (first) return first.focus();
  }
  main().focus({ preventScroll: true });
}

function place(element) {
  const b = element.getBoundingClientRect();
  return {
    board: !!element.closest("#board") || element.id === "confirm",
    list: !!element.closest(".moves"),
    id: element.id === "confirm" ? "" : element.id,
    x: b.left,
    y: b.top,
  };
}

// The longest line of play that goes on from what is shown: the way forward after going back.
let trail = "";
const lineOf = () => {
  const input = document.querySelector(".settings [name=line]");
  return input ? input.value : "";
};
// Where another line of this game is played.
function at(line) {
  const url = new URL(location.href);
  url.searchParams.delete("at");
  url.searchParams.delete("with");
  url.searchParams.set("line", line);
  return url.pathname.replace(/\/move$/, "/play") + url.search;
}
function step(way) {
  const line = lineOf(),
    turns = line ? line.split("~") : [];
  if (!turns.length) return false;
  const ahead = trail.split("~");
  const next =
    way < 0
      ? turns.slice(0, -1)
      : ahead.length > turns.length
        ? ahead.slice(0, turns.length + 1)
        : [];
  if (!next.length) return false;
  go(at(next.join("~")), true, { id: "", history: true });
  return true;
}

// Lines of this game that were left for others, while the page stands.
let lines = [];
function branches() {
  const line = lineOf(),
    out = byId("branches");
  const continues = (long, short) => (long + "~").startsWith(short + "~");
  if (!line || (lines.length && lines[0].split("~")[0] !== line.split("~")[0])) lines = [];
  if (!line) return;
  lines = [
    ...lines.filter(other => !continues(line, other) && !continues(other, line)),
    continues(trail, line) ? trail : line,
  ].slice(-8);
  const others = lines.filter(other => !continues(other, line));
  if (!out || !others.length) return;
  out.hidden = false;
  out.replaceChildren(
    "Other lines: ",
    ...others.map(other => {
      const turns = other.split("~"),
        here = line.split("~"),
        link = document.createElement("a");
      let same = 0;
      while (same < turns.length && turns[same] === here[same]) same++;
      link.href = at(other);
      link.dataset.go = "";
      link.textContent = `${same}. ${turns[same] ?? ""}${turns.length > same + 1 ? " …" : ""}`;
      return link;
    }),
  );
}

// What is kept in this browser alone: lists by name.
const kept = {
  read(name) {
    try {
      return JSON.parse(localStorage.getItem(`bouton.${name}`)) || [];
    } catch {
      return [];
    }
  },
  write(name, list) {
    try {
      localStorage.setItem(`bouton.${name}`, JSON.stringify(list));
    } catch {
      /* none is kept */
    }
  },
};

// What was played last.
function remember() {
  const input = document.querySelector(".settings [name=game]"),
    title = document.querySelector(".head h1");
  if (input && title && lineOf().includes("~")) {
    const entry = {
      game: input.value,
      title: title.textContent,
      href: location.pathname + location.search,
    };
    kept.write(
      "recent",
      [entry, ...kept.read("recent").filter(e => e.game !== entry.game)].slice(0, 6),
    );
  }
  const section = byId("recent");
  if (!section) return;
  const list = kept
    .read("recent")
    .filter(e => typeof e.href === "string" && e.href.startsWith("/") && !e.href.startsWith("//"));
  section.hidden = !list.length;
  section.querySelector("ul").replaceChildren(
    ...list.map(e => {
      const item = document.createElement("li"),
        link = document.createElement("a");
      link.href = e.href;
      link.className = "button";
      link.textContent = e.title;
      item.append(link);
      return item;
    }),
  );
}

// Steps of courses that are done.
function learned() {
  const step = document.querySelector("[data-done]");
  let done = kept.read("learned");
  if (step && !done.includes(step.dataset.done))
    kept.write("learned", (done = [...done, step.dataset.done]));
  document
    .querySelectorAll("[data-step]")
    .forEach(link => link.classList.toggle("good", done.includes(link.dataset.step)));
  document.querySelectorAll("[data-course]").forEach(course => {
    const steps = [...course.querySelectorAll("[data-step]")],
      count = steps.filter(link => done.includes(link.dataset.step)).length,
      out = course.querySelector(".progress");
    out.hidden = !count;
    out.textContent = count === steps.length ? "Done." : `${count} of ${steps.length} steps done`;
    const next = steps.find(link => !done.includes(link.dataset.step));
    if (count && next) {
      const link = document.createElement("a");
      link.href = next.href;
      link.textContent = "go on";
      out.append(" · ", link);
    }
  });
  const forget = byId("forget");
  if (forget) {
    forget.hidden = !done.length;
    forget.onclick = () => {
      kept.write("learned", []);
      learned();
    };
  }
}

// Puzzles that are solved, and days in a row with one, up to today or yesterday.
function solved() {
  const key = document.querySelector("[data-solved]"),
    out = byId("streak");
  let all = kept.read("solved");
  if (key && !all.includes(key.dataset.solved))
    kept.write("solved", (all = [...all, key.dataset.solved]));
  document.querySelectorAll("[data-puzzle]").forEach(link => {
    if (all.includes(link.dataset.puzzle)) {
      link.classList.add("good");
      link.textContent = "solved";
      link.removeAttribute("aria-label");
    }
  });
  if (!out) return;
  const days = new Set(all.map(key => parseInt(key, 10)));
  let last = Number(out.dataset.today),
    count = 0;
  if (!days.has(last)) last--;
  while (days.has(last - count)) count++;
  out.hidden = !count;
  out.textContent = count === 1 ? "1 day in a row" : `${count} days in a row`;
}

// A study begins as its page is there, tells how it goes, and can be stopped.
let studying = null;
function study() {
  if (studying) {
    studying.close();
    studying = null;
  }
  const article = byId("article"),
    stop = byId("stop");
  if (!article || !article.dataset.stream) return;
  const source = (studying = stream(article.dataset.stream)),
    began = Date.now();
  const end = text => {
    source.close();
    if (studying === source) studying = null;
    stop.hidden = true;
    say(text);
  };
  const took = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  stop.hidden = false;
  say("Working …");
  stop.onclick = () => end(`Stopped after ${took()}.`);
  source.addEventListener("stages", event => {
    article.innerHTML = JSON.parse(event.data).html;
  });
  source.addEventListener("progress", event => {
    const told = JSON.parse(event.data);
    say(`${told.doing || "Working"}: ${told.nodes.toLocaleString("en")} steps, ${took()}`);
  });
  source.addEventListener("answer", event => {
    const found = JSON.parse(event.data);
    article.innerHTML = found.html;
    handOver(found);
    end(`Done in ${took()}.`);
  });
  source.addEventListener("refusal", event => end(JSON.parse(event.data).error.message));
  source.onerror = () => end("The work broke off.");
}

// What a study leaves: its report as files, and the certificate of its theorem, to be checked or
// kept.
function handOver({ certificate, report }) {
  const file = (link, text, kind) => {
    link.href = URL.createObjectURL(new Blob([text], { type: kind }));
    link.hidden = false;
  };
  const reports = byId("reports"),
    form = byId("handover");
  if (reports && report) {
    byId("print").onclick = () => print();
    typefaces()
      .catch(() => "")
      .then(style => {
        reports.querySelectorAll("a[data-report]").forEach(link => {
          const isPage = link.dataset.report === "html",
            text = report[link.dataset.report];
          file(
            link,
            isPage ? text.replace("<style>", `<style>${style}`) : text,
            isPage ? "text/html" : "text/plain",
          );
        });
        reports.hidden = false;
      });
  }
  if (!form || !certificate) return;
  form.elements.certificate.value = certificate;
  file(byId("save"), certificate, "text/plain");
  form.hidden = false;
}

// The typefaces of this page for a page that is a single file.
async function typefaces() {
  const [sheet] = document.styleSheets;
  let style = [...sheet.cssRules]
    .filter(rule => rule instanceof CSSFontFaceRule)
    .map(rule => rule.cssText)
    .join("");
  for (const name of style.match(/\w+\.woff2/g)) {
    const bytes = await (await fetch(new URL(name, sheet.href))).blob(),
      reader = new FileReader();
    await new Promise(done => {
      reader.onload = done;
      reader.readAsDataURL(bytes);
    });
    style = style.replace(name, reader.result);
  }
  return style.replaceAll("optional", "block");
}

// A file goes into the field beside it.
function read(file) {
  const form = file.form,
    field = form.elements.certificate;
  if (!file.files.length) return;
  say(`Reading ${file.files[0].name} …`);
  file.files[0].text().then(text => {
    field.value = text;
    form.requestSubmit();
  });
}

// What is too long for an address is sent; only the part that answers is changed.
async function send(form) {
  const out = byId(form.dataset.result);
  document.body.classList.add("busy");
  out.textContent = "Working …";
  try {
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: "text/html" },
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const made = page.getElementById(out.id) || page.querySelector(".error");
    out.replaceChildren(...(made.id ? made.childNodes : [made]));
  } catch {
    out.textContent = "There is no answer.";
  } finally {
    document.body.classList.remove("busy");
  }
}

// The address of the position as a QR code, drawn when it is wanted.
function qr() {
  const out = byId("qr"),
    details = byId("share");
  if (!out || out.querySelector("img") || !details.open) return;
  const image = new Image(),
    caption = out.querySelector("figcaption"),
    at = new URL(details.querySelector("[data-copy]").href);
  image.className = "qr";
  image.alt = "QR code of this page's address";
  image.onload = () => {
    out.hidden = false;
  };
  image.src = `${new URL("picture/qr.svg", new URL(document.querySelector(".name").getAttribute("href"), location.href)).href}?text=${encodeURIComponent(at.href)}`;
  if (/^(localhost|127\.|\[::1\])/.test(at.host))
    caption.textContent =
      "Only this machine can open this address. With bouton serve --address 0.0.0.0 the page has one for others.";
  out.prepend(image);
}
document.addEventListener(
  "toggle",
  event => {
    if (event.target.id === "share") qr();
    if (event.target.id === "beside") table();
  },
  true,
);

// The table beside the board, or the list of heaps, is fetched where it is unfolded.
async function table() {
  const list = document.querySelector(".beside details[open] [data-from]");
  if (list) {
    const from = list.dataset.from;
    list.removeAttribute("data-from");
    const page = new DOMParser().parseFromString(await (await fetch(from)).text(), "text/html"),
      heaps = page.getElementById(list.id);
    // Winning moves are shown no more than before.
    if (heaps) list.replaceChildren(...heaps.childNodes);
    list.querySelectorAll("a").forEach(link => {
      link.href = link.getAttribute("href").replace("&hints=on", "");
    });
  }
  const map = document.querySelector(".beside details[open] input[data-src]");
  if (!map || !map.offsetParent) return;
  map.src = map.dataset.src;
  map.removeAttribute("data-src");
}
window.addEventListener("resize", table);

// The tab *Share* opens what it leads to.
function share() {
  const details = byId("share");
  if (details && location.hash === "#share") {
    details.open = true;
    details.scrollIntoView();
  }
}
window.addEventListener("hashchange", share);

function start() {
  rove();
  study();
  // A tree wider than the screen is shown from its root.
  const tree = byId("tree"),
    root = tree && tree.querySelector("a");
  if (root) {
    const middle = of => {
      const { left, width } = of.getBoundingClientRect();
      return left + width / 2;
    };
    tree.scrollLeft += middle(root) - middle(tree);
  }
  const file = byId("file");
  if (file) file.closest("label").hidden = false;
  const line = lineOf();
  if (!(trail + "~").startsWith(line + "~")) {
    if (trail && trail.split("~")[0] === line.split("~")[0]) lines = [...lines, trail];
    trail = line;
  }
  branches();
  const longer = byId("longer");
  if (longer) longer.hidden = false;
  remember();
  learned();
  solved();
  share();
  qr();
  const bell = byId("sound");
  if (bell) bell.setAttribute("aria-pressed", kept.read("sound").length > 0);
  table();
  // The address of this site in front of what is to be put into another page.
  const embed = byId("embed");
  const copyEmbed = byId("copy");
  if (copyEmbed) copyEmbed.hidden = !navigator.clipboard;
  if (embed)
    embed.textContent = embed.textContent.replace(
      'src="/',
      `src="${new URL(document.querySelector(".name").getAttribute("href"), location.href).href}`,
    );
}

document.addEventListener("click", event => {
  if (
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  // What was pressed while boards changed is what lies there now.
  const pressed =
    (event.target === document.documentElement &&
      document.elementFromPoint(event.clientX, event.clientY)) ||
    event.target;
  const link = pressed.closest("#board a, a[data-go], .moves a");
  if (link) {
    event.preventDefault();
    return go(link.getAttribute("href"), true, place(link));
  }
  const copy = pressed.closest("a[data-copy]");
  if (copy && navigator.clipboard) {
    event.preventDefault();
    navigator.clipboard.writeText(copy.href).then(
      () => say("The link is copied."),
      () => location.assign(copy.href),
    );
  }
  if (pressed.id === "copy")
    navigator.clipboard.writeText(byId("embed").textContent).then(
      () => {
        pressed.textContent = "Copied";
      },
      () => getSelection().selectAllChildren(byId("embed")),
    );
  if (pressed.dataset && pressed.dataset.step)
    pressed.parentNode.querySelector("input").stepUp(Number(pressed.dataset.step));
  if (pressed.id === "longer") think(pressed);
  if (pressed.id === "projector") project(true);
  if (pressed.id === "sound") {
    kept.write("sound", kept.read("sound").length ? [] : ["on"]);
    pressed.setAttribute("aria-pressed", kept.read("sound").length > 0);
    sound(440);
  }
});

function think(button) {
  const out = byId("progress");
  if (button.source) {
    button.source.close();
    button.source = null;
    button.textContent = "Think longer";
    out.textContent = "stopped";
    return;
  }
  const source = (button.source = stream(button.dataset.stream));
  const end = text => {
    source.close();
    button.source = null;
    button.textContent = "Think longer";
    out.textContent = text;
  };
  button.textContent = "Stop";
  source.addEventListener("progress", event => {
    out.textContent = `${JSON.parse(event.data).nodes.toLocaleString("en")} positions`;
  });
  source.addEventListener("answer", event => {
    const found = JSON.parse(event.data);
    end(
      found.outcome
        ? `${found.outcome}${found.nim_value === null ? "" : `, nim-value *${found.nim_value}`}`
        : found.margin !== undefined && found.margin !== null
          ? `margin ${found.margin}`
          : `unknown (${found.reason})`,
    );
  });
  source.addEventListener("refusal", event => end(JSON.parse(event.data).error.message));
  source.onerror = () => end("the server does not answer");
}

// Long work tells how it goes: as events of the server, or of a worker where the engines run in the
// browser.
function stream(url) {
  const engine = document.documentElement.dataset.engine;
  if (!engine) return new EventSource(url);
  const worker = new Worker(engine),
    source = new EventTarget();
  source.close = () => worker.terminate();
  worker.onmessage = ({ data }) =>
    source.dispatchEvent(new MessageEvent(data.name, { data: data.data }));
  worker.onerror = () => source.onerror && source.onerror();
  worker.postMessage({ tell: new URL(url, location.href).href });
  return source;
}

document.addEventListener("submit", event => {
  const form = event.target;
  if (form.dataset.result) {
    event.preventDefault();
    return send(form);
  }
  if (form.id !== "type" && form.dataset.auto === undefined && form.dataset.go === undefined)
    return;
  event.preventDefault();
  go(
    `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form, event.submitter))}`,
    true,
    form.id === "type" ? { typed: true } : { id: document.activeElement.id },
  );
});
document.addEventListener("change", event => {
  const form = event.target.form,
    part = event.target.dataset.part;
  if (event.target.type === "file") return read(event.target);
  // A slider beside a board: the board follows when it is let go.
  if (part !== undefined && form.dataset.go !== undefined)
    return go(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`, true, {
      id: event.target.id,
    });
  if (form && form.dataset.auto !== undefined) form.requestSubmit();
});

// The value under the pointer. A table's values are fetched when it is first pointed at.
document.addEventListener("pointermove", async event => {
  const map = event.target.closest && event.target.closest("input.map[data-frame]"),
    out = byId("under");
  if (!map || !out) return;
  if (!map.values) {
    map.values = { rows: null };
    try {
      map.values.rows = (await (await fetch(map.dataset.values)).json()).rows;
    } catch {
      /* none are shown */
    }
  }
  if (!map.values.rows) return;
  const box = map.getBoundingClientRect(),
    [left, top, side, x, y] = map.dataset.frame.split(",").map(Number);
  const column = Math.floor((event.clientX - box.left - left) / side),
    row = Math.floor((event.clientY - box.top - top) / side);
  // Rows are listed from the lowest number on.
  const cells = map.values.rows[map.values.rows.length - 1 - row];
  out.textContent =
    cells && cells[column] !== undefined
      ? `x = ${x + column}, y = ${y - row}: ${cells[column] === null ? "unknown" : cells[column]}`
      : "";
});

// What is typed or slid is tried at once; only the part that answers is changed.
let trying = 0;
document.addEventListener("input", event => {
  const form = event.target.form,
    out = form && form.dataset.live && byId(form.dataset.live),
    part = event.target.dataset.part;
  if (!out) return;
  // A heap of a table that neither x nor y stands for.
  if (part !== undefined) {
    const parts = form.elements.at.value.split(","),
      told = event.target.closest("label").querySelector("output");
    parts[part] = event.target.value;
    form.elements.at.value = parts.join(",");
    if (told) told.textContent = event.target.value;
  }
  const turn = ++trying,
    url = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
  setTimeout(
    async () => {
      if (turn !== trying || !form.isConnected) return;
      const answer = await fetch(url).catch(() => null);
      const fresh = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
      if (turn !== trying || !fresh || !form.isConnected) return;
      const made = fresh.getElementById(form.dataset.live) || fresh.querySelector(".error");
      if (made) out.replaceChildren(...(made.id ? made.childNodes : [made]));
      // Remarks beside the fields.
      if (form.dataset.marks !== undefined)
        fresh
          .querySelectorAll("[data-field]")
          .forEach(remark =>
            form
              .querySelector(`[data-field=${remark.dataset.field}]`)
              .replaceChildren(...remark.childNodes),
          );
      learned();
      table();
      if (answer.ok && form.dataset.go === undefined) history.replaceState(null, "", url);
    },
    part === undefined ? 350 : 90,
  );
});

const KEYS = { h: "#hint", u: "#undo", n: "#again, #anew", r: "#review, #judge" };

// The board alone, as large as the screen.
function project(on) {
  document.body.classList.toggle("projector", on);
  if (on && document.documentElement.requestFullscreen)
    document.documentElement.requestFullscreen().catch(() => {
      /* large in its window */
    });
}
document.addEventListener("fullscreenchange", () => {
  if (!document.fullscreenElement) project(false);
});

document.addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const on = event.target.closest ? event.target : document.body;
  const part = on.closest("#board a");
  if (event.key === "/" && !on.closest("input, select, textarea")) {
    event.preventDefault();
    return byId("search").focus();
  }
  if (!on.closest("input, select, textarea") && byId("board")) {
    if (event.key === "?") {
      const keys = byId("keys");
      event.preventDefault();
      keys.open = !keys.open;
      if (keys.open) keys.scrollIntoView({ block: "nearest" });
      return;
    }
    const link = KEYS[event.key] && document.querySelector(KEYS[event.key]);
    if (link) {
      event.preventDefault();
      return link.click();
    }
  }
  if (event.key === "Escape") {
    project(false);
    const clear = byId("clear");
    if (clear) clear.click();
    return;
  }
  if (!part) {
    // Elsewhere the arrow keys go back and forth in the game.
    const typing = on.closest("input, select, textarea, [role=region]");
    if (
      !typing &&
      byId("board") &&
      (event.key === "ArrowLeft" || event.key === "ArrowRight") &&
      step(event.key === "ArrowLeft" ? -1 : 1)
    )
      event.preventDefault();
    return;
  }
  if (event.key.startsWith("Arrow")) {
    const next = nearest(part, event.key);
    event.preventDefault();
    if (next) {
      rove(next);
      next.focus();
    }
  } else if (event.key === " ") {
    event.preventDefault();
    part.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
});

window.addEventListener("popstate", () => go(location.href, false, { board: true, x: 0, y: 0 }));
start();
