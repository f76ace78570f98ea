import { type Actor, anonymous } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { CombinedStatus, CommitStatus } from "../../../wire/status.ts";
import { presentUser } from "../../accounts/users/present.ts";
import { presentRepository } from "../repos/present.ts";
import type { StatusView } from "./model.ts";
import type { CombinedStatusView } from "./service.ts";

/** The repository and the viewer of statuses. */
export interface StatusLocation {
  readonly fullName: string;
  readonly viewer: Actor;
  readonly urls: Urls;
}

export const presentStatus = (status: StatusView, { fullName, urls }: Pick<StatusLocation, "fullName" | "urls">): CommitStatus => ({
  id: status.number,
  status: status.state,
  target_url: status.targetUrl,
  description: status.description,
  url: urls.api("repos", fullName, "statuses", status.oid),
  context: status.context,
  // @compat shown as to anonymous viewers, even to the creator (statuses/api.test.ts)
  creator: status.creator === undefined ? null : presentUser(status.creator, anonymous, urls, "none"),
  created_at: formatTime(status.createdMs),
  updated_at: formatTime(status.createdMs),
});

export const presentCombinedStatus = (combined: CombinedStatusView, place: StatusLocation): CombinedStatus => ({
  state: combined.state,
  sha: combined.oid,
  total_count: combined.total,
  statuses: combined.total === 0 ? null : combined.statuses.map((status) => presentStatus(status, place)),
  repository: presentRepository(combined.repository, place.viewer, place.urls),
  commit_url: place.urls.api("repos", place.fullName, "commits", combined.oid),
  url: place.urls.api("repos", place.fullName, "commits", combined.oid, "status"),
});
