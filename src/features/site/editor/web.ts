import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { notFound } from "../../../core/errors.ts";
import { raw } from "../../../http/answers.ts";
import { openDocument } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { editorBundle } from "../../../ui/editor-bundle.ts";

const compress = promisify(gzip);

/** The files of the code editor, which the pages that change files load. */
export const editorFiles = (): readonly Route[] => [
  defineRoute({
    ...openDocument,
    id: "editorFile",
    path: "/-/editor/{digest}/{name}",
    summary: "A module of the code editor",
    answers: raw(["text/javascript"]),
    handle: async ({ params, headers }) => {
      const bundle = await editorBundle();
      const content = await bundle.read(params.name);
      if (content === undefined) throw notFound();
      const isCompressed = /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
      return {
        status: 200,
        headers: {
          "content-type": "text/javascript; charset=utf-8",
          // A page can be from a server of another version during an upgrade.
          "cache-control": params.digest === bundle.digest ? "public, max-age=31536000, immutable" : "no-store",
          "x-content-type-options": "nosniff",
          vary: "accept-encoding",
          ...(isCompressed && { "content-encoding": "gzip" }),
        },
        body: isCompressed ? await compress(content) : Buffer.from(content),
      };
    },
  }),
];
