"use strict";
// Filters, and opening what a link points to. The page reads the same without it.
(() => {
  const form = document.getElementById("filters");
  const claims = [...document.querySelectorAll("details.claim")];
  const items = claims.filter((c) => !c.parentElement.closest("details.claim"));
  const chips = [...form.querySelectorAll(".chip")];
  const expand = document.getElementById("expand");
  const output = document.getElementById("shown");
  const words = new Map(); // a claim's own words, without those of the claims under it; read on first use

  const wordsOf = (claim) => {
    if (!words.has(claim)) {
      const parts = [claim.querySelector("summary"), claim.querySelector(".own")];
      words.set(claim, parts.map((p) => p.textContent).join(" ").toLowerCase());
    }
    return words.get(claim);
  };

  const filter = () => {
    const verdicts = chips.filter((c) => c.getAttribute("aria-pressed") === "true").map((c) => c.dataset.value);
    const { paper, role, text } = form.elements;
    const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const any = verdicts.length > 0 || paper.value || role.value || wanted.length > 0;
    const matches = (c) =>
      (!verdicts.length || verdicts.includes(c.dataset.verdict)) &&
      (!paper.value || c.dataset.paper === paper.value) &&
      (!role.value || c.dataset.role === role.value) &&
      wanted.every((w) => wordsOf(c).includes(w));
    let shown = 0;
    for (const item of items) {
      const below = [...item.querySelectorAll("details.claim")];
      const own = matches(item);
      const hits = below.filter(matches);
      shown += hits.length + own;
      item.hidden = !own && !hits.length;
      item.classList.toggle("context", !own);
      for (const c of below) c.hidden = any && !hits.includes(c);
      if (!own && hits.length && !item.open) {
        item.open = true; // what matches stands inside
        item.dataset.opened = "";
      } else if (own && "opened" in item.dataset) {
        item.open = false;
        delete item.dataset.opened;
      }
    }
    output.textContent = any ? `${shown} of ${claims.length} claims` : `${claims.length} claims`;
  };

  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const path = [];
    for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) path.push(d);
    if (path.some((d) => d.hidden)) form.reset();
    for (const d of path) d.open = true;
    target.scrollIntoView();
  };

  for (const chip of chips) {
    chip.addEventListener("click", () => {
      chip.setAttribute("aria-pressed", chip.getAttribute("aria-pressed") !== "true");
      filter();
    });
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    for (const chip of chips) chip.setAttribute("aria-pressed", "false");
    setTimeout(filter); // after the fields are empty
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
  addEventListener("beforeprint", () => claims.forEach((c) => (c.open = true)));
  addEventListener("hashchange", reveal);
  form.hidden = false;
  filter();
  reveal();
})();
