/** Names of the README.md templates. */
export const readmeTemplates: readonly string[] = ["Default"];

/**
 * @compat The exact bytes of Gitea's README.md: the name as heading, and the description without a newline (wire facts 5.1;
 * license-templates/templates.test.ts)
 */
export const fillReadme = (repository: { readonly name: string; readonly description: string }): string => `# ${repository.name}\n\n${repository.description}`;
