import { h } from "preact";
import type { Html } from "../../../ui/html.ts";

/** The front page while there are no pages of repositories: what this is, and where programs find it. */
export const StartView = ({ name }: { readonly name: string | undefined }): Html => [
  h("p", null, name === undefined ? "A git forge." : h("span", null, "You are signed in as ", h("strong", null, name), ".")),
  h(
    "ul",
    null,
    name === undefined
      ? h("li", null, h("a", { href: "/user/login" }, "Sign in"))
      : [
          h("li", null, h("a", { href: "/user/sessions" }, "Where you are signed in")),
          h("li", null, h("a", { href: "/user/applications" }, "Applications that you have let in")),
          h("li", null, h("a", { href: "/user/identities" }, "Identities elsewhere by which you sign in")),
        ],
    h("li", null, h("a", { href: "/api/swagger" }, "The interface for programs")),
  ),
];
