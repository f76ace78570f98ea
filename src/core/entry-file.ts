/**
 * The file of a worker thread or process: the source next to the module that starts it, or the file of a bundle next to its entry point,
 * whose chunks are in a folder of their own.
 * @param module `import.meta.url` of the module that starts it
 */
export function entryFile(module: string, file: { readonly source: string; readonly bundled: string }): URL {
  if (module.endsWith(".ts")) return new URL(`./${file.source}`, module);
  return new URL(module.includes("/chunks/") ? `../${file.bundled}` : `./${file.bundled}`, module);
}
