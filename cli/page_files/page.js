"use strict";

const token = document.body.dataset.token;
const statement = document.getElementById("statement");
const read = document.getElementById("read");
const answer = document.getElementById("answer");
const progress = document.getElementById("progress");
const PAUSE = 300; // milliseconds without a key before a statement is read

function part(kind, text, name) {
  const made = document.createElement(kind);
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

/** A formula that this page's own server set as MathML. */
function set(mathml) {
  const box = document.createElement("div");
  box.className = "set";
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "formula");
  box.innerHTML = mathml;
  return box;
}

async function ask(path) {
  const response = await fetch(`${path}?token=${token}`, {
    method: "POST",
    body: JSON.stringify({ statement: statement.value}),
  });
  if (!response.ok) throw new Error(`the page's server answered ${response.status}`);
  return response.json();
}

let waiting, turn = 0;

async function show() {
  const mine = ++turn;
  if (!statement.value.trim()) return read.replaceChildren(part("p", "Nothing yet."));
  const told = await ask("read").catch((error) => ({ error: error.message }));
  if (mine !== turn) return; // something else has been typed since
  if (told.error) return read.replaceChildren(part("p", told.error, "error"));
  const parts = [told.set ? set(told.set) : part("p", told.text), part("p", told.text, "quiet")];
  read.replaceChildren(...parts, ...told.assumed.map((taken) => part("p", `Taken: ${taken}`, "quiet")));
}

function link(name, text) {
  const made = part("a", text);
  made.href = `${name}?token=${token}`;
  made.download = "receipt.py";
  return made;
}

function lines(told) {
  const kind = told.verdict.startsWith("proved") ? "proved" : told.verdict.startsWith("refuted") ? "refuted" : "";
  const parts = [part("p", told.verdict, `verdict ${kind}`)];
  if (told.why) parts.push(part("pre", told.why));
  if (told.point) {
    parts.push(part("p", told.sides.said));
  }
  if (told.repair) {
    parts.push(part("p", `What is true instead (changed: ${told.repair.changed}):`));
    parts.push(told.repair_set ? set(told.repair_set) : part("p", told.repair.text));
  }
  if (told.constant) {
    const { printed, fails, holds, best } = told.constant;
    const said = [fails && `${fails} fails`, holds && `${holds} holds`, best && `the best is ${best}`];
    parts.push(part("p", `In place of ${printed}: ${said.filter(Boolean).join(", ")}`));
  }
  for (const one of told.evidence) parts.push(part("p", `${one.by}: ${one.statement}`, "quiet"));
  for (const fact of told.facts) parts.push(part("p", `Named fact: ${fact}`, "quiet"));
  if (told.receipt) parts.push(link(told.receipt, "Receipt: a Python file that checks this answer"));
  if (told.picture) {
    const image = document.createElement("img");
    image.src = `${told.picture}?token=${token}`;
    image.alt = `Picture of both sides; the verdict is ${told.verdict}.`;
    parts.push(image);
  }
  return parts;
}

async function settle(event) {
  event.preventDefault();
  if (!statement.value.trim()) return statement.focus();
  progress.hidden = false;
  answer.replaceChildren(part("p", "At work."));
  const told = await ask("settle").catch((error) => ({ error: error.message }));
  progress.hidden = true;
  answer.replaceChildren(...(told.error ? [part("p", told.error, "error")] : lines(told)));
}

statement.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(show, PAUSE); });
document.getElementById("ask").addEventListener("submit", settle);
statement.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) settle(event);
});
