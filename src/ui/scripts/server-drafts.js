import { ask } from "./page.js";

// Drafts of whoever is signed in are kept on the server too: for another machine, and for a browser that forgets.

/** @typedef {{ form: string, fields: Record<string, string>, updated_at: string }} ServerDraft */

/** Somebody who writes saves this often at most. */
const everyMs = 2_000;
/** What a page that is left may still send (Fetch, keepalive). */
const maxKeptAliveBytes = 60_000;
/** More than this the server does not keep. */
const maxBytes = 131_072;

/**
 * The drafts for these forms, by where they lead; undefined where nobody can tell.
 * @param {readonly string[]} forms
 * @returns {Promise<ReadonlyMap<string, ServerDraft> | undefined>}
 */
export async function loadServerDrafts(forms) {
  try {
    /** @type {ServerDraft[]} */
    const drafts = await (await ask("GET", `/user/drafts?forms=${encodeURIComponent(forms.join("\n"))}`)).json();
    return new Map(drafts.map((draft) => [draft.form, draft]));
  } catch {
    return undefined;
  }
}

/**
 * Keeps one form's draft on the server, some time after it was last told to.
 * @param {string} form where it leads
 * @param {() => void} onKept after it has arrived
 */
export function keepOnServer(form, onKept) {
  /** @type {Record<string, string> | undefined} What is to be kept; empty: nothing. */
  let wanted;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let sending = new AbortController();
  const send = () => {
    clearTimeout(waiting);
    waiting = undefined;
    const fields = wanted;
    wanted = undefined;
    if (fields === undefined) return;
    sending = new AbortController();
    const bytes = new TextEncoder().encode(JSON.stringify(fields)).length;
    if (bytes > maxBytes) return;
    const isEmpty = Object.keys(fields).length === 0;
    const body = isEmpty ? undefined : { form, fields };
    const path = isEmpty ? `/user/drafts?form=${encodeURIComponent(form)}` : "/user/drafts";
    const keepalive = bytes < maxKeptAliveBytes;
    // Whoever is not signed in any more, or is offline, has it in this browser.
    ask(isEmpty ? "DELETE" : "PUT", path, body, { keepalive, signal: sending.signal }).then(onKept, () => {});
  };
  return {
    /** @param {Record<string, string>} fields none: nothing is kept any more */
    keep(fields) {
      wanted = fields;
      waiting ??= setTimeout(send, everyMs);
    },
    /** Now instead of later. */
    flush: send,
    /** What is being sent elsewhere is not kept. */
    stop() {
      clearTimeout(waiting);
      waiting = undefined;
      wanted = undefined;
      sending.abort();
    },
  };
}
