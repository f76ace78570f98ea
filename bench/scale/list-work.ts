import type { Effort, Operation } from "../measure.ts";
import type { Target } from "../target.ts";
import { tokens } from "./site-seed.ts";

/** A request that is repeated on the small and on the large site. */
export interface ListItem {
  readonly id: string;
  readonly title: string;
  /** Server CPU of one request in ms, on both sites. */
  readonly ceilingMs: number;
  /** Empty: anonymous. */
  readonly token: string;
  /** Its `page=last` is replaced by the number of the last page. */
  readonly path: string;
}

const api = "/api/v1";
const search = `${api}/repos/search?limit=50`;
const issues = `${api}/repos/issues/search?limit=50`;
const { admin, user, restricted } = tokens;

const item = (id: string, title: string, ceilingMs: number, path: string, token = user): ListItem => ({ id, title, ceilingMs, path, token });

/** Lists across repositories: each may cost only what it shows, however large the site. */
export const listItems: readonly ListItem[] = [
  item("dashboard", "dashboard", 5, "/"),
  item("issues-page", "issues page", 5, "/issues"),
  item("pulls-page", "pulls page", 5, "/pulls"),
  item("issue-search", "issue search", 3, issues),
  item("issue-search-last", "issue search, last page", 3, `${issues}&page=last`),
  item("issue-search-admin", "issue search, administrator", 3, issues, admin),
  item("issue-search-restricted", "issue search, restricted user", 3, issues, restricted),
  item("issue-search-anonymous", "issue search, anonymous", 3, issues, ""),
  item("issue-search-assigned", "issue search, assigned", 3, `${issues}&assigned=true`),
  item("issue-search-label", "issue search, label of every repository", 3, `${issues}&labels=bug`),
  item("issue-search-label-last", "issue search, label of every repository, last page", 3, `${issues}&labels=bug&page=last`),
  item("issue-search-labels", "issue search, two labels of every repository, all states", 3, `${issues}&labels=bug,feature&state=all`),
  item("issue-search-label-word", "issue search, label of every repository and rare word", 3, `${issues}&labels=bug&q=w17`),
  item("issue-search-word", "issue search, rare word", 3, `${issues}&q=w17`),
  item("search", "repository search", 3, search),
  item("search-name", "repository search, word of a name", 3, `${search}&q=repo-1`),
  item("search-description", "repository search, word of descriptions", 3, `${search}&q=kernel&includeDesc=true`),
  item("search-name-last", "repository search, word of a name, last page", 3, `${search}&q=repo-1&page=last`),
  item("search-short", "repository search, two characters", 3, `${search}&q=re`),
  item("search-name-admin", "repository search, word of a name, administrator", 3, `${search}&q=repo-1`, admin),
  item("search-name-restricted", "repository search, word of a name, restricted user", 3, `${search}&q=repo-1`, restricted),
  item("search-name-anonymous", "repository search, word of a name, anonymous", 3, `${search}&q=repo-1`, ""),
  item("search-stars", "repository search by stars", 3, `${search}&sort=stars&order=desc`),
  item("search-forks", "repository search by forks", 3, `${search}&sort=forks&order=desc`),
  item("search-size", "repository search by size", 3, `${search}&sort=size&order=desc`),
  item("search-updated", "repository search by update", 3, `${search}&sort=updated&order=desc`),
  item("search-updated-last", "repository search by update, last page", 3, `${search}&sort=updated&order=desc&page=last`),
  item("search-topic", "repository search by topic", 3, `${search}&q=parser&topic=true`),
  item("topics", "topic search", 3, `${api}/topics/search?q=er&limit=50`),
  item("users", "user search", 3, `${api}/users/search?q=user1&limit=50`),
  item("organizations", "organizations, last page", 3, `${api}/orgs?limit=50&page=last`),
  item("subscriptions", "watched repositories", 3, `${api}/user/subscriptions?limit=50`),
  item("starred", "starred repositories", 3, `${api}/users/user1/starred?limit=50`),
  item("notifications", "notifications", 3, `${api}/notifications?limit=50`),
  item("feed", "activity feed", 3, `${api}/users/user0/activities/feeds?limit=20`),
  item("own-repositories-last", "repositories of a user with 500, last page", 3, `${api}/user/repos?limit=50&page=last`),
  item("admin", "administration page", 5, "/-/admin", admin),
  item("admin-repositories", "administration of repositories, word", 5, "/-/admin/repos?q=repo-1", admin),
  item("admin-users", "administration of users, word", 5, "/-/admin/users?q=user1", admin),
  item("own-repositories", "repositories of a user with 500", 3, `${api}/user/repos?limit=50`),
  item("explore", "explore page", 3, "/explore/repos"),
  item("explore-search", "explore page, word", 3, "/explore/repos?q=repo-1"),
];

export const listEffort: Omit<Effort, "concurrency"> = { warmUpMs: 700, rounds: 3, roundMs: 1_000, roundOperations: 2_000 };

/** @param target of the item's token */
export async function openList(target: Pick<Target, "http">, { path }: ListItem): Promise<Operation> {
  const address = path.includes("page=last") ? path.replace("page=last", `page=${await lastPage(target, path.replace(/&page=last/, ""))}`) : path;
  const run = async (): Promise<void> => {
    const { status } = await target.http.send("GET", address);
    if (status !== 200) throw new Error(`GET ${address} answered ${status}`);
  };
  await run();
  return { run };
}

async function lastPage({ http }: Pick<Target, "http">, path: string): Promise<number> {
  const { headers } = await http.send("GET", path);
  return Math.max(1, Math.ceil(Number(headers["x-total-count"]) / 50));
}
