/** Loaded on first use, as the licenses are. */
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

/** The text of a `.gitignore` file made of templates, each under a heading that names it. */
export function joinGitignores(templates: readonly { readonly name: string; readonly text: string }[]): string {
  return templates.map(({ name, text }) => `# ---> ${name}\n${text}`).join("\n");
}
