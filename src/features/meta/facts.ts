import packageFile from "../../../package.json" with { type: "json" };

/** The contract that the wire follows; raised only when the contract is. */
const contractVersion = "1.26.2";

export const productVersion: string = packageFile.version;

/** Semantic version with the product as build metadata: it compares equal to the contract's version. */
export const serverVersion = `${contractVersion}+hearth-${productVersion}`;

export const reactions = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;

/** Endings that attachments of issues and comments may have. */
export const attachmentEndings = [
  ".avif",
  ".cpuprofile",
  ".csv",
  ".dmp",
  ".docx",
  ".fodg",
  ".fodp",
  ".fods",
  ".fodt",
  ".gif",
  ".gz",
  ".jpeg",
  ".jpg",
  ".json",
  ".jsonc",
  ".log",
  ".md",
  ".mov",
  ".mp4",
  ".odf",
  ".odg",
  ".odp",
  ".ods",
  ".odt",
  ".patch",
  ".pdf",
  ".png",
  ".pptx",
  ".svg",
  ".tgz",
  ".txt",
  ".webm",
  ".webp",
  ".xls",
  ".xlsx",
  ".zip",
] as const;

export const attachmentSettings = { enabled: true, allowed_types: attachmentEndings.join(","), max_size: 100, max_files: 5 };
