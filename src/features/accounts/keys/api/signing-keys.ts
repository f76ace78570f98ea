import { notFound } from "../../../../core/errors.ts";
import { anyone, repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { text } from "../../../../wire/schema.ts";

export interface SigningKeyApiDeps {
  readonly commitSigner: { readonly publicKey: string } | undefined;
}

const answers = raw(["text/plain"], 200, text());
const none = (): never => {
  throw notFound("no signing key");
};

/** The key with which the server signs commits that users make on the web: an SSH key, the same for every repository. */
export function signingKeyRoutes({ commitSigner }: SigningKeyApiDeps): Route[] {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  const show = (): RawReply => (commitSigner === undefined ? none() : { status: 200, headers, body: `${commitSigner.publicKey}\n` });
  return [
    defineRoute({
      id: "getSigningKey",
      method: "GET",
      path: "/signing-key.gpg",
      tag: "miscellaneous",
      summary: "The server's OpenPGP signing key: always empty",
      access: anyone,
      scope: "none",
      answers,
      refusals: { 404: "notFound" },
      handle: none,
    }),
    defineRoute({
      id: "getSigningKeySSH",
      method: "GET",
      path: "/signing-key.pub",
      tag: "miscellaneous",
      summary: "The server's SSH signing key",
      access: anyone,
      scope: "none",
      answers,
      refusals: { 404: "notFound" },
      handle: show,
    }),
    defineRoute({
      id: "repoSigningKey",
      method: "GET",
      path: "/repos/{owner}/{repo}/signing-key.gpg",
      tag: "repository",
      summary: "The OpenPGP signing key of a repository: always empty",
      access: repository.reader("repo.code"),
      scope: "repository",
      answers,
      handle: none,
    }),
    defineRoute({
      id: "repoSigningKeySSH",
      method: "GET",
      path: "/repos/{owner}/{repo}/signing-key.pub",
      tag: "repository",
      summary: "The SSH signing key of a repository",
      access: repository.reader("repo.code"),
      scope: "repository",
      answers,
      handle: show,
    }),
  ];
}
