// The search of the atlas. The rows come from data-PLAN.js; what is asked stands in the address, so
// it can be sent on.
"use strict";
(() => {
  const all = (window.ATLAS || []).flatMap(atlas =>
    atlas.rows.map(row => ({ ...row, plan: atlas.plan, version: atlas.version })),
  );
  for (const row of all) {
    row.text = [row.game, row.play, row.status, row.form, row.statement, row.reason, row.published]
      .join(" ")
      .toLowerCase();
  }
  const fields = ["words", "plan", "status", "play", "ledger"];
  const at = id => document.getElementById(id);
  const step = 100;
  let found = [];
  let shown = 0;

  const make = (name, attributes = {}, ...inside) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  };

  function search() {
    const words = at("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [plan, status, play, ledger] = fields.slice(1).map(id => at(id).value);
    found = all.filter(
      row =>
        (!plan || row.plan === plan) &&
        (!status || row.status === status) &&
        (!play || row.play === play) &&
        (!ledger || (ledger === "in") === Boolean(row.published)) &&
        words.every(word => row.text.includes(word)),
    );
    at("found").textContent = `${found.length} of ${all.length} entries`;
    at("rows").replaceChildren();
    shown = 0;
    more();
    const asked = new URLSearchParams(
      fields.filter(id => at(id).value).map(id => [id, at(id).value]),
    );
    history.replaceState(null, "", `${location.pathname}${location.search}#${asked}`);
  }

  function more() {
    at("rows").append(...found.slice(shown, shown + step).map(entry));
    shown = Math.min(shown + step, found.length);
    at("more").hidden = shown >= found.length;
  }

  function entry(row) {
    const short = row.form && row.form.length > 140 ? `${row.form.slice(0, 140)} …` : row.form;
    const head = make(
      "summary",
      {},
      make("span", { class: `status ${row.status}` }, row.status),
      ` ${row.game}`,
      row.play === "misere" ? ", misère" : "",
      short ? ": " : "",
      short ? make("code", {}, short) : "",
    );
    const details = make("details", {}, head);
    details.addEventListener("toggle", () => {
      if (details.open && details.childElementCount === 1) details.append(...whole(row));
    });
    return details;
  }

  function whole(row) {
    const list = make("dl");
    const add = (name, value) => {
      if (value !== null && value !== undefined && value !== "")
        list.append(make("dt", {}, name), make("dd", {}, value));
    };
    add("compared up to", row.bound === null ? "" : String(row.bound));
    add("why", row.reason);
    add(
      "literature",
      row.published
        ? `rows of the ledger: ${row.published}`
        : "nothing of it is in the ledger; that is no search of the literature",
    );
    add("checker", row.checked);
    add("certificate", row.certificate && make("code", {}, `sha256 ${row.certificate}`));
    const proof = row.certificate
      ? `\n${row.again} --certificate proof.cert\nbouton check proof.cert`
      : "";
    add("again", make("pre", {}, row.again + proof));
    add("plan", `${row.plan}, version ${row.version}`);
    const picture = row.picture && drawn(row.picture);
    return [make("p", {}, row.statement), ...(picture ? [picture] : []), list];
  }

  // Pictures --------------------------------------------------------------------------------------

  const NS = "http://www.w3.org/2000/svg";
  function svg(width, height, label) {
    const root = document.createElementNS(NS, "svg");
    for (const [key, value] of Object.entries({
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": label,
    })) {
      root.setAttribute(key, value);
    }
    const put = (name, attributes, text) => {
      const element = document.createElementNS(NS, name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      if (text !== undefined) element.textContent = text;
      root.append(element);
    };
    return [root, put];
  }

  // Cells in rows; `cell` says text and whether it is marked.
  function grid(columns, rows, size, label, cell, names) {
    const left = 30;
    const [root, put] = svg(left + columns * size + 2, 20 + rows * size + 2, label);
    const plain = {
      "font-size": Math.min(11, size * 0.6),
      "text-anchor": "middle",
      fill: "currentColor",
    };
    for (let y = 0; y < rows; y += 1) {
      if (size > 14 || y % 5 === 0)
        put("text", { ...plain, x: left - 12, y: 20 + (y + 0.7) * size }, names.y(y));
      for (let x = 0; x < columns; x += 1) {
        const [text, marked] = cell(x, y);
        if (text === null) continue;
        put("rect", {
          x: left + x * size,
          y: 20 + y * size,
          width: size - 1,
          height: size - 1,
          fill: marked ? "var(--p)" : "none",
          stroke: "var(--line)",
        });
        if (text !== "")
          put(
            "text",
            {
              ...plain,
              x: left + (x + 0.45) * size,
              y: 20 + (y + 0.7) * size,
              fill: marked ? "var(--paper)" : "currentColor",
            },
            text,
          );
      }
    }
    for (let x = 0; x < columns; x += 1) {
      if (size > 14 || x % 5 === 0)
        put("text", { ...plain, x: left + (x + 0.45) * size, y: 14 }, names.x(x));
    }
    return root;
  }

  function drawn(picture) {
    const number = from => i => String(from + i);
    let root;
    let caption;
    if (picture.of === "positions") {
      const side = picture.to - picture.from + 1;
      caption = `The positions ${picture.at}, x to the right and y down: P-positions are filled.`;
      root = grid(
        side,
        picture.rows.length,
        11,
        caption,
        (x, y) => ["", Math.floor(picture.rows[y] / 2 ** x) % 2 === 1],
        { x: number(picture.from), y: picture.rows.length > 1 ? number(picture.from) : () => "" },
      );
    } else if (picture.of === "values") {
      const wide = picture.period && picture.period <= 48 ? picture.period : 24;
      caption = picture.period
        ? `Nim-values, ${wide} on a line; those before the period begins are filled.`
        : `Nim-values, ${wide} on a line.`;
      root = grid(
        wide,
        Math.ceil(picture.values.length / wide),
        20,
        caption,
        (x, y) => {
          const n = y * wide + x;
          return n < picture.values.length
            ? [String(picture.values[n]), picture.period > 0 && n < picture.from]
            : [null, false];
        },
        { x: number(0), y: y => String(y * wide) },
      );
    } else if (picture.of === "outcomes") {
      const wide = 20;
      caption = `Outcomes by the number of cells, ${wide} on a line; P-positions are filled.`;
      root = grid(
        wide,
        Math.ceil(picture.word.length / wide),
        20,
        caption,
        (x, y) => {
          const letter = picture.word[y * wide + x];
          return letter === undefined ? [null, false] : [letter, letter === "P"];
        },
        { x: () => "", y: y => String(picture.from + y * wide) },
      );
    } else if (picture.of === "thresholds") {
      caption =
        "With x dollars of the mover and y stones: how many purses of the other player the mover beats, clipped; none are filled.";
      root = grid(
        picture.rows[0].length,
        picture.rows.length,
        20,
        caption,
        (x, y) => [String(picture.rows[y][x]), picture.rows[y][x] === 0],
        { x: number(0), y: number(0) },
      );
    }
    return root && make("figure", {}, root, make("figcaption", {}, caption));
  }

  // -----------------------------------------------------------------------------------------------

  function asked() {
    const words = new URLSearchParams(location.hash.slice(1));
    for (const id of fields) at(id).value = words.get(id) || "";
    search();
  }
  at("search").addEventListener("submit", event => event.preventDefault());
  at("search").addEventListener("input", search);
  at("more").addEventListener("click", more);
  window.addEventListener("hashchange", asked);
  asked();
})();
