import { notFound } from "../../../core/errors.ts";
import { anyone, repository } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { text } from "../../../wire/schema.ts";

const answers = raw(["text/plain"], 200, text());
/** What the server itself commits is not signed: its own key would say no more than where the commit is found. */
const handle = (): never => {
  throw notFound("no signing key");
};

/** The keys with which the server would sign what it commits. It has none. */
export function signingKeyRoutes(): Route[] {
  return [
    defineRoute({
      id: "getSigningKey",
      method: "GET",
      path: "/signing-key.gpg",
      tag: "miscellaneous",
      summary: "The OpenPGP key of the server's own commits",
      access: anyone,
      scope: "none",
      answers,
      handle,
    }),
    defineRoute({
      id: "getSigningKeySSH",
      method: "GET",
      path: "/signing-key.pub",
      tag: "miscellaneous",
      summary: "The SSH key of the server's own commits",
      access: anyone,
      scope: "none",
      answers,
      handle,
    }),
    defineRoute({
      id: "repoSigningKey",
      method: "GET",
      path: "/repos/{owner}/{repo}/signing-key.gpg",
      tag: "repository",
      summary: "The OpenPGP key of the server's own commits in a repository",
      access: repository.reader("repo.code"),
      scope: "repository",
      answers,
      handle,
    }),
    defineRoute({
      id: "repoSigningKeySSH",
      method: "GET",
      path: "/repos/{owner}/{repo}/signing-key.pub",
      tag: "repository",
      summary: "The SSH key of the server's own commits in a repository",
      access: repository.reader("repo.code"),
      scope: "repository",
      answers,
      handle,
    }),
  ];
}
