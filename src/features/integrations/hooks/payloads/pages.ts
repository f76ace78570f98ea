import { presentRelease } from "../../../repositories/releases/present.ts";
import { releaseViewsOfEvents } from "../../../repositories/releases/service/find.ts";
import { type ComposeDeps, type HookPayload, loadPayloadContext } from "./payload-context.ts";

const releaseActions = { "release.published": "published", "release.updated": "updated", "release.deleted": "deleted" } as const;

export async function composeRelease(deps: ComposeDeps, message: HookPayload<keyof typeof releaseActions>): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  const [release] = await releaseViewsOfEvents(deps.db, [message.eventPayload]);
  if (context === undefined || release === undefined) return undefined;
  const { repository, sender, fullName } = context;
  const action = releaseActions[message.type as keyof typeof releaseActions];
  return { action, release: presentRelease(release, fullName, deps.urls), repository, sender };
}

const wikiActions = { "wiki.created": "created", "wiki.edited": "edited", "wiki.deleted": "deleted" } as const;

export async function composeWiki(deps: ComposeDeps, message: HookPayload<keyof typeof wikiActions>): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  const { page, message: comment } = message.eventPayload;
  const action = wikiActions[message.type as keyof typeof wikiActions];
  return { action, repository: context.repository, sender: context.sender, page, comment: action === "deleted" ? "" : comment };
}
