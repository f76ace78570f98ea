import { h } from "preact";
import { type RenderedPage, renderPage } from "./page.ts";

const titles: Readonly<Record<number, string>> = {
  400: "This address does not work",
  403: "Not allowed",
  404: "Not found",
  413: "Too large",
  429: "Too many attempts",
  503: "Not now",
};

/** Why a page cannot be shown. */
export function renderRefusal(status: number, message: string): RenderedPage {
  return renderPage(
    { title: titles[status] ?? "Something went wrong", status, isNarrow: true },
    h("p", { class: "notice bad" }, message),
    h("p", null, h("a", { href: "/" }, "To the front page")),
  );
}
