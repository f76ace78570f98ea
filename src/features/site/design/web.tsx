import { anyone } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { renderPage } from "../../../ui/page.tsx";
import { Components } from "./views/components.tsx";

export const designPages = (): Route[] => [
  defineRoute({
    id: "designPage",
    method: "GET",
    mount: "root",
    path: "/-/design",
    tag: "miscellaneous",
    summary: "The components of the pages, in both themes",
    isUnlisted: true,
    isPage: true,
    access: anyone,
    scope: "none",
    answers: raw(["text/html"]),
    handle: (request) => renderPage({ ...pageReader(request), title: "Design" }, <Components />),
  }),
];
