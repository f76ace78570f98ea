import type { SessionStage } from "./model.ts";

/** The pages of the remaining steps. */
const stepPaths = { "second-factor": "/user/two_factor", "new-password": "/user/change_password" } as const;

/** The page for a browser with a new session: the remaining step, or the original target. */
export const pathAfterSignIn = (stage: SessionStage, redirectTo: string): string =>
  stage === "open" ? redirectTo : `${stepPaths[stage]}?redirect_to=${encodeURIComponent(redirectTo)}`;
