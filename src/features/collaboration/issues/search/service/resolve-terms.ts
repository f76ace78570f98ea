import { type Actor, isUser } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { isForgeError } from "../../../../../core/errors.ts";
import { readId } from "../../../../../core/ids.ts";
import { foldName } from "../../../../../core/names.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findAccountView, isVisibleTo } from "../../../../accounts/users/service/accounts.ts";
import { findRepository } from "../../../../repositories/repos/service/find.ts";
import { type PlaceTerm, type QueryTerm, quoted, type TypedQuery } from "../query-language.ts";
import { type IssueScope, isOneRepository, type ReadableScope } from "../store/filter.ts";
import { findKnownNames, findNamed, type NamedRow, type NameScope } from "../store/named.ts";
import type { ResolvedTerm } from "../store/term-conditions.ts";

type Deps = { readonly db: Reader };

const sourceOf = (term: QueryTerm, key: string, value: string): string => `${term.isNegated ? "-" : ""}${key}:${quoted(value)}`;

const isPlace = (term: QueryTerm): term is PlaceTerm => term.kind === "repo" || term.kind === "owner";

/** Most names of repositories and owners in a query: each costs a look-up. */
const maxPlaces = 20;

export interface ResolvedPlaces {
  readonly terms: readonly Extract<ResolvedTerm, { readonly kind: "repo" | "owner" }>[];
  readonly unknown: readonly string[];
}

/** The repositories and owners of a query. Those that the caller cannot read are reported as unknown. At most a few statements for each. */
export async function resolvePlaces(deps: Deps, actor: Actor, query: TypedQuery): Promise<ResolvedPlaces> {
  const terms: ResolvedPlaces["terms"][number][] = [];
  const unknown: string[] = [];
  let count = 0;
  for (const term of query.terms.filter(isPlace)) {
    const ids: number[] = [];
    for (const value of term.values) {
      count += 1;
      const id = count > maxPlaces ? undefined : await (term.kind === "repo" ? findRepositoryId : findOwnerId)(deps, actor, value);
      if (id === undefined) unknown.push(sourceOf(term, term.kind, value));
      else ids.push(id);
    }
    terms.push({ kind: term.kind, isNegated: term.isNegated, ids });
  }
  return { terms, unknown };
}

async function findRepositoryId(deps: Deps, actor: Actor, fullName: string): Promise<number | undefined> {
  const [owner = "", name = "", ...more] = fullName.split("/");
  if (name === "" || more.length > 0) return undefined;
  try {
    const found = await findRepository(deps, owner, name, actor);
    return "subject" in found ? found.subject.id : undefined;
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}

async function findOwnerId(deps: Deps, actor: Actor, name: string): Promise<number | undefined> {
  if (name === "@me") return isUser(actor) ? actor.id : undefined;
  const owner = await findAccountView(deps, name.replace(/^@/, ""));
  // A hidden organization can still have a repository shared with the caller; a hidden user counts as unknown.
  return owner === undefined || (owner.kind === "user" && !isVisibleTo(owner, actor)) ? undefined : owner.id;
}

export interface ResolvedNames {
  readonly terms: readonly Exclude<ResolvedTerm, { readonly kind: "repo" | "owner" }>[];
  /** Qualifiers with names that do not exist. */
  readonly unknown: readonly string[];
  /** In one repository: its labels with a name, and its milestones with a title. */
  readonly labelIds: (names: readonly string[]) => readonly number[];
  readonly milestoneIds: (titles: readonly string[]) => readonly number[];
}

/** Resolves the labels, milestones and users of a query. At most one statement, and none for the caller alone. */
export async function resolveTerms(
  { db }: Deps,
  actor: Actor,
  place: { readonly repository: RepositorySubject | undefined; readonly scope: IssueScope },
  query: TypedQuery,
): Promise<ResolvedNames> {
  const self = isUser(actor) ? actor.name : "@me";
  const own = isUser(actor) ? [{ kind: "user", id: actor.id, name: foldName(actor.name) } as const] : [];
  const terms = query.terms.map((term) => (term.kind === "person" ? { ...term, values: term.values.map((name) => (name === "@me" ? self : name)) } : term));
  const valuesOf = (kind: "label" | "milestone" | "person"): readonly string[] => terms.flatMap((term) => (term.kind === kind ? term.values : []));
  const wanted = {
    labels: valuesOf("label"),
    milestones: valuesOf("milestone").map((title) => title.toLowerCase()),
    users: valuesOf("person")
      .map(foldName)
      .filter((name) => own[0]?.name !== name),
  };
  const { repository, scope } = place;
  const rows = isOneRepository(scope)
    ? await findNamed(db, nameScope(repository, scope.repoId), { ...wanted, milestoneIds: wanted.milestones.map(readId).filter((id) => id > 0) })
    : await findKnownNames(db, scope satisfies ReadableScope, wanted);
  return resolveWith([...own, ...rows], terms);
}

const nameScope = (repository: RepositorySubject | undefined, repoId: number): NameScope => ({ repoId, ownerId: repository?.ownerId ?? 0 });

function resolveWith(rows: readonly NamedRow[], terms: readonly QueryTerm[]): ResolvedNames {
  const of = (kind: NamedRow["kind"], name: string): readonly NamedRow[] => rows.filter((row) => row.kind === kind && row.name === name);
  const unknown: string[] = [];
  /** The known names of a term; reports all others. */
  const known = (term: QueryTerm & { readonly values: readonly string[] }, key: string, find: (value: string) => readonly NamedRow[]): readonly NamedRow[] =>
    term.values.flatMap((value) => {
      const found = find(value);
      if (found.length === 0) unknown.push(sourceOf(term, key, value));
      return found;
    });
  // A number that is not the title of a milestone is its id.
  const milestone = (value: string): readonly NamedRow[] => {
    const titled = of("milestone", value.toLowerCase());
    return titled.length > 0 ? titled : rows.filter(({ kind, id }) => kind === "milestone" && id > 0 && id === readId(value));
  };
  const resolved = terms.flatMap((term): ResolvedNames["terms"] => {
    const { isNegated } = term;
    switch (term.kind) {
      case "label":
        return [{ kind: "label", isNegated, names: known(term, "label", (name) => of("label", name)).map(({ name }) => name) }];
      case "milestone":
        return [{ kind: "milestone", isNegated, titles: known(term, "milestone", milestone).map(({ name }) => name) }];
      case "person":
        return [{ kind: "person", isNegated, role: term.role, ids: known(term, term.role, (name) => of("user", foldName(name))).map(({ id }) => id) }];
      case "base":
      case "head":
        return [{ kind: term.kind, isNegated, names: term.values }];
      case "review":
        return [{ kind: "review", isNegated, outcomes: term.values }];
      case "reason":
        return [{ kind: "reason", isNegated, reasons: term.values }];
      case "repo":
      case "owner":
        return [];
      default:
        return [term];
    }
  });
  return {
    terms: resolved,
    unknown,
    labelIds: (names) => rows.flatMap(({ kind, id, name }) => (kind === "label" && names.includes(name) ? id : [])),
    milestoneIds: (titles) => rows.flatMap(({ kind, id, name }) => (kind === "milestone" && titles.includes(name) ? id : [])),
  };
}
