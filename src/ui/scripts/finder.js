import { ask, make, openDialog, repositoryPath, say } from "./page.js";

const shownFiles = 50;

/** Finds a file of the default branch by some of the letters of its path. @returns {boolean} true: it is open */
export function openFinder() {
  const texts = say();
  const field = make("input", { type: "search", "aria-label": texts.findFile, placeholder: texts.findFile });
  const list = make("ul", { class: "found" });
  const dialog = make("dialog", { class: "finder", "aria-label": texts.findFile }, [field, list]);
  /** @type {readonly string[]} */
  let paths = [];
  let address = "";
  const show = () => {
    const found = paths.filter((path) => fits(path, field.value)).slice(0, shownFiles);
    list.replaceChildren(...found.map((path) => make("li", {}, [make("a", { href: address + encode(path) }, [path])])));
    if (found.length === 0) list.append(make("li", { class: "soft" }, [address === "" ? texts.loading : texts.noFile]));
  };
  field.addEventListener("input", show);
  field.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") list.querySelector("a")?.click();
  });
  show();
  openDialog(dialog);
  load()
    .then((loaded) => {
      ({ paths, address } = loaded);
      show();
    })
    .catch(() => list.replaceChildren(make("li", { class: "soft" }, [texts.noFile])));
  return true;
}

/** @param {string} path */
const encode = (path) => path.split("/").map(encodeURIComponent).join("/");

async function load() {
  const repository = repositoryPath() ?? "";
  const { default_branch: branch } = await (await ask("GET", `/repos${repository}`)).json();
  const { tree } = await (await ask("GET", `/repos${repository}/git/trees/${encodeURIComponent(branch)}?recursive=true&per_page=10000`)).json();
  const paths = tree.filter((/** @type {{ type: string }} */ { type }) => type === "blob").map((/** @type {{ path: string }} */ { path }) => path);
  return { paths, address: `${repository}/src/branch/${encode(branch)}/` };
}

/**
 * Whether a path holds the letters one after another.
 * @param {string} path
 * @param {string} typed
 */
function fits(path, typed) {
  const lower = path.toLowerCase();
  let at = 0;
  for (const letter of typed.toLowerCase().replace(/\s/g, "")) {
    at = lower.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
