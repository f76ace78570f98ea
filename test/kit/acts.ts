import { createHash } from "node:crypto";
import type { ApiClient } from "./api-client.ts";
import { type ClientRepository, createClient } from "./git.ts";
import { pushTo } from "./push.ts";

/** Changes of all kinds, each of which is complete or absent, for tests that interrupt the program. */
export interface Act {
  readonly name: string;
  /** Name of the act that reverts this one. */
  readonly until?: string;
  perform(site: ActSite): Promise<void>;
  /** Whether a complete change is visible. @throws Error if it is visible in part */
  isThere(site: ActSite): Promise<boolean>;
}

export interface ActSite {
  /** Origin of the program, or of a relay to it. */
  readonly origin: string;
  readonly api: ApiClient;
}

export interface Acts extends Disposable {
  /** The acts of a group are concurrent, and need those of earlier groups. */
  readonly groups: readonly (readonly Act[])[];
}

export const actsToken = "d1".repeat(20);

const base64 = (content: string): string => Buffer.from(content).toString("base64");
const oidOf = (content: string): string => createHash("sha256").update(content).digest("hex");
const authorization = `Basic ${base64(`chief:${actsToken}`)}`;

/** A response of a page or a file. */
async function fetchBytes(url: string): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
  const response = await fetch(url, { headers: { authorization } });
  return { status: response.status, type: response.headers.get("content-type") ?? "", text: await response.text() };
}

/** @returns whether the path exists @throws Error for a status other than 200 and 404 */
async function exists(api: ApiClient, path: string): Promise<boolean> {
  const { status, text } = await api.get(path);
  if (status === 200 || status === 404) return status === 200;
  throw new Error(`GET ${path}: ${status} ${text.slice(0, 300)}`);
}

async function hasFile(api: ApiClient, repository: string, file: string, content: string, ref = "main"): Promise<boolean> {
  const path = `/repos/chief/${repository}/contents/${file}?ref=${ref}`;
  if (!(await exists(api, path))) return false;
  return (await api.get(path).expect(200)).content === base64(content);
}

const requireComplete = (isComplete: boolean, what: string): true => {
  if (!isComplete) throw new Error(`${what} is incomplete`);
  return true;
};

function create(name: string, isEmpty = false): Act {
  return {
    name: `create ${name}`,
    perform: ({ api }) => api.post("/user/repos", { name, auto_init: !isEmpty, default_branch: "main", description: "" }).expect(201),
    isThere: async ({ api }) =>
      (await exists(api, `/repos/chief/${name}`)) && requireComplete(isEmpty || (await exists(api, `/repos/chief/${name}/contents/README.md`)), name),
  };
}

function write(repository: string, file: string, content: string, options: { readonly newBranch?: string; readonly until?: string } = {}): Act {
  return {
    name: `write ${repository}/${file}`,
    ...(options.until !== undefined && { until: options.until }),
    perform: ({ api }) =>
      api
        .post(`/repos/chief/${repository}/contents/${file}`, { content: base64(content), message: file, branch: "main", new_branch: options.newBranch })
        .expect(201),
    isThere: ({ api }) => hasFile(api, repository, file, content, options.newBranch),
  };
}

function update(repository: string, file: string, to: string): Act {
  return {
    name: `update ${repository}/${file}`,
    perform: async ({ api }) => {
      const { sha } = await api.get(`/repos/chief/${repository}/contents/${file}`).expect(200);
      await api.put(`/repos/chief/${repository}/contents/${file}`, { content: base64(to), message: file, branch: "main", sha }).expect(200);
    },
    isThere: ({ api }) => hasFile(api, repository, file, to),
  };
}

/** @param ref full name */
function push(client: ClientRepository, repository: string, oid: string, ref: string): Act {
  return {
    name: `push ${repository} ${ref}`,
    perform: async ({ origin }) => {
      const url = `${origin.replace("//", `//chief:${actsToken}@`)}/chief/${repository}.git`;
      await pushTo(client, url, `${oid}:${ref}`);
    },
    isThere: async ({ api }) => {
      const path = `/repos/chief/${repository}/git/refs/${ref.slice("refs/".length)}`;
      if (!(await exists(api, path))) return false;
      const [found] = [await api.get(path).expect(200)].flat();
      requireComplete(found.object.sha === oid, ref);
      if (found.object.type === "tag") return requireComplete(await exists(api, `/repos/chief/${repository}/git/tags/${oid}`), ref);
      return requireComplete(await exists(api, `/repos/chief/${repository}/git/trees/${oid}?recursive=true`), ref);
    },
  };
}

