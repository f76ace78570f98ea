import type { ContentType, HookSettings, HookType } from "../view.ts";

export interface Receiver {
  readonly type: HookType;
  readonly url: string;
  readonly contentType: ContentType;
  readonly settings: HookSettings;
}

export interface Told {
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

const json = "application/json";

/** What a receiver is sent: the payload as it is, or in the words of its own. The same for the same payload, each time. */
export function bodyOf({ url, contentType }: Receiver, { payload }: Told): Body {
  if (contentType === "form")
    return { method: "POST", url, contentType: "application/x-www-form-urlencoded", body: new URLSearchParams({ payload }).toString() };
  return { method: "POST", url, contentType: json, body: payload };
}
