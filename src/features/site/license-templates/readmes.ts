/** Names of the texts that a new repository's README.md can start with. */
export const readmeTemplates: readonly string[] = ["Default"];

/** @compat The text of a README.md, to the byte: the name as its heading, and the description without a line's end (wire facts 5.1). */
export const fillReadme = (repository: { readonly name: string; readonly description: string }): string => `# ${repository.name}\n\n${repository.description}`;
