import { ask, make, viewerPath } from "./page.js";

const name = "hearth-news";
/** Whoever goes from page to page asks this often. */
const freshMs = 30_000;
const mostShown = 99;

/** How many notifications wait stands beside the way to them. */
export async function countNews() {
  const link = document.querySelector(".site a.inbox");
  if (link === null) return;
  const count = await load();
  if (count === 0) return;
  link.append(make("span", { class: "count" }, [count > mostShown ? `${mostShown}+` : `${count}`]));
}

async function load() {
  const known = read();
  if (known !== undefined && known.viewer === viewerPath() && Date.now() - known.at < freshMs && location.pathname !== "/notifications") return known.count;
  try {
    const { new: count } = await (await ask("GET", "/notifications/new")).json();
    sessionStorage.setItem(name, JSON.stringify({ viewer: viewerPath(), at: Date.now(), count }));
    return Number(count);
  } catch {
    return 0;
  }
}

/** @returns {{ viewer: string, at: number, count: number } | undefined} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
