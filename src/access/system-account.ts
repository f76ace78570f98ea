/**
 * The account that acts with the tokens of jobs: the author of their commits, issues and comments. It cannot sign in, and lists of users
 * omit it.
 */
export const jobAccount = { id: -2, name: "gitea-actions", fullName: "Gitea Actions" } as const;
