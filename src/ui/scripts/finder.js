import { ask, repositoryPath, say } from "./page.js";
import { fitting, openPicker } from "./picker.js";

/** The link to the page that finds files names the commit; other pages search the default branch. */
const findLink = () => /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-find-file]"));

/** Opens the finder in place of its page. */
export function offerFinder() {
  findLink()?.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openFinder();
  });
}

/** Opens a dialog that finds files by some characters of their path. @returns {boolean} true: it is open */
export function openFinder() {
  const texts = say();
  /** @type {ReturnType<typeof load> | undefined} */
  let loading;
  const entriesOf = (/** @type {Awaited<ReturnType<typeof load>>} */ { paths, address }, /** @type {string} */ typed) =>
    fitting(paths, (path) => path, typed).map((path) => ({ text: path, act: () => location.assign(address + encode(path)) }));
  openPicker(texts.findFile, {
    nothing: texts.noFile,
    find: (typed) => {
      loading ??= load();
      return { now: [], later: loading.then((loaded) => entriesOf(loaded, typed)) };
    },
  });
  return true;
}

/** @param {string} path */
const encode = (path) => path.split("/").map(encodeURIComponent).join("/");

/** @returns {Promise<{ paths: readonly string[], address: string }>} */
async function load() {
  const repository = repositoryPath() ?? "";
  const link = findLink();
  const branch = link?.dataset.findFile ?? (await (await ask("GET", `/repos${repository}`)).json()).default_branch;
  const { tree } = await (await ask("GET", `/repos${repository}/git/trees/${encodeURIComponent(branch)}?recursive=true&per_page=10000`)).json();
  const paths = tree.filter((/** @type {{ type: string }} */ { type }) => type === "blob").map((/** @type {{ path: string }} */ { path }) => path);
  return { paths, address: `${link?.dataset.source ?? `${repository}/src/branch/${encode(branch)}`}/` };
}
