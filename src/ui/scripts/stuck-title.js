import { make } from "./page.js";

/** Keeps the title and state of an issue or pull request in sight while its conversation is read. */
export function keepTitle() {
  const heading = document.querySelector(".issue-title h1");
  const main = document.querySelector("main");
  if (heading === null || main === null || document.querySelector(".timeline") === null) return;
  const top = make("a", { href: `#${main.id}`, dir: "auto" }, [(heading.textContent ?? "").trim()]);
  const bar = make("div", { class: "stuck-title" });
  const badge = document.querySelector(".issue-title .state-badge");
  if (badge !== null) bar.append(badge.cloneNode(true));
  bar.append(top);
  bar.hidden = true;
  main.append(bar);
  top.addEventListener("click", (event) => {
    event.preventDefault();
    scrollTo({ top: 0 });
  });
  new IntersectionObserver(([entry]) => {
    bar.hidden = entry === undefined || entry.isIntersecting || entry.boundingClientRect.top > 0;
  }).observe(heading);
}
