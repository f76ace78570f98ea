import type { SessionStage } from "./model.ts";

/** Where somebody goes whose session has a step left. */
const stepPaths = { "second-factor": "/user/two_factor", "new-password": "/user/change_password" } as const;

/** Where a browser goes that has just been given a session: to the step that is left, or to where it wanted to go. */
export const pathAfterSignIn = (stage: SessionStage, redirectTo: string): string =>
  stage === "open" ? redirectTo : `${stepPaths[stage]}?redirect_to=${encodeURIComponent(redirectTo)}`;
