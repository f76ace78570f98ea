import { notFound } from "../../../core/errors.ts";
import { anyone } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { acceptedEncoding, compressBest, type Encoding } from "../../../http/content-encoding.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { openDocument } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { renderPage } from "../../../ui/page.tsx";
import { prefetchRules, prefetchRulesFile } from "../../../ui/prefetch.ts";
import { isScriptFolder, readScript, scriptFolder } from "../../../ui/script.ts";
import { isStyleFile, style, styleFile } from "../../../ui/style.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { metaTexts } from "./texts/texts.ts";
import { type Operation, OperationsView } from "./views/operations.tsx";

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
    isPage: true,
    access: anyone,
    scope: "none",
    answers: raw(["text/html"]),
    handle: (request) => {
      const reader = pageReader(request);
      const { title } = textsFor(metaTexts, reader.languages);
      return renderPage({ ...reader, title }, <OperationsView operations={operationsOf(routes())} />);
    },
  }),
  defineRoute({
    ...openDocument,
    id: "styleSheet",
    path: "/assets/{name}",
    summary: "The style sheet of the pages, or the rules for links that browsers load in advance",
    answers: raw(["text/css", "application/speculationrules+json"]),
    handle: ({ params, headers }) => {
      if (params.name === prefetchRulesFile) return asset("application/speculationrules+json", prefetchRules, headers);
      if (!isStyleFile(params.name)) throw notFound();
      return asset("text/css", style, headers, { isKept: params.name === styleFile });
    },
  }),
  defineRoute({
    ...openDocument,
    id: "script",
    path: "/assets/{folder}/{name}",
    summary: "A script of the pages",
    answers: raw(["text/javascript"]),
    handle: async ({ params, headers }) => {
      const script = isScriptFolder(params.folder) ? await readScript(params.name) : undefined;
      if (script === undefined) throw notFound();
      return asset("text/javascript", script, headers, { isKept: params.folder === scriptFolder });
    },
  }),
];

/** Assets as they are sent, by encoding and content. Their content never changes, so each is compressed once. */
const compressed = new Map<string, Promise<Buffer>>();

/**
 * Servers of two versions run during an upgrade. A page from the other one gets the present content, which its browser must not keep.
 * @param options.isKept the address contains the digest of the content, so browsers may keep it forever; the default
 */
async function asset(
  type: string,
  text: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { isKept = true }: { readonly isKept?: boolean } = {},
): Promise<RawReply> {
  const encoding = acceptedEncoding(headers["accept-encoding"]);
  return {
    status: 200,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": isKept ? "public, max-age=31536000, immutable" : "no-store",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
      ...(encoding !== undefined && { "content-encoding": encoding }),
    },
    body: encoding === undefined ? text : await compressOnce(text, encoding),
  };
}

function compressOnce(text: string, encoding: Encoding): Promise<Buffer> {
  const key = encoding + text;
  const bytes = compressed.get(key) ?? compressBest(text, encoding);
  compressed.set(key, bytes);
  return bytes;
}

/** The operations that are part of the published description. */
const operationsOf = (routes: readonly Route[]): readonly Operation[] =>
  routes
    .filter((route) => route.mount === "api" && !route.isUnlisted)
    .map(({ id, method, path, summary, tag }) => ({ id, method, path: path.replace(/[+*]\}/g, "}"), summary, tag }));
