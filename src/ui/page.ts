import { type ComponentChildren, h } from "preact";
import { render } from "preact-render-to-string";
import { stylePath } from "./style.ts";

/** What a view gives: elements, texts, lists of them. Text is escaped when it is rendered. */
export type Html = ComponentChildren;

/** An answer for a browser, as routes hand it to the kit. */
export interface RenderedPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageFacts {
  readonly title: string;
  readonly status?: number;
  /** One form or message: a narrow column. */
  readonly isNarrow?: boolean;
  /** Where its forms may lead besides this server: a browser applies the rule to the redirects that follow a form as well. */
  readonly formTargets?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Who is signed in, with the token of his forms. */
  readonly viewer?: PageViewer | undefined;
}

export interface PageViewer {
  readonly name: string;
  readonly formToken: string;
}

/**
 * Renders a page: no script, no style of its own, in no frame, kept by nobody.
 * The referrer is told to this server alone; telling it to nobody would make browsers hide the origin of its forms from it too.
 */
export function renderPage(facts: PageFacts, ...content: readonly Html[]): RenderedPage {
  const formAction = ["'self'", ...(facts.formTargets ?? [])].join(" ");
  return {
    status: facts.status ?? 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "private, no-store",
      ...facts.headers,
    },
    body: `<!doctype html>${render(h(Document, { facts }, ...content))}`,
  };
}

function Document({ facts, children }: { readonly facts: PageFacts; readonly children?: Html }): Html {
  const { title, viewer, isNarrow } = facts;
  return h(
    "html",
    { lang: "en" },
    h(
      "head",
      null,
      h("meta", { charset: "utf-8" }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("title", null, `${title} - Hearth`),
      h("link", { rel: "stylesheet", href: stylePath }),
    ),
    h(
      "body",
      null,
      h("a", { class: "skip", href: "#content" }, "Skip to content"),
      h("header", { class: "site" }, h("a", { class: "brand", href: "/" }, "Hearth"), viewer && h(SignedIn, viewer)),
      h("main", { id: "content", ...(isNarrow && { class: "narrow" }) }, h("h1", null, title), children),
    ),
  );
}

function SignedIn({ name, formToken }: PageViewer): Html {
  return h(
    "form",
    { method: "post", action: "/user/logout" },
    h(FormToken, { value: formToken }),
    h("span", null, name, " "),
    h("button", { class: "plain", type: "submit" }, "Sign out"),
  );
}

/** The hidden field that every form of a session carries. */
export function FormToken({ value }: { readonly value: string }): Html {
  return h("input", { type: "hidden", name: "_csrf", value });
}
