import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { repositoryRoot } from "../../tools/repository.ts";

/** A GET request that is sent to both servers. */
export interface ComparedRequest {
  readonly operation: string;
  /** Below `/api/v1`, with the query. */
  readonly path: string;
  /** Account for which the administrator acts; undefined for the administrator. */
  readonly sudo?: string;
  readonly anonymous?: boolean;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly params: readonly {
    readonly name: string;
    readonly in: string;
    readonly type: string;
    readonly enum?: readonly string[];
    readonly valuesInText?: readonly string[];
  }[];
}

type Values = Readonly<Record<string, string>>;
/** Values of a parameter that exist in the database, for the values of the parameters before it. */
type Finder = (chosen: Values) => readonly string[];

/** Further values of a parameter are not requested. */
const maxValues = 40;
/** An id and a name that no row has. */
const missing = { id: "987654", name: "no-such-name" } as const;
const ofRepository = "join repository r on r.id = t.repo_id where r.owner_name = :owner and r.name = :repo";
const ofIssue = `join issue i on i.id = t.issue_id join repository r on r.id = i.repo_id where r.owner_name = :owner and r.name = :repo and i."index" = :index`;

/** Statements by the path up to and with the parameter. */
const statements: Readonly<Record<string, string>> = {
  "/admin/actions/runners/{runner_id}": "select id from action_runner where deleted is null or deleted = 0",
  "/admin/hooks/{id}": "select id from webhook where repo_id = 0 and owner_id = 0",
  "/notifications/threads/{id}": "select id from notification",
  "/orgs/{org}": `select name from "user" where type = 1`,
  "/orgs/{org}/actions/runners/{runner_id}": `select t.id from action_runner t join "user" u on u.id = t.owner_id where u.name = :org`,
  "/orgs/{org}/actions/variables/{variablename}": `select t.name from action_variable t join "user" u on u.id = t.owner_id where u.name = :org`,
  "/orgs/{org}/hooks/{id}": `select t.id from webhook t join "user" u on u.id = t.owner_id where u.name = :org`,
  "/orgs/{org}/labels/{id}": `select t.id from label t join "user" u on u.id = t.org_id where u.name = :org`,
  "/packages/{owner}": `select name from "user" where type = 0`,
  "/repos/{owner}": "select distinct owner_name from repository",
  "/repos/{owner}/{repo}": "select name from repository where owner_name = :owner",
  "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}": `select t.id from action_artifact t ${ofRepository}`,
  "/repos/{owner}/{repo}/actions/jobs/{job_id}": `select t.id from action_run_job t ${ofRepository}`,
  "/repos/{owner}/{repo}/actions/runners/{runner_id}": `select t.id from action_runner t ${ofRepository}`,
  "/repos/{owner}/{repo}/actions/runs/{run}": `select t.id from action_run t ${ofRepository}`,
  "/repos/{owner}/{repo}/actions/workflows/{workflow_id}": `select distinct t.workflow_id from action_run t ${ofRepository}`,
  "/repos/{owner}/{repo}/actions/variables/{variablename}": `select t.name from action_variable t ${ofRepository}`,
  "/repos/{owner}/{repo}/branch_protections/{name}": `select t.branch_name from protected_branch t ${ofRepository}`,
  "/repos/{owner}/{repo}/hooks/{id}": `select t.id from webhook t ${ofRepository}`,
  "/repos/{owner}/{repo}/issues/{index}": `select t."index" from issue t ${ofRepository}`,
  "/repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}": `select t.id from attachment t ${ofIssue}`,
  "/repos/{owner}/{repo}/issues/comments/{id}": `select t.id from comment t join issue i on i.id = t.issue_id join repository r on r.id = i.repo_id
    where r.owner_name = :owner and r.name = :repo and t.type in (0, 21, 22)`,
  "/repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}": "select id from attachment where comment_id = :id",
  "/repos/{owner}/{repo}/keys/{id}": `select t.id from deploy_key t ${ofRepository}`,
  "/repos/{owner}/{repo}/labels/{id}": `select t.id from label t ${ofRepository}`,
  "/repos/{owner}/{repo}/milestones/{id}": `select t.id from milestone t ${ofRepository} union select t.name from milestone t ${ofRepository}`,
  "/repos/{owner}/{repo}/pulls/{index}": `select t."index" from issue t ${ofRepository} and t.is_pull = 1`,
  "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}": `select t.id from review t ${ofIssue}`,
  "/repos/{owner}/{repo}/pulls/{base}":
    "select distinct t.base_branch from pull_request t join repository r on r.id = t.base_repo_id where r.owner_name = :owner and r.name = :repo",
  "/repos/{owner}/{repo}/pulls/{base}/{head}":
    "select distinct t.head_branch from pull_request t join repository r on r.id = t.base_repo_id where r.owner_name = :owner and r.name = :repo and t.base_branch = :base",
  "/repos/{owner}/{repo}/releases/{id}": `select t.id from release t ${ofRepository}`,
  "/repos/{owner}/{repo}/releases/tags/{tag}": `select t.tag_name from release t ${ofRepository}`,
  "/repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}": "select id from attachment where release_id = :id",
  "/repos/{owner}/{repo}/tag_protections/{id}": `select t.id from protected_tag t ${ofRepository}`,
  "/repos/{owner}/{repo}/teams/{team}": `select t.name from team t join "user" u on u.id = t.org_id where u.name = :owner`,
  "/repositories/{id}": "select id from repository",
  "/teams/{id}": "select id from team",
  "/teams/{id}/repos/{org}": `select u.name from team t join "user" u on u.id = t.org_id where t.id = :id`,
  "/teams/{id}/repos/{org}/{repo}": "select name from repository where owner_name = :org",
  "/user/actions/runners/{runner_id}": "select id from action_runner where owner_id > 0",
  "/user/actions/variables/{variablename}": "select name from action_variable where owner_id > 0",
  "/user/applications/oauth2/{id}": "select id from oauth2_application",
  "/user/gpg_keys/{id}": "select id from gpg_key",
  "/user/hooks/{id}": "select id from webhook where owner_id > 0",
  "/user/keys/{id}": "select id from public_key where type = 1",
  "/user/starred/{owner}": "select distinct owner_name from repository",
  "/user/starred/{owner}/{repo}": "select name from repository where owner_name = :owner",
};

