import type { UserActor } from "../../../../access/actor.ts";
import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import type { IssueView } from "../../../collaboration/issues/model.ts";
import type { FilterChoices } from "../../../collaboration/issues/search/views/filter-menus.tsx";
import { labelNames } from "../../../collaboration/labels/service/resolve.ts";
import { milestoneTitles } from "../../../collaboration/milestones/service.ts";
import { type GivenPlace, listLastUpdatedPlaces } from "../../../repositories/repos/service/search.ts";
import type { ListedKind } from "../model.ts";

/** Maximum number of own repositories in the menu, and whose labels and milestones are in the menus. */
const maxRepositories = 20;
const maxNames = 100;

/** The caller's repositories that changed last, for {@link loadFilterChoices}. One statement. */
export const findChosenPlaces = (deps: { readonly db: Reader }, actor: UserActor, kind: ListedKind): Promise<readonly GivenPlace[]> =>
  listLastUpdatedPlaces(deps, actor, kind, maxRepositories);

/**
 * The values in the filter menus of a list across repositories: those of the listed issues, and of the caller's repositories that changed
 * last. The fields of the menus take all others. Two statements.
 */
export async function loadFilterChoices(
  { db }: { readonly db: Reader },
  actor: UserActor,
  own: readonly GivenPlace[],
  issues: readonly IssueView[],
): Promise<FilterChoices> {
  const places = [...own, ...issues.map(({ place }) => ({ id: place.id, ownerId: place.ownerId, fullName: `${place.ownerName}/${place.name}` }))];
  const repoIds = [...new Set(places.map(({ id }) => id))];
  const ownerIds = [...new Set(places.map(({ ownerId }) => ownerId))];
  const [titles, labels] =
    repoIds.length === 0 ? [[], []] : await Promise.all([milestoneTitles(db, repoIds, maxNames), labelNames(db, { repoIds, ownerIds }, maxNames)]);
  return {
    repositories: byName([...new Set(places.map(({ fullName }) => fullName))], (fullName) => fullName),
    labels,
    milestones: titles.map((title) => ({ title })),
    people: peopleOf(issues),
    self: actor.name,
  };
}

function peopleOf(issues: readonly IssueView[]): readonly UserView[] {
  const people = issues.flatMap(({ poster, assignees }) => [...(poster === undefined ? [] : [poster]), ...assignees]);
  return byName([...new Map(people.map((user) => [user.id, user])).values()], ({ name }) => name);
}

const byName = <T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] =>
  items
    .map((item) => ({ item, folded: foldName(nameOf(item)) }))
    .sort((one, other) => (one.folded < other.folded ? -1 : 1))
    .map(({ item }) => item);
