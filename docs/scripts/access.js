// What the theme leaves out: levels of captions, names of regions, and code that is scrolled by keys.
addEventListener("load", () => {
  for (const e of document.querySelectorAll(".caption[role=heading]")) e.ariaLevel = 2;
  for (const e of document.querySelectorAll(".highlight pre")) if (e.scrollWidth > e.clientWidth) e.tabIndex = 0;
  for (const e of document.querySelectorAll("aside")) e.ariaLabel = e.className;
});
