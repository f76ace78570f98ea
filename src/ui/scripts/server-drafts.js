import { ask } from "./page.js";

// Saves drafts of signed-in users on the server, for other machines and for browsers that delete their data.

/** @typedef {{ form: string, fields: Record<string, string>, updated_at: string }} ServerDraft */

/** Minimum interval between saves. */
const everyMs = 2_000;
/** Maximum size of a request that is sent while the page is closed (Fetch, keepalive). */
const maxKeptAliveBytes = 60_000;
/** Maximum size of a draft on the server. */
const maxBytes = 131_072;

/**
 * The drafts for these forms, by their actions; undefined if they cannot be loaded.
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
 * Saves the draft of a form on the server, some time after the last change.
 * @param {string} form where it leads
 * @param {() => void} onKept after it has arrived
 */
export function keepOnServer(form, onKept) {
  /** @type {Record<string, string> | undefined} The fields to save; empty to delete the draft. */
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
    // If the session has expired or the browser is offline, this browser still has the draft.
    ask(isEmpty ? "DELETE" : "PUT", path, body, { keepalive, signal: sending.signal }).then(onKept, () => {});
  };
  return {
    /** @param {Record<string, string>} fields empty: deletes the draft */
    keep(fields) {
      wanted = fields;
      waiting ??= setTimeout(send, everyMs);
    },
    /** Saves immediately. */
    flush: send,
    /** Stops saving, because the form is being submitted. */
    stop() {
      clearTimeout(waiting);
      waiting = undefined;
      wanted = undefined;
      sending.abort();
    },
  };
}
