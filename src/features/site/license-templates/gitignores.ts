/** Loaded on first use, like the licenses. */
async function loadTexts(): Promise<ReadonlyMap<string, string>> {
  const { default: texts } = await import("./data/gitignores.json", { with: { type: "json" } });
  return new Map(Object.entries(texts));
}

export async function listGitignores(): Promise<string[]> {
  return [...(await loadTexts()).keys()];
}

export async function findGitignore(name: string): Promise<string | undefined> {
  return (await loadTexts()).get(name);
}

/** Joins templates into the text of a `.gitignore` file, each under a heading with its name. */
export function joinGitignores(templates: readonly { readonly name: string; readonly text: string }[]): string {
  return templates.map(({ name, text }) => `# ---> ${name}\n${text}`).join("\n");
}
