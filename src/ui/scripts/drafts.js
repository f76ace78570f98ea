import { make, makeButton, say, viewerPath } from "./page.js";
import { keepOnServer, loadServerDrafts } from "./server-drafts.js";
import { relative } from "./times.js";

// Saves texts that are typed into forms, in this browser and on the server, until the form is accepted: an expired session, a restart or a closed tab loses nothing.

/** @typedef {{ fields: Record<string, string>, at: number, isOnServer?: boolean }} Draft */

const prefix = "hearth-draft:";
const sentName = "hearth-sent";
const keptMs = 30 * 86_400_000;

/** @param {HTMLFormElement} form */
const leadsTo = (form) => form.getAttribute("action") ?? "";

/** @param {HTMLFormElement} form */
const keyOf = (form) => `${prefix}${viewerPath()}:${leadsTo(form)}`;

export async function keepDrafts() {
  dropOld();
  dropArrived();
  if (viewerPath() === "") return;
  document.querySelector('form[action="/user/logout"]')?.addEventListener("submit", forgetAll);
  const forms = [...document.querySelectorAll("form")].filter((form) => form.matches('[method="post"]') && form.querySelector("textarea"));
  if (forms.length === 0) return;
  const watched = forms.map((form) => ({ form, ...watch(form) }));
  const onServer = await loadServerDrafts(forms.map(leadsTo));
  for (const { form, kept, discard, before } of watched) {
    const there = onServer?.get(leadsTo(form));
    // A draft that the server no longer has was sent or discarded in another browser.
    if (kept?.isOnServer && onServer !== undefined && there === undefined) localStorage.removeItem(keyOf(form));
    else if (kept !== undefined) offer(form, discard, kept, before);
    if (there === undefined) continue;
    markKept(form);
    if (kept === undefined || differ(there.fields, kept.fields)) offer(form, discard, { fields: there.fields, at: Date.parse(there.updated_at) }, before);
  }
}

/** Pages on the way to a new session, after the former one has expired. */
const signInPages = /^\/user\/(?:login|two_factor|oauth2|forgot_password|recover_account|change_password)(?:\/|$)/;

/** Deletes drafts that were accepted: the page after the form is neither an error, nor a form with a problem, nor the sign-in page. */
function dropArrived() {
  const sent = sessionStorage.getItem(sentName);
  if (sent === null) return;
  sessionStorage.removeItem(sentName);
  const isTaken = document.querySelector("[data-refused]") === null && !signInPages.test(location.pathname);
  if (isTaken) localStorage.removeItem(sent);
}

/** The server deletes its draft when it accepts a form with this field. @param {HTMLFormElement} form */
function markKept(form) {
  if (form.elements.namedItem("_draft") === null) form.append(make("input", { type: "hidden", name: "_draft", value: "true" }));
}

/**
 * @param {HTMLFormElement} form
 * @returns what was kept of it in this browser, the texts as they were, and what throws its draft away
 */
function watch(form) {
  const key = keyOf(form);
  const before = textsOf(form);
  const kept = read(key);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const server = keepOnServer(leadsTo(form), () => {
    const draft = read(key);
    if (draft !== undefined) localStorage.setItem(key, JSON.stringify({ ...draft, isOnServer: true }));
  });
  const discard = () => {
    localStorage.removeItem(key);
    server.keep({});
    server.flush();
  };
  const save = () => {
    clearTimeout(waiting);
    waiting = undefined;
    const fields = textsOf(form);
    if (!differ(fields, before)) {
      discard();
      return;
    }
    localStorage.setItem(key, JSON.stringify({ fields, at: Date.now() }));
    server.keep(fields);
    markKept(form);
  };
  form.addEventListener("input", () => {
    waiting ??= setTimeout(save, 250);
  });
  addEventListener("pagehide", () => {
    if (waiting !== undefined) save();
    server.flush();
  });
  form.addEventListener("submit", () => {
    if (waiting !== undefined) save();
    server.stop();
    sessionStorage.setItem(sentName, key);
  });
  return { kept, before, discard };
}

/**
 * Whether the draft differs from a form's texts in more than surrounding white space.
 * @param {Record<string, string>} draft
 * @param {Record<string, string>} texts
 */
const differ = (draft, texts) => Object.entries(draft).some(([name, value]) => texts[name] !== undefined && texts[name].trim() !== value.trim());

/**
 * @param {HTMLFormElement} form
 * @param {() => void} discard
 * @param {Draft} kept
 * @param {Record<string, string>} before
 */
function offer(form, discard, kept, before) {
  if (!differ(kept.fields, before)) return;
  const texts = say();
  const notice = make("div", { class: "notice draft", role: "status" }, [`${texts.draftKept} (${relative(kept.at)}) `]);
  const restore = () => {
    const fields = fieldsOf(form);
    for (const field of fields) {
      const value = kept.fields[field.name];
      if (value !== undefined) field.value = value;
    }
    form.dispatchEvent(new Event("input"));
    notice.remove();
    fields.find((field) => field instanceof HTMLTextAreaElement)?.focus();
  };
  notice.append(
    makeButton(texts.draftRestore, restore),
    makeButton(texts.draftDiscard, () => {
      discard();
      notice.remove();
    }),
  );
  form.prepend(notice);
}

/**
 * Text fields; passwords and other secrets are never saved.
 * @param {HTMLFormElement} form
 * @returns {(HTMLInputElement | HTMLTextAreaElement)[]}
 */
const fieldsOf = (form) => [
  .../** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (form.querySelectorAll("textarea[name]:not([data-secret]), input[type=text][name]")),
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

/** Deletes all drafts from this browser at sign-out, for the next user of the machine. Those on the server remain. */
function forgetAll() {
  for (const key of keys()) localStorage.removeItem(key);
}
