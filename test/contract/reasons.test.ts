import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../tools/repository.ts";

/** Errors that a form or an error page shows have a reason, whose text is in the reader's language. */

const features = join(repositoryRoot, "src/features");

/** Errors that only requests of the API or of git can cause, by file. */
const withoutPage: Readonly<Record<string, number>> = {
  "actions/runners/service/runners.ts": 2,
  "actions/runs/artifacts/service/artifacts.ts": 6,
  "actions/runs/artifacts/service/uploads.ts": 4,
  "actions/runs/caches/service.ts": 7,
  "actions/runs/identity/service/tokens.ts": 1,
  "actions/runs/service/manage.ts": 4,
  "actions/runs/service/tasks.ts": 1,
  "actions/runs/summaries/service.ts": 1,
  "accounts/auth-sources/service/sources.ts": 2,
  "accounts/users/service/accounts.ts": 1,
  "accounts/users/service/tokens.ts": 2,
  "collaboration/issues/conversation/service/comments.ts": 1,
  "collaboration/issues/planning/service/pins.ts": 1,
  "collaboration/issues/search/service/search.ts": 1,
  "collaboration/pulls/service/merge/manual.ts": 1,
  "collaboration/pulls/service/propose.ts": 5,
  "collaboration/reviews/service/change.ts": 1,
  "collaboration/reviews/service/submit.ts": 7,
  "integrations/hooks/service/check.ts": 2,
  "integrations/hooks/service/try.ts": 2,
  "organizations/orgs/service/organizations.ts": 1,
  "organizations/teams/service/repositories.ts": 1,
  "repositories/branches/service/change-branch.ts": 3,
  "repositories/commits/service/blobs.ts": 2,
  "repositories/commits/service/trees.ts": 1,
  "repositories/contents/service/archive.ts": 1,
  "repositories/contents/service/tree-plan.ts": 3,
  "repositories/contents/service/tree-size.ts": 1,
  "repositories/forks/service/merge-upstream.ts": 1,
  "repositories/repos/service/collaborators.ts": 1,
  "repositories/repos/service/create.ts": 1,
  "repositories/repos/service/edit.ts": 1,
  "repositories/repos/service/search.ts": 3,
  "repositories/statuses/service.ts": 1,
  "repositories/template-repos/service/content.ts": 1,
  "repositories/template-repos/service/generate.ts": 1,
  "repositories/transfers/service.ts": 1,
  "site/admin/service/badges.ts": 4,
  "site/audit/service.ts": 1,
  "site/drafts/service/drafts.ts": 2,
  "site/license-templates/service.ts": 2,
  "site/markup/service.ts": 1,
};

/** Features without pages of their own. */
const isOfProgram = (path: string): boolean => path.startsWith("git/") || path.startsWith("repositories/migrations/");

/** The errors of a source that have a message but no reason. Messages that contain a text of the page are in the reader's language. */
function unexplained(source: string): readonly string[] {
  return [...source.matchAll(/\b(?:invalid|malformed|conflict|refused|stale|throttled)\((?=\s*["`])/g)].flatMap(({ index, 0: opening }) => {
    const call = source.slice(index, endOfCall(source, index + opening.length));
    return /\breason\b|\$\{(?:textsFor|noDate|notANumber|message)\b/.test(call) ? [] : [call];
  });
}

/** The position after the parenthesis that closes the one before `start`. */
function endOfCall(source: string, start: number): number {
  let depth = 1;
  let at = start;
  for (; depth > 0 && at < source.length; at += 1) depth += "([{".includes(source[at] as string) ? 1 : ")]}".includes(source[at] as string) ? -1 : 0;
  return at;
}

test("an error without a reason is found", () => {
  const source =
    'throw invalid("one"); throw conflict(`two ${more(1)}`, { meta }); throw refused("three", { reason: "busy" }); throw invalid(`[Due]: ${noDate}`);';
  expect(unexplained(source)).toEqual(['invalid("one")', "conflict(`two ${more(1)}`, { meta })"]);
});

test("every error of services and forms has a reason, except those that no page can cause", () => {
  const sources = readdirSync(features, { recursive: true, encoding: "utf8" }).filter((path) => /\/(?:service|web)(?:\/.*)?\.tsx?$/.test(path));
  const found = sources
    .filter((path) => !path.includes(".test.") && !isOfProgram(path))
    .flatMap((path) => {
      const errors = unexplained(readFileSync(join(features, path), "utf8"));
      return errors.length === 0 ? [] : [[path, errors] as const];
    });
  const surprising = found.filter(([path, errors]) => withoutPage[path] !== errors.length);
  expect(surprising).toEqual([]);
  // An entry that is not needed any more is removed.
  expect(Object.keys(withoutPage).sort()).toEqual(found.map(([path]) => path).sort());
});
