import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { assetUrl, isSourceTree } from "./assets.ts";

/** The files of the code editor: its module, and one for each language that is loaded when a file needs it. */
export interface EditorBundle {
  /** The digest of its module, which contains the names of all others. */
  readonly digest: string;
  /** The content of a file; undefined for an unknown name. */
  read(name: string): Promise<Uint8Array | undefined>;
}

export const editorModule = "editor.js";

let bundle: Promise<EditorBundle> | undefined;

/** The files are read when the first file is edited. The build has bundled them; a server that runs from sources bundles them now. */
export function editorBundle(): Promise<EditorBundle> {
  bundle ??= isSourceTree ? bundleSources() : openBuilt();
  return bundle;
}

const digestOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex").slice(0, 16);

async function openBuilt(): Promise<EditorBundle> {
  const folder = assetUrl("editor/");
  const names = new Set(await readdir(folder));
  const read = async (name: string) => (names.has(name) ? readFile(new URL(name, folder)) : undefined);
  return { digest: digestOf((await read(editorModule)) ?? new Uint8Array()), read };
}

async function bundleSources(): Promise<EditorBundle> {
  const { build } = (await import("esbuild")).default;
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(assetUrl("editor/editor.js"))],
    outdir: "/editor",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.split(/[\\/]/).at(-1) ?? "", contents]));
  return { digest: digestOf(files.get(editorModule) ?? new Uint8Array()), read: async (name) => files.get(name) };
}

/** The address of the module. */
export const editorPath = async (): Promise<string> => `/-/editor/${(await editorBundle()).digest}/${editorModule}`;

/** The editor of a text field. */
export interface CodeEditor {
  /** The address of its module. */
  readonly path: string;
  /** The text of one level of indentation. */
  readonly indent: string;
  readonly tabSize: number;
}
