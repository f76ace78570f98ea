/** @typedef {typeof import("../texts/scripts/english.ts").english} ScriptTexts */

/** @type {ScriptTexts} */
let spoken;

/** @param {ScriptTexts} texts of the page's language */
export const speak = (texts) => {
  spoken = texts;
};

export const say = () => spoken;

/** The form token of the session; undefined for visitors. */
export const formToken = () => document.querySelector('.site input[name="_csrf"]')?.getAttribute("value") ?? undefined;

/** Path of the user's profile; empty for visitors. */
export const viewerPath = () => document.querySelector(".site .viewer .sheet a")?.getAttribute("href") ?? "";

/** `/owner/name` of the repository that the page belongs to. */
export const repositoryPath = () => document.querySelector(".repository .name a:last-of-type")?.getAttribute("href") ?? undefined;

/**
 * Sends an API request as the signed-in user.
 * @param {string} method
 * @param {string} path below `/api/v1`
 * @param {unknown} [body] JSON, or a form
 * @param {RequestInit} [options] of the request
 * @returns {Promise<Response>} that succeeded
 */
export async function ask(method, path, body, options = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(`/api/v1${path}`, {
    ...options,
    method,
    headers: { "x-csrf-token": formToken() ?? "", ...(body !== undefined && !isForm && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return response;
}

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} [attributes]
 * @param {readonly (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * Creates a button with a click handler.
 * @param {string} text
 * @param {(event: MouseEvent) => void} act
 */
export function makeButton(text, act) {
  const button = make("button", { type: "button", class: "plain" }, [text]);
  button.addEventListener("click", act);
  return button;
}

/**
 * Shows a message that screen readers announce.
 * @param {Element} beside
 * @param {string} text
 */
export function tell(beside, text) {
  const known = beside.nextElementSibling;
  const place = known?.classList.contains("status-text") ? known : make("p", { class: "status-text hint", role: "status" });
  if (place !== known) beside.after(place);
  place.textContent = text;
}

/** @param {HTMLDialogElement} dialog removed when it is closed */
export function openDialog(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
