import type { FastifyInstance } from "fastify";
import { isValidRepositoryName, isValidUsername, reservedAccountName } from "../core/names.ts";
import type { Urls } from "../core/urls.ts";

const escapeAttribute = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * `go get` asks every path below a repository where its module is fetched from (go.dev/ref/mod, vcs-find). The answer follows from the
 * address alone: whether there is such a repository is known to nobody but those whom git lets in.
 */
export function answerGoGet(app: FastifyInstance, urls: Urls): void {
  app.addHook("onRequest", (request, reply, done) => {
    const at = request.url.indexOf("?");
    if (at < 0 || request.method !== "GET" || !request.url.includes("go-get=1", at)) return done();
    const module = new URLSearchParams(request.url.slice(at + 1)).get("go-get") === "1" ? moduleOf(request.url.slice(0, at)) : undefined;
    if (module === undefined) return done();
    const { host, pathname } = new URL(urls.web(module.owner, module.name));
    const text = `${host}${pathname} git ${urls.web(module.owner, `${module.name}.git`)}`;
    reply
      .headers({ "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'", "x-content-type-options": "nosniff" })
      .send(`<!doctype html><html><head><meta name="go-import" content="${escapeAttribute(text)}"></head><body></body></html>\n`);
  });
}

/** The repository that a path begins with, as far as there can be one. */
function moduleOf(path: string): { readonly owner: string; readonly name: string } | undefined {
  const [, owner = "", segment = ""] = path.split("/", 3);
  const name = segment.replace(/\.git$/, "");
  const canBe = isValidUsername(owner) && reservedAccountName(owner) === undefined && isValidRepositoryName(name) && !/^\.\.?$/.test(name);
  return canBe ? { owner, name } : undefined;
}
