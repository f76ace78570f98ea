import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The `Location` header of a redirect. */
  readonly location: string | undefined;
  /** The current values of a form's fields, including hidden ones. @throws Error if the page has no such form */
  form(action: string): Readonly<Record<string, string>>;
}

/** A simulated browser: keeps cookies, fills in forms and submits them with browser headers. Does not follow redirects. */
export interface Browser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<BrowserAnswer>;
  /** Posts fields like a form on a page of this server; pairs allow repeated names. */
  post(path: string, fields: Readonly<Record<string, string>> | URLSearchParams, headers?: Readonly<Record<string, string>>): Promise<BrowserAnswer>;
  /** Fills in and submits a form of a loaded page. */
  submit(page: BrowserAnswer, action: string, fields?: Readonly<Record<string, string>>): Promise<BrowserAnswer>;
  /** Like `submit`, for a form with file fields. */
  upload(page: BrowserAnswer, action: string, fields: Readonly<Record<string, string>>, files: readonly ChosenFile[]): Promise<BrowserAnswer>;
  signIn(user: { readonly name: string; readonly password: string }, redirectTo?: string): Promise<BrowserAnswer>;
  /** Its cookies as a header; settable, to simulate a stolen session. */
  cookie: string;
}

export interface ChosenFile {
  readonly field: string;
  readonly name: string;
  readonly content: Uint8Array | string;
}

/** @param userAgent value of the User-Agent header */
export function createBrowser(origin: string, userAgent = "Test Browser/1.0"): Browser {
  const jar = new Map<string, string>();
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>, body?: URLSearchParams | FormData) => {
    const response = await fetch(new URL(path, origin), {
      method,
      redirect: "manual",
      headers: {
        "user-agent": userAgent,
        accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        ...(jar.size > 0 && { cookie: cookieHeader(jar) }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const cookie of response.headers.getSetCookie()) keep(jar, cookie);
    return toAnswer(response, await response.text());
  };
  const fromPage = { origin, "sec-fetch-site": "same-origin" };
  const browser: Browser = {
    get: (path, headers = {}) => send("GET", path, { "sec-fetch-site": "none", ...headers }),
    post: (path, fields, headers = {}) => send("POST", path, { ...fromPage, ...headers }, new URLSearchParams(fields)),
    submit: (page, action, fields = {}) => browser.post(action, { ...page.form(action), ...fields }),
    upload(page, action, fields, files) {
      const form = new FormData();
      const chosen = new Set(files.map(({ field }) => field));
      for (const [name, value] of Object.entries({ ...page.form(action), ...fields })) if (!chosen.has(name)) form.set(name, value);
      for (const { field, name, content } of files) form.append(field, new Blob([typeof content === "string" ? content : new Uint8Array(content)]), name);
      return send("POST", action, fromPage, form);
    },
    async signIn(user, redirectTo) {
      const page = await browser.get(`/user/login?again=true${redirectTo === undefined ? "" : `&redirect_to=${encodeURIComponent(redirectTo)}`}`);
      return browser.submit(page, "/user/login", { user_name: user.name, password: user.password });
    },
    get cookie() {
      return cookieHeader(jar);
    },
    set cookie(header) {
      jar.clear();
      for (const pair of header.split("; ")) keep(jar, pair);
    },
  };
  return browser;
}

const cookieHeader = (jar: ReadonlyMap<string, string>): string => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

function keep(jar: Map<string, string>, cookie: string): void {
  const [pair = "", ...attributes] = cookie.split("; ");
  const at = pair.indexOf("=");
  const isEnded = attributes.some((attribute) => attribute.toLowerCase() === "max-age=0");
  if (isEnded) jar.delete(pair.slice(0, at));
  else jar.set(pair.slice(0, at), pair.slice(at + 1));
}

const toAnswer = (response: Response, text: string): BrowserAnswer => ({
  status: response.status,
  headers: response.headers,
  text,
  location: response.headers.get("location") ?? undefined,
  form(action) {
    const form = elements(parse(text)).find((element) => element.tagName === "form" && attribute(element, "action") === action);
    if (form === undefined) throw new Error(`no form leads to ${action}: ${response.status} ${text.slice(0, 500)}`);
    return Object.fromEntries(
      elements(form)
        .flatMap((element) => fieldOf(element) ?? [])
        .map((field) => [field.name, field.value]),
    );
  },
});

/** The submitted value of a form control; undefined for an unchecked one. */
function fieldOf(element: Element): { readonly name: string; readonly value: string } | undefined {
  const name = attribute(element, "name");
  if (name === undefined) return undefined;
  const value = attribute(element, "value") ?? "";
  const isOff = ["checkbox", "radio"].includes(attribute(element, "type") ?? "") && attribute(element, "checked") === undefined;
  if (element.tagName === "input") return isOff ? undefined : { name, value };
  if (element.tagName === "textarea") return { name, value: textWithin(element) };
  if (element.tagName !== "select") return undefined;
  const options = elements(element).filter(({ tagName }) => tagName === "option");
  const chosen = options.find((option) => attribute(option, "selected") !== undefined) ?? options[0];
  return chosen && { name, value: attribute(chosen, "value") ?? textWithin(chosen) };
}

const textWithin = (node: Node): string => ("value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textWithin).join("") : "");

const attribute = (element: Element, name: string): string | undefined => element.attrs.find((one) => one.name === name)?.value;

function elements(node: Node): Element[] {
  const children = "childNodes" in node ? node.childNodes.flatMap(elements) : [];
  return "tagName" in node ? [node, ...children] : children;
}
