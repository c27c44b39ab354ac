"use strict";
// What is wider than its place is scrolled by keys as well; whether it is becomes known where it is first laid out.
(() => {
  const sized = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const e of document.querySelectorAll(".wide, .title, .statement, .place, .repair, .words, .told, .reach, .line, .proof summary, figcaption, pre, p:has(> math), dd:has(math)")) sized.observe(e);
})();
