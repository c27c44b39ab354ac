// What the theme leaves out: titles, levels of captions, names of regions, and tables and code that are scrolled by keys.
addEventListener("load", () => {
  if (!document.querySelector("h1"))
    document.querySelector("article").insertAdjacentHTML("afterbegin", `<h1>${document.title.split(" - ")[0]}</h1>`);
  for (const e of document.querySelectorAll(".caption[role=heading]")) e.ariaLevel = 2;
  for (const e of document.querySelectorAll(".highlight pre, .table-wrapper")) if (e.scrollWidth > e.clientWidth) e.tabIndex = 0;
  for (const e of document.querySelectorAll("aside")) e.ariaLabel = e.className;
});
