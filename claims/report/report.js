"use strict";
// Filters, and opening what a link points to. The page reads the same without it. A claim is a card that opens, or,
// where the cards stand on other pages, an entry with links to the claims under it.
(() => {
  const form = document.getElementById("filters");
  const reveal = () => {
    if (form && location.hash.startsWith("#?")) return restore();
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const path = [];
    for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) path.push(d);
    if (path.some((d) => d.hidden)) form.reset();
    for (const d of path) d.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  const PAPER = 44; // ems of a formula on paper; a wider one, which no place to break makes fit, is printed smaller
  let closed = []; // what is printed open: all of a page of claims, and of another page all but its cards
  let smaller = [];
  addEventListener("beforeprint", () => {
    const folded = document.body.matches(".part") ? "details:not([open])" : "details:not([open], .claim, .claim *)";
    closed = [...document.querySelectorAll(folded)];
    for (const d of closed) d.open = true;
    const ends = (m) => Math.max(...[m, ...m.querySelectorAll("*")].map((e) => e.getBoundingClientRect().right));
    const ems = (m) => (ends(m) - m.getBoundingClientRect().left) / parseFloat(getComputedStyle(m).fontSize);
    smaller = [...document.querySelectorAll("math")].map((m) => [m, PAPER / ems(m)]).filter(([, share]) => share < 1);
    for (const [m, share] of smaller) m.style.fontSize = `${share}em`;
  });
  addEventListener("afterprint", () => {
    for (const d of closed) d.open = false;
    for (const [m] of smaller) m.style.fontSize = "";
    closed = smaller = [];
  });
  if (!form) return reveal();

  const claims = [...document.querySelectorAll(".claim")];
  const chapters = [...document.querySelectorAll(".chapter")];
  const items = claims.filter((c) => !c.parentElement.closest(".claim"));
  const chips = [...form.querySelectorAll(".chip")];
  const expand = document.getElementById("expand");
  const output = document.getElementById("shown");
  const words = new Map(); // a claim's own words, without those of the claims under it; read on first use
  const greek = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau";
  const names = [...`${greek} upsilon phi chi psi omega`.split(" ").entries()];
  const letters = new Map(names.map(([k, name]) => [String.fromCodePoint(0x3b1 + k), name])); // from alpha on

  // Letters and digits alone: "BDP-T3.1" and "bdpt31", an epsilon of a formula and the word are found as one.
  const plain = (text) =>
    [...text.normalize("NFKD").toLowerCase()].map((c) => letters.get(c) ?? c).join("").replace(/[^\p{L}\p{N}\s=<>≤≥+]/gu, "");

  const has = (claim, verdict) => claim.classList.contains(`is-${verdict.replace(" ", "-")}`);
  const wordsOf = (claim) => {
    if (!words.has(claim)) {
      const parts = claim.matches("a") ? [claim] : [...claim.children].filter((p) => !p.matches(".below, .parts"));
      words.set(claim, plain(`${claim.hash ?? ""} ${parts.map((p) => p.textContent).join(" ")}`));
    }
    return words.get(claim);
  };

  const filter = () => {
    const verdicts = chips.filter((c) => c.getAttribute("aria-pressed") === "true").map((c) => c.dataset.value);
    const { role, text } = form.elements;
    const wanted = plain(text.value).split(/\s+/).filter(Boolean);
    const any = verdicts.length > 0 || role.value || wanted.length > 0;
    const matches = (c) =>
      (!verdicts.length || verdicts.some((v) => has(c, v))) &&
      (!role.value || c.dataset.role === role.value) &&
      wanted.every((w) => wordsOf(c).includes(w));
    let shown = 0;
    for (const item of items) {
      const below = [...item.querySelectorAll(".claim")];
      const own = matches(item);
      const hits = below.filter(matches);
      shown += hits.length + own;
      item.hidden = !own && !hits.length;
      item.classList.toggle("context", !own);
      for (const c of below) c.hidden = any && !hits.includes(c);
      if (!own && hits.length && item.open === false) {
        item.open = true; // what matches stands inside
        item.dataset.opened = "";
      } else if (own && "opened" in item.dataset) {
        item.open = false;
        delete item.dataset.opened;
      }
    }
    for (const c of chapters) c.hidden = ![...c.children].some((e) => e.matches(".claim") && !e.hidden);
    output.textContent = any ? `${shown} of ${claims.length} claims` : `${claims.length} claims`;
    if (!shown) output.textContent += ": words and formulas are found as they are shown here, ids in full or in part";
  };

  // What is filtered stands in the address, after "#?", so that a view can be sent on; a claim's own anchor has no "?".
  const keep = () => {
    const asked = new URLSearchParams();
    for (const c of chips) if (c.getAttribute("aria-pressed") === "true") asked.append("verdict", c.dataset.value);
    for (const name of ["role", "text"]) if (form.elements[name].value) asked.set(name, form.elements[name].value);
    history.replaceState(null, "", `#${asked.size ? `?${asked}` : ""}`);
  };

  const restore = () => {
    const asked = new URLSearchParams(location.hash.slice(2));
    for (const c of chips) c.setAttribute("aria-pressed", asked.getAll("verdict").includes(c.dataset.value));
    for (const name of ["role", "text"]) form.elements[name].value = asked.get(name) ?? "";
    filter();
  };

  for (const chip of chips) {
    chip.addEventListener("click", () => {
      chip.setAttribute("aria-pressed", chip.getAttribute("aria-pressed") !== "true");
      filter();
      keep();
    });
  }
  form.addEventListener("input", () => {
    filter();
    keep();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    for (const chip of chips) chip.setAttribute("aria-pressed", "false");
    setTimeout(() => {
      filter(); // after the fields are empty
      if (location.hash.startsWith("#?")) keep();
    });
  });
  expand.addEventListener("click", () => {
    const open = expand.textContent === "Open all";
    for (const c of claims) if (!c.hidden) c.open = open;
    expand.textContent = open ? "Close all" : "Open all";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.matches("input, select")) {
      event.preventDefault();
      form.elements.text.focus();
    }
  });
  for (const chip of chips) {
    const count = claims.filter((c) => has(c, chip.dataset.value)).length;
    chip.querySelector(".n").textContent = count;
    chip.hidden = !count;
  }
  expand.hidden = !claims.some((c) => c.matches("details"));
  form.hidden = false;
  filter();
  reveal();
})();
