import packageFile from "../../package.json" with { type: "json" };

/** The version of Hearth. */
export const productVersion: string = packageFile.version;
