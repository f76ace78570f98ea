import { createHash } from "node:crypto";
import { notFound } from "../../../core/errors.ts";
import { anyone } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { acceptedEncoding, compressBest, type Encoding } from "../../../http/content-encoding.ts";
import { openDocument } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { prefetchRules, prefetchRulesFile } from "../../../ui/prefetch.ts";
import { scriptFolder, scripts } from "../../../ui/script.ts";
import { style as sheet, styleFile } from "../../../ui/style.ts";

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 15%, transparent); --accent: #b4471f; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2.5rem; text-transform: capitalize }
table { border-collapse: collapse; width: 100% } td { border-top: 1px solid var(--line); padding: .35rem .75rem .35rem 0; vertical-align: top }
td:first-child { font: 600 .8rem ui-monospace, monospace; color: var(--accent); width: 4.5rem } code { font: .875rem ui-monospace, monospace; overflow-wrap: anywhere }
small { opacity: .7 } @media (max-width: 40rem) { td { display: block; border: 0; padding: 0 } td:first-child { border-top: 1px solid var(--line); padding-top: .5rem } }
`;
const styleDigest = createHash("sha256").update(style).digest("base64");

/** @param routes every route of the server */
export const metaPages = ({ allRoutes: routes }: { readonly allRoutes: () => readonly Route[] }): readonly Route[] => [
  defineRoute({
    id: "swaggerPage",
    method: "GET",
    mount: "root",
    path: "/api/swagger",
    tag: "miscellaneous",
    summary: "A page that lists the API's operations",
    isUnlisted: true,
    access: anyone,
    scope: "none",
    answers: raw(["text/html"]),
    handle: () => descriptionPage(routes()),
  }),
  defineRoute({
    ...openDocument,
    id: "styleSheet",
    path: "/assets/{name}",
    summary: "The style sheet of the pages, or the rules for links that browsers load in advance",
    answers: raw(["text/css", "application/speculationrules+json"]),
    handle: ({ params, headers }) => {
      if (params.name === prefetchRulesFile) return asset("application/speculationrules+json", prefetchRules, headers);
      if (params.name !== styleFile) throw notFound();
      return asset("text/css", sheet, headers);
    },
  }),
  defineRoute({
    ...openDocument,
    id: "script",
    path: "/assets/{folder}/{name}",
    summary: "A module of the pages' scripts",
    answers: raw(["text/javascript"]),
    handle: ({ params, headers }) => {
      const script = params.folder === scriptFolder ? scripts.get(params.name) : undefined;
      if (script === undefined) throw notFound();
      return asset("text/javascript", script, headers);
    },
  }),
];

/** Assets as they are sent, by encoding and content. Their content never changes, so each is compressed once. */
const compressed = new Map<string, Buffer>();

/** An asset's address contains its digest, so its content never changes. */
function asset(type: string, text: string, headers: Readonly<Record<string, string | string[] | undefined>>): RawReply {
  const encoding = acceptedEncoding(headers["accept-encoding"]);
  return {
    status: 200,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
      ...(encoding !== undefined && { "content-encoding": encoding }),
    },
    body: encoding === undefined ? text : compressOnce(text, encoding),
  };
}

function compressOnce(text: string, encoding: Encoding): Buffer {
  const key = encoding + text;
  const known = compressed.get(key);
  if (known !== undefined) return known;
  const bytes = compressBest(text, encoding);
  compressed.set(key, bytes);
  return bytes;
}

/** A page that lists the operations by subject, without scripts. */
function descriptionPage(routes: readonly Route[]): RawReply {
  const listed = routes.filter((route) => route.mount === "api" && !route.isUnlisted);
  const sections = [...new Set(listed.map((route) => route.tag))].sort().map((tag) => {
    const rows = listed
      .filter((route) => route.tag === tag)
      .map(
        (route) =>
          `<tr id="${escapeHtml(route.id)}"><td>${route.method}</td><td><code>${escapeHtml(route.path.replace(/[+*]\}/g, "}"))}</code></td><td>${escapeHtml(route.summary)}<br><small>${escapeHtml(route.id)}</small></td></tr>`,
      );
    return `<h2>${escapeHtml(tag)}</h2><table>${rows.join("")}</table>`;
  });
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hearth API</title><style>${style}</style>
<h1>Hearth API</h1><p>${listed.length} operations below <code>/api/v1</code>. The machine-readable description is <a href="/swagger.v1.json">swagger.v1.json</a> (Swagger 2.0).</p>${sections.join("")}</html>`;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleDigest}'; frame-ancestors 'none'; base-uri 'none'`,
      "x-content-type-options": "nosniff",
    },
    body,
  };
}
