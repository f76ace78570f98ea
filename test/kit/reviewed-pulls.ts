import type { ApiClient } from "./api-client.ts";
import type { TestDialect } from "./databases.ts";
import { startForge, type TestForge, type TestUser } from "./forge.ts";
import { createGitUser, type GitUser } from "./git-user.ts";

export interface TestReview {
  readonly id: number;
  readonly state: string;
  readonly body: string;
  readonly stale: boolean;
  readonly official: boolean;
  readonly dismissed: boolean;
  readonly user: { readonly login: string } | null;
  readonly team: { readonly name: string } | null;
}

export interface TestReviewComment {
  readonly id: number;
  readonly path: string;
  readonly start_position?: number;
  readonly outdated?: boolean;
  readonly position: number;
  readonly original_position: number;
  readonly diff_hunk: string;
  readonly commit_id: string;
  readonly resolver: { readonly login: string } | null;
}

export interface TestPull {
  /** Path in the API, below `/api/v1`. */
  readonly path: string;
  /** Path as an issue. */
  readonly issue: string;
  readonly branch: string;
  readonly head: string;
  readonly number: number;
}

/** `owner/r` with a writer and a reader, files on main, a clone, and helpers for reviewing pull requests. */
export interface ReviewedRepository extends AsyncDisposable {
  readonly forge: TestForge;
  readonly owner: TestUser;
  readonly writer: TestUser;
  readonly reader: TestUser;
  readonly work: GitUser;
  /** Commits files in the clone and sets a branch to the commit. */
  push(branch: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Opens a pull request of the owner, from a branch of its own that changes line 10 of `f.txt` and adds `new.txt`. */
  pull(more?: object, base?: string): Promise<TestPull>;
  review(user: ApiClient, path: string, body: object): Promise<TestReview>;
  list(user: ApiClient, path: string): Promise<TestReview[]>;
  /** A branch with a branch protection of its own. */
  protect(branch: string, settings: object): Promise<void>;
}

/** Twenty lines, some of them replaced. */
export const numbered = (...changes: readonly (readonly [number, string])[]): string => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  for (const [line, text] of changes) lines[line - 1] = text;
  return `${lines.join("\n")}\n`;
};

export async function openReviewedRepository(dialect: TestDialect, environment: Readonly<Record<string, string>> = {}): Promise<ReviewedRepository> {
  const forge = await startForge({ dialect, environment });
  const owner = await forge.createUser("owner");
  const writer = await forge.createUser("writer");
  const reader = await forge.createUser("reader");
  const work = await createGitUser();
  const origin = `${owner.gitOrigin}/owner/r.git`;
  let count = 0;
  await owner.post("/user/repos", { name: "r", default_branch: "main" }).expect(201);
  await owner.put("/repos/owner/r/collaborators/writer", { permission: "write" }).expect(204);
  await work.init("w");
  await work.commit("w", { "f.txt": numbered(), "g.txt": "g\n" });
  await work.git("w", "push", "-q", origin, "main");

  const push = async (branch: string, files: Readonly<Record<string, string>>): Promise<string> => {
    const oid = await work.commit("w", files);
    await work.git("w", "push", "-q", "-f", origin, `HEAD:${branch}`);
    return oid;
  };
  return {
    forge,
    owner,
    writer,
    reader,
    work,
    push,
    async pull(more = {}, base = "main") {
      count += 1;
      const branch = `topic-${count}`;
      await work.git("w", "checkout", "-q", "-B", branch, "main");
      const head = await push(branch, { "f.txt": numbered([10, `changed ${count}`]), "new.txt": "p1\nline2\n" });
      const { number } = await owner.post<{ number: number }>("/repos/owner/r/pulls", { title: branch, head: branch, base, ...more }).expect(201);
      return { path: `/repos/owner/r/pulls/${number}`, issue: `/repos/owner/r/issues/${number}`, branch, head, number };
    },
    review: (user, path, body) => user.post<TestReview>(`${path}/reviews`, body).expect(200),
    list: (user, path) => user.get<TestReview[]>(`${path}/reviews`).expect(200),
    async protect(branch, settings) {
      await owner.post("/repos/owner/r/branches", { new_branch_name: branch, old_branch_name: "main" }).expect(201);
      await owner.post("/repos/owner/r/branch_protections", { rule_name: branch, ...settings }).expect(201);
    },
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await forge[Symbol.asyncDispose]();
    },
  };
}