const users = `select name from "user" where type = 0 and id > 0`;
const namesOfUsers: readonly string[] = ["username", "user", "target", "collaborator"];

/** Facts about the repository of Gitea, from git. */
interface GitFacts {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly commits: readonly string[];
  readonly trees: readonly string[];
  readonly blobs: readonly string[];
  readonly annotated: readonly string[];
  readonly files: readonly string[];
  readonly pages: readonly string[];
}

export interface RequestSource {
  readonly db: DatabaseSync;
  /** Folder of the repositories of Gitea. */
  readonly repositories: string;
}

/** All GET operations of the contract, with the values that the database has, each with its query parameters. */
export function listRequests(source: RequestSource): readonly ComparedRequest[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(repositoryRoot, "contract", name), "utf8"));
  const notServed = JSON.stringify(read("not-served.json"));
  const operations = (read("operations.json") as Operation[]).filter(({ method, operationId }) => method === "GET" && !notServed.includes(`"${operationId}"`));
  const facts = new Map<string, GitFacts>();
  const factsOf = ({ owner = "", repo = "" }: Values): GitFacts => {
    const key = `${owner}/${repo}`.toLowerCase();
    const known = facts.get(key) ?? readGitFacts(join(source.repositories, `${key}.git`), join(source.repositories, `${key}.wiki.git`));
    facts.set(key, known);
    return known;
  };
  const find = (path: string, name: string): Finder => {
    const statement = statements[path] ?? (namesOfUsers.includes(name) || path === "/users/{username}" ? users : undefined);
    if (statement !== undefined) return (chosen) => [...column(source.db, statement, chosen).slice(0, maxValues), missingOf(name)];
    const ofGit = gitFinders[name];
    return ofGit === undefined ? () => [missingOf(name)] : (chosen) => [...ofGit(factsOf(chosen), path).slice(0, 6), missingOf(name)];
  };
  const people = column(source.db, `${users} order by id`, {});
  const requests = operations.flatMap((operation) => {
    const paths = expand(operation.path, find);
    return paths.flatMap(({ path, chosen, isWhole }) =>
      [...new Set(["", ...(isWhole ? queriesOf(operation, chosen, { source, factsOf }) : [])])].map((query) => ({
        operation: operation.operationId,
        path: path + query,
      })),
    );
  });
  return requests.flatMap((request): readonly ComparedRequest[] => {
    const isPersonal = /^\/(user|notifications)\b/.test(request.path);
    if (isPersonal) return [request, ...people.slice(1, 6).map((sudo) => ({ ...request, sudo })), { ...request, anonymous: true }];
    const isPlain = !request.path.includes("?") && /^\/(repos|orgs|teams|users|repositories|topics)\b/.test(request.path);
    return isPlain ? [request, ...people.slice(1, 4).map((sudo) => ({ ...request, sudo })), { ...request, anonymous: true }] : [request];
  });
}

