import type { Config } from "../../../config/config.ts";
import { productVersion } from "../../../core/product-version.ts";

/** The implemented version of Gitea's API; raised only with the contract. */
const contractVersion = "1.26.2";

/** A semantic version with the product as build metadata, so it compares equal to the contract's version. */
export const serverVersion = `${contractVersion}+hearth-${productVersion}`;

/** Upload limits for pages, in megabytes and files. */
export const attachmentSettings = ({ attachments }: Pick<Config, "attachments">) => ({
  enabled: true,
  allowed_types: attachments.allowed_endings.includes("*") ? "*/*" : attachments.allowed_endings.join(","),
  max_size: Math.floor(attachments.max_bytes / 1_048_576),
  max_files: 5,
});