function merge(repository: string, branch: string, content: string, style: string): Act {
  const base = `/repos/chief/${repository}`;
  return {
    name: `merge (${style}) ${repository} ${branch}`,
    perform: async ({ api }) => {
      const { number } = await api.post(`${base}/pulls`, { title: branch, head: branch, base: "main" }).expect(201);
      await api.post(`${base}/pulls/${number}/merge`, { Do: style, delete_branch_after_merge: style === "squash" }).expect(200);
    },
    isThere: async ({ api }) => {
      const { status, json } = await api.get(`${base}/pulls?state=all`);
      const pull = status === 404 ? undefined : json.find(({ title }: { title: string }) => title === branch);
      const isInBase = await hasFile(api, repository, `${branch}.txt`, content);
      if ((pull?.merged === true) !== isInBase)
        throw new Error(`the pull request of ${branch} is merged: ${pull?.merged}, its file is in the base: ${isInBase}`);
      return isInBase;
    },
  };
}

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const blob = "a large object\n".repeat(5_000);

const others: readonly (readonly Act[])[] = [
  [
    {
      name: "open an issue",
      perform: ({ api }) => api.post("/repos/chief/base/issues", { title: "an issue", body: "its text" }).expect(201),
      isThere: async ({ api }) =>
        ((await api.get("/repos/chief/base/issues?type=issues")).json ?? []).some?.(({ body }: { body: string }) => body === "its text") ?? false,
    },
    {
      name: "publish a release",
      perform: ({ api }) => api.post("/repos/chief/base/releases", { tag_name: "v1", target_commitish: "main", name: "one" }).expect(201),
      isThere: async ({ api }) =>
        (await exists(api, "/repos/chief/base/releases/tags/v1")) && requireComplete(await exists(api, "/repos/chief/base/tags/v1"), "the release"),
    },
    {
      name: "set an avatar",
      perform: ({ api }) => api.post("/user/avatar", { image: picture }).expect(204),
      isThere: async ({ api }) => {
        const { avatar_url: url } = await api.get("/user").expect(200);
        const { status, type } = await fetchBytes(url);
        return requireComplete(status === 200, "the avatar") && type === "image/png";
      },
    },
    {
      name: "write a page of the wiki",
      perform: ({ api }) => api.post("/repos/chief/base/wiki/new", { title: "Home", content_base64: base64("# Home\n"), message: "page" }).expect(201),
      isThere: async ({ api }) =>
        (await exists(api, "/repos/chief/base/wiki/page/Home")) &&
        (await api.get("/repos/chief/base/wiki/page/Home").expect(200)).content_base64 === base64("# Home\n"),
    },
    {
      name: "upload an LFS object",
      perform: async ({ origin }) => {
        const [oid, size] = [oidOf(blob), blob.length];
        const response = await fetch(`${origin}/chief/base.git/info/lfs/objects/${oid}/${size}`, { method: "PUT", headers: { authorization }, body: blob });
        if (response.status !== 200) throw new Error(`LFS: ${response.status} ${await response.text()}`);
      },
      isThere: async ({ origin }) => {
        const { status, text } = await fetchBytes(`${origin}/chief/base.git/info/lfs/objects/${oidOf(blob)}`);
        return status === 404 ? false : requireComplete(status === 200 && text === blob, "the LFS object");
      },
    },
  ],
  [
    {
      name: "comment on an issue",
      perform: ({ api }) => api.post("/repos/chief/base/issues/1/comments", { body: "a comment" }).expect(201),
      isThere: async ({ api }) =>
        (await exists(api, "/repos/chief/base/issues/1")) && (await api.get("/repos/chief/base/issues/1/comments").expect(200)).length === 1,
    },
    {
      name: "attach a file to an issue",
      perform: ({ api }) => api.post("/repos/chief/base/issues/1/assets?name=log.txt", blob, { "content-type": "application/octet-stream" }).expect(201),
      isThere: ({ api }) => hasAsset(api, "/repos/chief/base/issues/1"),
    },
    {
      name: "attach a file to a release",
      perform: async ({ api }) => {
        const { id } = await api.get("/repos/chief/base/releases/tags/v1").expect(200);
        await api.post(`/repos/chief/base/releases/${id}/assets?name=log.txt`, `${blob}release`, { "content-type": "application/octet-stream" }).expect(201);
      },
      isThere: async ({ api }) => {
        if (!(await exists(api, "/repos/chief/base/releases/tags/v1"))) return false;
        const { id } = await api.get("/repos/chief/base/releases/tags/v1").expect(200);
        return hasAsset(api, `/repos/chief/base/releases/${id}`, `${blob}release`);
      },
    },
    {
      name: "fork",
      perform: ({ api }) => api.post("/repos/chief/base/forks", { name: "forked" }).expect(202),
      isThere: async ({ api }) =>
        (await exists(api, "/repos/chief/forked")) && requireComplete(await exists(api, "/repos/chief/forked/contents/README.md"), "the fork"),
    },
    {
      name: "create an annotated tag",
      perform: ({ api }) => api.post("/repos/chief/base/tags", { tag_name: "v2", message: "two", target: "main" }).expect(201),
      isThere: ({ api }) => exists(api, "/repos/chief/base/tags/v2"),
    },
    {
      name: "delete a branch",
      perform: ({ api }) => api.delete("/repos/chief/base/branches/gone").expect(204),
      isThere: async ({ api }) => (await exists(api, "/repos/chief/base")) && !(await exists(api, "/repos/chief/base/branches/gone")),
    },
  ],
];

