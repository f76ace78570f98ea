import { createHash } from "node:crypto";
import type { ReleaseInput } from "./model.ts";

/** A version key over all editable fields of a release, attachments excluded. */
export const releaseVersion = ({ tagName, target, title, note, isDraft, isPrerelease }: ReleaseInput): string =>
  createHash("sha256")
    .update(JSON.stringify([tagName, target, title, note, isDraft, isPrerelease]))
    .digest("base64url");
