import type { Authorship } from "../../../git/objects/authors.ts";

/** Commits of a history by author and period. */
export interface Contributions {
  /** The start of each period in milliseconds; all periods have the same length. */
  readonly periods: readonly number[];
  /** Number of commits per period. */
  readonly counts: readonly number[];
  readonly total: number;
  /** Total number of authors. */
  readonly people: number;
  /** The authors with the most commits, identified by email address. */
  readonly contributors: readonly Contributor[];
}

export interface Contributor {
  readonly email: string;
  /** The name in the newest of their commits. */
  readonly name: string;
  readonly commits: number;
  readonly counts: readonly number[];
}

const weekMs = 7 * 86_400_000;
/** The first Monday after the Unix epoch. */
const epochMs = 4 * 86_400_000;
/** Keeps the plot readable for any commit dates. */
const maxPeriods = 104;
const maxContributors = 50;

interface Person {
  readonly name: string;
  readonly times: number[];
}

/**
 * Summarizes a history.
 * @param authorships newest first
 * @param nowMs commits dated later than this, or before the epoch, are not plotted
 */
export async function sumContributions(authorships: AsyncIterable<Authorship> | Iterable<Authorship>, nowMs: number): Promise<Contributions> {
  const people = new Map<string, Person>();
  let total = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for await (const { seconds, name, email } of authorships) {
    const key = email.toLowerCase();
    const person = people.get(key) ?? { name, times: [] };
    people.set(key, person);
    const ms = seconds * 1_000;
    person.times.push(ms);
    total++;
    if (ms <= 0 || ms > nowMs) continue;
    first = Math.min(first, ms);
    last = Math.max(last, ms);
  }
  const plan = planPeriods(first, last);
  const counts = new Array<number>(plan.length).fill(0);
  const ranked = [...people].sort(([a, one], [b, other]) => other.times.length - one.times.length || (a < b ? -1 : 1));
  const contributors = ranked.map(([email, { name, times }], at) => {
    const own = new Array<number>(at < maxContributors ? plan.length : 0).fill(0);
    for (const ms of times) {
      const period = ms > 0 && ms <= nowMs ? Math.floor((ms - plan.startMs) / plan.stepMs) : -1;
      if (period < 0) continue;
      counts[period] = (counts[period] ?? 0) + 1;
      if (own.length > 0) own[period] = (own[period] ?? 0) + 1;
    }
    return { email, name, commits: times.length, counts: own };
  });
  const periods = counts.map((_, at) => plan.startMs + at * plan.stepMs);
  return { periods, counts, total, people: people.size, contributors: contributors.slice(0, maxContributors) };
}

/** Plans periods of whole weeks, from the Monday before the first commit to the end of the week of the last one. */
function planPeriods(first: number, last: number): { readonly startMs: number; readonly stepMs: number; readonly length: number } {
  if (first > last) return { startMs: 0, stepMs: weekMs, length: 0 };
  const startMs = Math.floor((first - epochMs) / weekMs) * weekMs + epochMs;
  const weeks = Math.floor((last - startMs) / weekMs) + 1;
  const stepMs = Math.ceil(weeks / maxPeriods) * weekMs;
  return { startMs, stepMs, length: Math.floor((last - startMs) / stepMs) + 1 };
}
