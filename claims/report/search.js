"use strict";
// All claims by words, as `banditproof list --find` finds them; the claims are read when somebody begins to search.
(() => {
  const form = document.getElementById("search");
  if (!form) return;
  const asked = form.elements.asked;
  const found = document.getElementById("found");
  const said = document.getElementById("said");
  const MOST = 20;
  const bare = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const squeezed = (text) => bare(text).replace(/[^\p{L}\p{N}]+/gu, "");
  const words = (text) => bare(text).match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu) ?? [];
  const little = new Set("a an and by for from in is of on or that the to under with".split(" ")); // as in searching.py
  const sought = (text) => {
    const all = words(text.replace(/['’]s(?![\p{L}\p{N}_])/gu, ""));
    const some = all.filter((word) => !little.has(word));
    return some.length ? some : all;
  };
  const held = new Map(); // squeezed and as words, made when they are first asked for
  const of = (text) => {
    if (!held.has(text)) held.set(text, [squeezed(text), new Set(words(text))]);
    return held.get(text);
  };
  const fit = (word, [whole, each]) => {
    if (each.has(word)) return 1;
    if (word.length > 2 && [...each].some((w) => w.startsWith(word))) return 0.8;
    return word.length > 3 && !word.includes(".") && whole.includes(squeezed(word)) ? 0.6 : 0;
  };

  const ranked = (text) => {
    const [wanted, together] = [sought(text), squeezed(text)];
    const hits = [];
    for (const claim of window.CLAIMS) {
      const scores = wanted.map((w) => Math.max(...claim.fields.map(([weight, t]) => weight * fit(w, of(t)))));
      const missing = scores.filter((s) => !s).length;
      const unnumbered = wanted.some((w, place) => w.includes(".") && !scores[place]);
      if (!wanted.length || 2 * missing > wanted.length || unnumbered) continue;
      let score = claim.names.some((n) => squeezed(n) === together) ? 100 : 0;
      for (const [weight, t] of claim.fields) if (of(t)[0].includes(together)) score += weight;
      hits.push([missing, -(score + scores.reduce((a, b) => a + b)) * claim.weight, claim]);
    }
    const fewest = Math.min(...hits.map(([missing]) => missing));
    return hits.filter(([missing]) => missing === fewest).sort((a, b) => a[1] - b[1]).map(([, , claim]) => claim);
  };

  const show = () => {
    const hits = asked.value.trim() ? ranked(asked.value) : [];
    found.replaceChildren(...hits.slice(0, MOST).map((claim) => {
      const [item, link, words] = ["li", "a", "span"].map((e) => document.createElement(e));
      link.href = form.dataset.root + claim.address;
      link.textContent = claim.names[0];
      words.textContent = ` ${claim.verdict}: ${claim.said}`;
      item.append(link, words);
      return item;
    }));
    said.textContent = !asked.value.trim() ? "" : hits.length > MOST ? `${MOST} of ${hits.length} claims` : `${hits.length} claims`;
  };

  let read = false;
  const begin = () => {
    if (window.CLAIMS) return show();
    if (read) return;
    read = true;
    const script = document.createElement("script");
    script.src = `${form.dataset.root}claims.js`;
    script.onload = show;
    script.onerror = () => { said.textContent = "claims.js, which stands beside the report's index, cannot be read"; };
    document.head.append(script);
  };
  asked.addEventListener("focus", begin);
  asked.addEventListener("input", begin);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    found.querySelector("a")?.click();
  });
  form.hidden = false;
})();
