import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { notFound } from "../../../core/errors.ts";
import { raw } from "../../../http/answers.ts";
import { openDocument } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { assetUrl, isSourceTree } from "../../../ui/assets.ts";
import { scriptFolder } from "../../../ui/script.ts";

/** The file of the library: of the package for the sources, next to the program in the build. */
const libraryFile = (): string | URL =>
  isSourceTree ? createRequire(import.meta.url).resolve("@mermaid-js/tiny/dist/mermaid.tiny.js") : assetUrl("diagrams/mermaid.js");

let name: Promise<string> | undefined;

/** The name of the library contains its digest. It is read for the first diagram, in pieces, and not kept. */
function libraryName(): Promise<string> {
  name ??= digestOf(libraryFile()).then((digest) => `mermaid-${digest}.js`);
  return name;
}

async function digestOf(file: string | URL): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex").slice(0, 16);
}

/** The document in which pages draw diagrams (`ui/scripts/diagrams.js`), and its library. Neither depends on a text. */
export const diagramPages = (): readonly Route[] => [
  defineRoute({
    ...openDocument,
    id: "diagramFrame",
    path: "/-/diagram",
    summary: "The document in which a diagram is drawn",
    answers: raw(["text/html"]),
    handle: async () => {
      const nonce = randomBytes(16).toString("base64");
      const scripts = [`/-/diagram/${await libraryName()}`, `/assets/${scriptFolder}/diagram-frame.js`];
      return {
        status: 200,
        headers: {
          "content-type": "text/html; charset=utf-8",
          // In an origin of its own, without requests besides the two scripts. The library creates style elements.
          "content-security-policy": `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; sandbox allow-scripts; frame-ancestors 'self'; base-uri 'none'; form-action 'none'`,
          "x-frame-options": "SAMEORIGIN",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cache-control": "private, no-store",
        },
        body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title>${scripts
          .map((path) => `<script nonce="${nonce}" defer src="${path}"></script>`)
          .join("")}</head><body></body></html>`,
      };
    },
  }),
  defineRoute({
    ...openDocument,
    id: "diagramLibrary",
    path: "/-/diagram/{name}",
    summary: "The library that draws diagrams",
    answers: raw(["text/javascript"]),
    handle: async ({ params, headers }) => {
      if (!/^mermaid-[0-9a-f]{16}\.js$/.test(params.name)) throw notFound();
      const file = createReadStream(libraryFile());
      const isCompressed = /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
      return {
        status: 200,
        headers: {
          "content-type": "text/javascript; charset=utf-8",
          // The frame can be from a server of another version during an upgrade.
          "cache-control": params.name === (await libraryName()) ? "public, max-age=31536000, immutable" : "no-store",
          "x-content-type-options": "nosniff",
          vary: "accept-encoding",
          ...(isCompressed && { "content-encoding": "gzip" }),
        },
        body: isCompressed ? file.pipe(createGzip()) : file,
      };
    },
  }),
];
