import { notFound } from "../../../../../core/errors.ts";
import { readId } from "../../../../../core/ids.ts";
import { foldName } from "../../../../../core/names.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findNamed, type NamedRow } from "../store/named.ts";

/** What a list is asked for by name; empty names ask for nothing. */
export interface AskedNames {
  readonly labels: readonly string[];
  /** Titles, whatever their case. */
  readonly milestones: readonly string[];
  /** Whether a number among them may be a milestone's id. */
  readonly hasMilestoneIds: boolean;
  readonly users: readonly string[];
}

export interface FoundNames {
  /** For each name that a label bears, those that bear it. */
  readonly labels: readonly (readonly number[])[];
  /** They are those of the repositories themselves, of each one at most: no issue bears two of them. */
  readonly areLabelsApart: boolean;
  readonly milestoneIds: readonly number[];
  /** In the order asked for; undefined for an empty name. */
  readonly userIds: readonly (number | undefined)[];
}

/**
 * Looks up what the filters of a list name. Labels and milestones that are not there are left out. One statement at most.
 * @throws ForgeError `not_found` for a user's name that is nobody's
 */
export async function resolveNames(
  db: Reader,
  within: { readonly repoIds: readonly number[]; readonly ownerIds: readonly number[] },
  asked: AskedNames,
): Promise<FoundNames> {
  const numbers = asked.hasMilestoneIds ? asked.milestones.map(readId).filter((id) => id > 0) : [];
  const rows = await findNamed(db, within, {
    labels: asked.labels,
    milestones: asked.milestones.map((title) => title.toLowerCase()),
    milestoneIds: numbers,
    users: asked.users.filter((name) => name !== "").map(foldName),
  });
  const of = (kind: NamedRow["kind"]): readonly NamedRow[] => rows.filter((row) => row.kind === kind);
  const labels = of("label");
  const users = new Map(of("user").map(({ name, id }) => [name, id]));
  return {
    labels: [...Map.groupBy(labels, ({ name }) => name).values()].map((group) => group.map(({ id }) => id)),
    // Labels of an organization stand on issues of all its repositories.
    areLabelsApart: labels.every(({ repo_id }) => repo_id !== null) && new Set(labels.map(({ repo_id }) => repo_id)).size === labels.length,
    milestoneIds: chooseMilestones(of("milestone"), asked.milestones, numbers),
    userIds: asked.users.map((name) => {
      if (name === "") return undefined;
      const id = users.get(foldName(name));
      if (id === undefined) throw notFound("not found", { details: [`user does not exist [uid: 0, name: ${name}]`] });
      return id;
    }),
  };
}

/** A number is the milestone that has it, else a title like any other text. */
function chooseMilestones(rows: readonly NamedRow[], asked: readonly string[], numbers: readonly number[]): readonly number[] {
  const known = new Set(rows.map(({ id }) => id));
  const ids = numbers.filter((id) => known.has(id));
  const titles = new Set(asked.filter((text) => !ids.includes(readId(text))).map((text) => text.toLowerCase()));
  return [...new Set([...ids, ...rows.filter(({ name }) => titles.has(name)).map(({ id }) => id)])];
}
