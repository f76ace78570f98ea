import packageFile from "../../../../package.json" with { type: "json" };
import type { Config } from "../../../config/config.ts";

/** The contract that the wire follows; raised only when the contract is. */
const contractVersion = "1.26.2";

export const productVersion: string = packageFile.version;

/** Semantic version with the product as build metadata: it compares equal to the contract's version. */
export const serverVersion = `${contractVersion}+hearth-${productVersion}`;

/** What pages may offer to upload at once, in megabytes and files. */
export const attachmentSettings = ({ attachments }: Pick<Config, "attachments">) => ({
  enabled: true,
  allowed_types: attachments.allowed_endings.includes("*") ? "*/*" : attachments.allowed_endings.join(","),
  max_size: Math.floor(attachments.max_bytes / 1_048_576),
  max_files: 5,
});