const missingOf = (name: string): string => (/^(id|index|.*_id|run)$/.test(name) ? missing.id : missing.name);

const gitFinders: Readonly<Record<string, (facts: GitFacts, path: string) => readonly string[]>> = {
  branch: ({ branches }) => branches,
  tag: ({ tags }) => tags,
  ref: ({ branches, commits }, path) => (path.includes("/git/refs/") ? branches.map((name) => `heads/${name}`) : [...branches.slice(0, 2), ...commits]),
  sha: ({ commits, trees, blobs, annotated }, path) =>
    path.includes("/blobs/") ? blobs : path.includes("/trees/") ? [...trees, ...commits.slice(0, 2)] : path.includes("/git/tags/") ? annotated : commits,
  filepath: ({ files }) => files,
  basehead: ({ branches, commits }) => [...branches.slice(1, 4).map((head) => `${branches[0]}...${head}`), `${commits.at(-1)}...${commits[0]}`],
  diffType: () => ["diff", "patch"],
  pageName: ({ pages }) => pages,
  archive: ({ branches }) => branches.slice(0, 1).map((name) => `${name}.tar.gz`),
};

interface Expanded {
  readonly path: string;
  readonly chosen: Values;
  /** Whether every value exists. */
  readonly isWhole: boolean;
}

function expand(template: string, find: (path: string, name: string) => Finder): readonly Expanded[] {
  let all: readonly Expanded[] = [{ path: "", chosen: {}, isWhole: true }];
  let read = "";
  for (const part of template.split(/(\{\w+\})/)) {
    read += part;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      all = all.map((one) => ({ ...one, path: one.path + part }));
      continue;
    }
    const finder = find(read, name);
    all = all.flatMap((one) =>
      // One missing value is enough.
      (one.isWhole ? finder(one.chosen) : [missingOf(name)]).map((value) => ({
        path: one.path + value.split("/").map(encodeURIComponent).join("/"),
        chosen: { ...one.chosen, [name]: value },
        isWhole: one.isWhole && value !== missingOf(name),
      })),
    );
  }
  return all;
}

interface Querying {
  readonly source: RequestSource;
  readonly factsOf: (chosen: Values) => GitFacts;
}

