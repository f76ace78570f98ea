import { createHash } from "node:crypto";
import type { ReleaseInput } from "./model.ts";

/** What tells two states of a release apart: all that people write of it, its files aside. */
export const releaseVersion = ({ tagName, target, title, note, isDraft, isPrerelease }: ReleaseInput): string =>
  createHash("sha256")
    .update(JSON.stringify([tagName, target, title, note, isDraft, isPrerelease]))
    .digest("base64url");
