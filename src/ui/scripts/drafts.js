import { make, makeButton, say, viewerPath } from "./page.js";
import { relative } from "./times.js";

// What is typed into a form with a text is kept in this browser until it has arrived: an expired session, a restart or a closed tab takes nothing.

/** @typedef {{ fields: Record<string, string>, at: number }} Draft */

const prefix = "hearth-draft:";
const sentName = "hearth-sent";
const keptMs = 30 * 86_400_000;

/** @param {HTMLFormElement} form */
const keyOf = (form) => `${prefix}${viewerPath()}:${form.getAttribute("action")}`;

export function keepDrafts() {
  dropOld();
  dropArrived();
  if (viewerPath() === "") return;
  for (const form of document.querySelectorAll("form")) if (form.matches('[method="post"]') && form.querySelector("textarea")) watch(form);
  document.querySelector('form[action="/user/logout"]')?.addEventListener("submit", forgetAll);
}

/** What has been sent is dropped when the page after it says that it was taken: neither a refusal, of the page or of a form on it, nor the way to sign in again. */
function dropArrived() {
  const sent = sessionStorage.getItem(sentName);
  if (sent === null) return;
  sessionStorage.removeItem(sentName);
  const isTaken = document.querySelector("[data-refused]") === null && !location.pathname.startsWith("/user/");
  if (isTaken) localStorage.removeItem(sent);
}

/** @param {HTMLFormElement} form */
function watch(form) {
  const key = keyOf(form);
  const before = textsOf(form);
  const kept = read(key);
  const isMissing = Object.entries(kept?.fields ?? {}).some(([name, value]) => before[name] !== undefined && before[name].trim() !== value.trim());
  if (kept !== undefined && isMissing) offer(form, key, kept);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const save = () => {
    clearTimeout(waiting);
    waiting = undefined;
    const fields = textsOf(form);
    if (Object.entries(fields).every(([name, value]) => value === before[name])) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ fields, at: Date.now() }));
  };
  form.addEventListener("input", () => {
    waiting ??= setTimeout(save, 250);
  });
  addEventListener("pagehide", () => {
    if (waiting !== undefined) save();
  });
  form.addEventListener("submit", () => {
    save();
    sessionStorage.setItem(sentName, key);
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {string} key
 * @param {Draft} kept
 */
function offer(form, key, kept) {
  const texts = say();
  const notice = make("div", { class: "notice draft", role: "status" }, [`${texts.draftKept} (${relative(kept.at)}) `]);
  const restore = () => {
    for (const [name, value] of Object.entries(kept.fields)) {
      const field = fieldsOf(form).find((one) => one.name === name);
      if (field !== undefined) field.value = value;
    }
    notice.remove();
    fieldsOf(form)
      .find((field) => field instanceof HTMLTextAreaElement)
      ?.focus();
  };
  const discard = () => {
    localStorage.removeItem(key);
    notice.remove();
  };
  notice.append(makeButton(texts.draftRestore, restore), makeButton(texts.draftDiscard, discard));
  form.prepend(notice);
}

/**
 * Fields of words; passwords and the like are nobody's draft.
 * @param {HTMLFormElement} form
 * @returns {(HTMLInputElement | HTMLTextAreaElement)[]}
 */
const fieldsOf = (form) => [
  .../** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (form.querySelectorAll("textarea[name], input[type=text][name]")),
];

/** @param {HTMLFormElement} form */
const textsOf = (form) => Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value]));

/**
 * @param {string} key
 * @returns {Draft | undefined}
 */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

function dropOld() {
  for (const key of keys()) if ((read(key)?.at ?? 0) < Date.now() - keptMs) localStorage.removeItem(key);
}

/** Whoever signs out leaves nothing behind for the next person at this machine. */
function forgetAll() {
  for (const key of keys()) localStorage.removeItem(key);
}
