import type { UserActor } from "../../../../access/actor.ts";
import { foldName } from "../../../../core/names.ts";
import type { Db } from "../../../../db/db.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import type { IssueView } from "../../../collaboration/issues/model.ts";
import type { FilterChoices } from "../../../collaboration/issues/search/views/filter-menus.tsx";
import { labelNames } from "../../../collaboration/labels/service/resolve.ts";
import { milestoneTitles } from "../../../collaboration/milestones/service.ts";
import { listLastUpdatedPlaces } from "../../../repositories/repos/service/search.ts";
import type { ListedKind } from "../model.ts";

/** Maximum number of own repositories in the menu, and whose labels and milestones are in the menus. */
const maxRepositories = 20;
const maxNames = 100;

/**
 * The values in the filter menus of a list across repositories: those of the listed issues, and of the caller's repositories that changed
 * last. The fields of the menus take all others. A constant number of statements.
 */
export async function loadFilterChoices(deps: { readonly db: Db }, actor: UserActor, kind: ListedKind, issues: readonly IssueView[]): Promise<FilterChoices> {
  const places = [
    ...(await listLastUpdatedPlaces(deps, actor, kind, maxRepositories)),
    ...issues.map(({ place }) => ({ id: place.id, ownerId: place.ownerId, fullName: `${place.ownerName}/${place.name}` })),
  ];
  const repoIds = [...new Set(places.map(({ id }) => id))];
  const ownerIds = [...new Set(places.map(({ ownerId }) => ownerId))];
  const titles = repoIds.length === 0 ? [] : await milestoneTitles(deps.db, repoIds, maxNames);
  return {
    repositories: [...new Set(places.map(({ fullName }) => fullName))].sort(byName),
    labels: repoIds.length === 0 ? [] : await labelNames(deps.db, { repoIds, ownerIds }, maxNames),
    milestones: titles.map((title) => ({ title })),
    people: peopleOf(issues),
    self: actor.name,
  };
}

function peopleOf(issues: readonly IssueView[]): readonly UserView[] {
  const people = issues.flatMap(({ poster, assignees }) => [...(poster === undefined ? [] : [poster]), ...assignees]);
  return [...new Map(people.map((user) => [user.id, user])).values()].sort((one, other) => byName(one.name, other.name));
}

const byName = (one: string, other: string): number => (foldName(one) < foldName(other) ? -1 : 1);
