import { isValidRepositoryName, isValidUsername, reservedAccountName } from "../core/names.ts";
import type { Urls } from "../core/urls.ts";
import type { PreparedReply } from "./answers.ts";

const escapeAttribute = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Responds to `go get`, which requests every path below a repository to find its clone URL (go.dev/ref/mod, vcs-find). The response
 * follows from the URL alone, so it does not reveal whether the repository exists.
 * @param url path and query
 * @returns undefined for any other request
 */
export function goGetReply(method: string, url: string, urls: Urls): PreparedReply | undefined {
  const at = url.indexOf("?");
  if (at < 0 || method !== "GET" || !url.includes("go-get=1", at)) return undefined;
  const module = new URLSearchParams(url.slice(at + 1)).get("go-get") === "1" ? moduleOf(url.slice(0, at)) : undefined;
  if (module === undefined) return undefined;
  const { host, pathname } = new URL(urls.web(module.owner, module.name));
  const text = `${host}${pathname} git ${urls.web(module.owner, `${module.name}.git`)}`;
  return {
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'", "x-content-type-options": "nosniff" },
    body: `<!doctype html><html><head><meta name="go-import" content="${escapeAttribute(text)}"></head><body></body></html>\n`,
  };
}

/** The repository in the first two path segments, if they are valid names. */
function moduleOf(path: string): { readonly owner: string; readonly name: string } | undefined {
  const [, owner = "", segment = ""] = path.split("/", 3);
  const name = segment.replace(/\.git$/, "");
  const canBe = isValidUsername(owner) && reservedAccountName(owner) === undefined && isValidRepositoryName(name) && !/^\.\.?$/.test(name);
  return canBe ? { owner, name } : undefined;
}