/** Each parameter on its own: all values of a list, both flags, and values of the database. */
function queriesOf({ params, path }: Operation, chosen: Values, { source, factsOf }: Querying): readonly string[] {
  const example = (name: string): readonly string[] => {
    const first = (statement: string, more: Values = {}): readonly string[] => column(source.db, statement, { ...chosen, ...more }).slice(0, 2);
    const facts = chosen.repo === undefined ? undefined : factsOf(chosen);
    switch (name) {
      case "q":
        return ["a", "1"];
      case "page":
        return ["2&limit=2", "1&limit=3"];
      case "limit":
        return ["1", "0", "100"];
      case "since":
      case "before":
        return first("select strftime('%Y-%m-%dT%H:%M:%SZ', avg(created_unix), 'unixepoch') from issue");
      case "labels":
        return first(/pulls$/.test(path) ? "select id from label" : "select name from label");
      case "milestones":
        return first("select name from milestone");
      case "milestone":
        return first("select id from milestone");
      case "created_by":
      case "assigned_by":
      case "mentioned_by":
      case "poster":
      case "user":
      case "owner":
        return first(users);
      case "uid":
      case "priority_owner_id":
      case "starredBy":
        return first(`select id from "user" where id > 0 order by id`);
      case "team_id":
        return first("select id from team");
      case "ref":
      case "base_branch":
        return facts?.branches.slice(0, 2) ?? [];
      case "sha":
        return [...(facts?.branches.slice(1, 2) ?? []), ...(facts?.commits.slice(1, 2) ?? [])];
      case "not":
        return facts?.branches.slice(0, 1) ?? [];
      case "path":
        return facts?.files.slice(0, 1) ?? [];
      case "fingerprint":
        return first("select fingerprint from public_key");
      case "status-types":
        return ["unread", "read", "pinned"];
      case "subject-type":
        return ["issue", "pull", "commit", "repository"];
      default:
        return [];
    }
  };
  return params
    .filter((one) => one.in === "query")
    .flatMap((one) => {
      const listed = one.enum ?? one.valuesInText ?? [];
      const values = listed.length > 0 ? listed : one.type === "boolean" ? ["true", "false"] : example(one.name);
      return values.map(
        (value) =>
          `?${one.name}=${value.includes("&") ? value : encodeURIComponent(value)}${one.name === "q" && path === "/repos/issues/search" ? "&state=all" : ""}`,
      );
    });
}

function column(db: DatabaseSync, statement: string, chosen: Values): readonly string[] {
  const prepared = db.prepare(statement);
  const used = Object.fromEntries(Object.entries(chosen).filter(([name]) => new RegExp(`:${name}\\b`).test(statement))) as Record<string, SQLInputValue>;
  return prepared.all(used).flatMap((row) => {
    const [value] = Object.values(row);
    return value === null || value === "" ? [] : [String(value)];
  });
}

function readGitFacts(path: string, wiki: string): GitFacts {
  const git = (folder: string, ...words: string[]): readonly string[] => {
    if (!existsSync(folder)) return [];
    const output = execFileSync("git", ["-C", folder, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return output.split("\n").filter((line) => line !== "");
  };
  const refs = git(path, "for-each-ref", "--format=%(objecttype) %(objectname) %(refname)").map((line) => line.split(" "));
  const below = (prefix: string): readonly string[] => refs.flatMap(([, , name = ""]) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  const branches = below("refs/heads/");
  const [first] = branches;
  const tree = first === undefined ? [] : git(path, "ls-tree", "-r", "-t", `refs/heads/${first}`).map((line) => line.split(/\s+/));
  const ofType = (type: string): readonly string[] => [...new Set(tree.flatMap(([, kind, oid = ""]) => (kind === type ? [oid] : [])))];
  return {
    branches,
    tags: below("refs/tags/"),
    commits: branches.length === 0 ? [] : git(path, "rev-list", "--all", "--max-count=8"),
    trees: ofType("tree"),
    blobs: ofType("blob"),
    annotated: refs.flatMap(([type, oid = ""]) => (type === "tag" ? [oid] : [])),
    files: tree.flatMap(([, kind, , name = ""]) => (kind === "blob" ? [name] : [])),
    pages: git(wiki, "ls-tree", "-r", "--name-only", "HEAD").map((name) => name.replace(/\.md$/, "")),
  };
}
