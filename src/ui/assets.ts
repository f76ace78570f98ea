/**
 * Locates files that are read at start: beside this module in the source tree, beside the program in the build.
 * @param path `scripts/`, relative to `src/ui` and to `dist`
 */
export function assetUrl(path: string): URL {
  const isChunk = import.meta.url.includes("/chunks/");
  return new URL(isChunk ? `../${path}` : path, import.meta.url);
}

/** Whether the sources run rather than the build. */
export const isSourceTree = import.meta.url.endsWith(".ts");
