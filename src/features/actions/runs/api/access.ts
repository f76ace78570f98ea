/** @compat Administrators of a repository read its runs although Actions are switched off (runs/runs.test.ts). */
const need = { unit: "repo.actions", isForAdmins: true } as const;

export const reader = { kind: "repository", need: { right: "read", ...need }, signedIn: false, asks: "before-right", writable: false } as const;
/** @compat Gitea asks anonymous callers to sign in for some of these operations, and not for others (runs/runs.test.ts). */
export const signedReader = { ...reader, signedIn: true } as const;
export const writer = { ...signedReader, need: { right: "write", ...need } } as const;
