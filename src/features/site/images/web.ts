import { createHash } from "node:crypto";
import { notFound } from "../../../core/errors.ts";
import { raw } from "../../../http/answers.ts";
import { fileHeaders, isUnchanged, unchangedReply } from "../../../http/file-answer.ts";
import { openDocument } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import type { ImageAddresses } from "./address.ts";
import { type ImageLoader, keptSeconds } from "./service/load.ts";

export interface ImagePageDeps {
  readonly imageAddresses: ImageAddresses;
  readonly imageLoader: ImageLoader;
}

const cacheControl = `public, max-age=${keptSeconds}`;

/** Images of other hosts, for pages. */
export const imagePages = ({ imageAddresses, imageLoader }: ImagePageDeps): readonly Route[] => [
  defineRoute({
    ...openDocument,
    id: "foreignImage",
    path: "/-/image/{signature}/{address}",
    summary: "An image of another host, for the texts of pages",
    // The signature is the permission: images have no credentials and depend on no reader.
    answers: raw(["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"]),
    handle: async ({ params, headers, signal }) => {
      const url = imageAddresses.read(params.signature, params.address);
      if (url === undefined) throw notFound();
      const { type, content } = await imageLoader.load(url, signal);
      const file = { etag: createHash("sha256").update(content).digest("base64url"), cacheControl };
      if (isUnchanged(headers, file)) return unchangedReply(file);
      return { status: 200, headers: fileHeaders({ ...file, contentType: type, disposition: "inline", name: "image" }), body: content };
    },
  }),
];
