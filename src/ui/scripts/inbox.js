import { ask, make, viewerPath } from "./page.js";

const name = "hearth-news";
/** Interval of the requests of a user who visits many pages. */
const freshMs = 30_000;
const mostShown = 99;

/** Shows the number of unread notifications next to their link. */
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