async function hasAsset(api: ApiClient, holder: string, content = blob): Promise<boolean> {
  const { status, json } = await api.get(`${holder}/assets`);
  if (status === 404 || json.length === 0) return false;
  const { text } = await fetchBytes(json[0].browser_download_url);
  return requireComplete(text === content, `the file of ${holder}`);
}

/** Starts a schedule and waits for its jobs. */
function runSchedule(name: string): Act {
  return {
    name,
    async perform({ api }) {
      await api.post(`/admin/cron/${name}`).expect(204);
      const deadlineMs = performance.now() + 60_000;
      for (let idle = 0; idle < 5; ) {
        const waiting = await Promise.all(["waiting", "running"].map((state) => api.get(`/admin/jobs?state=${state}`).expect(200)));
        const isIdle = waiting.flat().every(({ kind }: { kind: string }) => kind !== "refs.tidy" && kind !== "refs.collect");
        idle = isIdle ? idle + 1 : 0;
        if (performance.now() > deadlineMs) throw new Error(`${name} does not end: ${JSON.stringify(waiting)}`);
      }
    },
    isThere: async () => true,
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Everything that the program stores in files, and housekeeping of repositories in between. */
export function prepareActs(): Acts {
  const client = createClient();
  const first = client.commit({ "a.txt": "a\n" });
  const large = client.commit(Object.fromEntries(numbers(230).map((n) => [`many/${n}.txt`, `${n}\n`])));
  const second = client.commit({ "b.txt": "b\n" });
  const [tagBefore = "", tagAfter = "", tagLast = ""] = tagsInOneFolder(client, first, 3);
  return {
    groups: [
      [create("base"), create("packed"), create("bare", true), create("pushed", true)],
      [
        ...["one", "three"].map((name) => write("base", `${name}.txt`, `${name}\n`, { newBranch: name })),
        write("base", "two.txt", "two\n", { newBranch: "two", until: "merge (squash) base two" }),
        write("base", "gone.txt", "gone", { newBranch: "gone", until: "delete a branch" }),
        write("bare", "first.txt", "first\n"),
        push(client, "pushed", first, "refs/heads/main"),
        push(client, "packed", large, "refs/heads/large"),
        create("later"),
        ...(others[0] ?? []),
      ],
      [
        merge("base", "one", "one\n", "merge"),
        push(client, "pushed", tagBefore, "refs/tags/before"),
        ...(others[1] ?? []),
        ...numbers(13).map((n) => write("packed", `${n}.txt`, `${n}\n`)),
      ],
      [merge("base", "two", "two\n", "squash"), update("base", "README.md", "changed\n"), runSchedule("tidy_stores")],
      [merge("base", "three", "three\n", "rebase"), write("packed", "after-tidy.txt", "x\n"), push(client, "pushed", second, "refs/heads/second")],
      [runSchedule("git_gc_repos")],
      [
        push(client, "pushed", tagAfter, "refs/tags/after"),
        write("packed", "after-collection.txt", "x\n"),
        write("base", "after-collection.txt", "x\n"),
        create("last"),
      ],
      [push(client, "packed", second, "refs/heads/second"), push(client, "pushed", tagLast, "refs/tags/last")],
    ],
    [Symbol.dispose]: () => client.remove(),
  };
}

/** Tags that git stores in the same folder of objects, each a single object. */
function tagsInOneFolder(client: ClientRepository, target: string, count: number): string[] {
  const found: string[] = [];
  for (let at = 0; found.length < count; at += 1) {
    const content = `object ${target}\ntype commit\ntag t${at}\ntagger Ann Author <ann@example.com> 1700000000 +0000\n\n${at}\n`;
    const oid = createHash("sha1").update(`tag ${content.length}\0${content}`).digest("hex");
    if (oid.startsWith("00")) found.push(client.pipe(content, "mktag").toString().trim());
  }
  return found;
}
