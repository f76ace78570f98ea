import type { ContentType, HookSettings, HookType } from "../model.ts";
import { chatMessage } from "./chat.ts";
import type { Payload } from "./summary.ts";

export interface Receiver {
  readonly type: HookType;
  readonly url: string;
  readonly contentType: ContentType;
  readonly settings: HookSettings;
}

export interface HookPayload {
  readonly uuid: string;
  readonly event: string;
  /** JSON. */
  readonly payload: string;
}

export interface Body {
  readonly method: "POST" | "PUT";
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
}

/** The request for a receiver: the plain payload or a chat message. Deterministic for a payload. */
export function bodyOf({ type, url, contentType, settings }: Receiver, { uuid, event, payload }: HookPayload): Body {
  const post = (value: object): Body => ({ method: "POST", url, contentType: "application/json", body: JSON.stringify(value, null, 2) });
  if (type === "gitea" || type === "gogs") {
    if (contentType === "form") return { ...post({}), contentType: "application/x-www-form-urlencoded", body: new URLSearchParams({ payload }).toString() };
    return { ...post({}), body: payload };
  }
  const read: Payload = JSON.parse(payload);
  if (type === "packagist") return post({ repository: { url: settings.package_url || read.repository.html_url } });
  const message = chatMessage(type, settings, event, read) ?? {};
  // The id is the Matrix transaction id, so a repeated delivery shows the message only once.
  return type === "matrix" ? { ...post(message), method: "PUT", url: below(url, uuid) } : post(message);
}

/** Appends a path segment to an address that may have a query. */
function below(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${name}`;
  return url.href;
}
