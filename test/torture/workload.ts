import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { newBlob, newCommit, newTree } from "../../src/git/objects/format.ts";
import { packOf, pushBody } from "../kit/raw-push.ts";
import type { Operation } from "./checker.ts";
import { adminToken, type Site, type SiteNode } from "./site.ts";

/** The requests of all clients in a round, and their answers. */
export interface Record {
  readonly operations: Operation[];
  /** Object ids of the files that were acknowledged, by path, and of those whose request failed. */
  readonly files: { readonly acknowledged: Map<string, string>; readonly unknown: Map<string, string> };
  /** Titles. */
  readonly issues: { readonly acknowledged: Set<string>; readonly unknown: Set<string> };
  /** Answers that no fault explains. */
  readonly violations: string[];
  /** The end of each acknowledged write on the monotonic clock, with the node that answered. */
  readonly writes: { readonly atMs: number; readonly node: string }[];
  slowestMs: number;
}

export const refNames = ["r0", "r1", "r2"];
const longestMs = 30_000;
const person = { name: "Chief", email: "chief@example.com", seconds: 1_700_000_000, offsetMinutes: 0 };
const nowNs = (): number => Math.round(performance.now() * 1e6);

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Whether a request cannot have reached a node. */
const isUnsent = (error: unknown): boolean => error instanceof Error && (error.cause as { readonly code?: unknown } | undefined)?.code === "ECONNREFUSED";

export interface Workload {
  readonly record: Record;
  /** Ends all clients after their present requests. */
  stop(): Promise<void>;
}

export function createRequests(record: Record) {
  /** @returns undefined if the outcome is not known, `unsent` if nothing was sent */
  return async (node: SiteNode, method: string, path: string, body?: Uint8Array | object): Promise<Answer | "unsent" | undefined> => {
    const { program } = node;
    if (program === undefined || node.isShunned) return "unsent";
    const given = new AbortController();
    node.requests.add(given);
    const isRaw = body instanceof Uint8Array;
    const beganMs = performance.now();
    try {
      const response = await fetch(program.url + path, {
        method,
        headers: {
          authorization: `token ${adminToken}`,
          ...(body !== undefined && { "content-type": isRaw ? "application/x-git-receive-pack-request" : "application/json" }),
        },
        ...(body !== undefined && { body: isRaw ? new Uint8Array(body) : JSON.stringify(body) }),
        signal: AbortSignal.any([given.signal, AbortSignal.timeout(longestMs + 15_000)]),
      });
      const text = await response.text();
      if (response.status >= 500 && response.status !== 503) record.violations.push(`${method} ${path} got ${response.status}: ${text.slice(0, 200)}`);
      return { status: response.status, text };
    } catch (error) {
      return isUnsent(error) ? "unsent" : undefined;
    } finally {
      node.requests.delete(given);
      // A node that was killed or stopped meanwhile did not answer late, but not at all.
      const tookMs = performance.now() - beganMs;
      if (node.program === program && !node.isPaused) {
        record.slowestMs = Math.max(record.slowestMs, tookMs);
        if (tookMs > longestMs && !node.wasPausedSince(beganMs)) record.violations.push(`${method} ${path} took ${Math.round(tookMs / 1000)} s`);
      }
    }
  };
}

/** Starts clients that use all nodes of a site with one repository: its branches {@link refNames} point to `first`. */
export function startWorkload(site: Site, repository: string, first: string, below: (limit: number) => number): Workload {
  const record: Record = {
    operations: refNames.map((ref) => ({ client: 0, ref, kind: "first", from: "", to: first, outcome: "done", callNs: 0, endNs: 0 })),
    files: { acknowledged: new Map(), unknown: new Map() },
    issues: { acknowledged: new Set(), unknown: new Set() },
    violations: [],
    writes: [],
    slowestMs: 0,
  };
  const request = createRequests(record);
  const api = `/api/v1/repos/chief/${repository}`;
  let isOver = false;
  const anyNode = (): SiteNode => site.nodes[below(site.nodes.length)] as SiteNode;
  const anyRef = (): string => refNames[below(refNames.length)] ?? "";
  const acknowledge = ({ name }: SiteNode): void => void record.writes.push({ atMs: performance.now(), node: name });
  const client = async (work: (at: number) => Promise<boolean>): Promise<void> => {
    for (let at = 0; !isOver; at += 1) if (!(await work(at))) await sleep(20);
  };

  const known = new Map(refNames.map((ref) => [ref, first]));
  /** Moves a ref to a new commit on top of the one that the client has last seen. */
  const push = (number: number) => async (at: number) => {
    const [node, ref] = [anyNode(), anyRef()];
    const from = known.get(ref) ?? first;
    // Larger packs are in the bucket.
    const blob = newBlob("sha1", at % 4 === 0 ? randomBytes(80_000) : randomBytes(40));
    const tree = newTree("sha1", [{ name: "f", mode: "100644", oid: blob.oid }]);
    const commit = newCommit("sha1", { treeOid: tree.oid, parentOids: [from], author: person, committer: person, message: `${number}-${at}` });
    const body = pushBody({ commands: [`${from} ${commit.oid} refs/heads/${ref}`], pack: packOf([blob, tree, commit]) });
    const callNs = nowNs();
    const answer = await request(node, "POST", `/chief/${repository}.git/git-receive-pack`, body);
    if (answer === "unsent") return false;
    const isDone = answer?.status === 200 && answer.text.includes(`ok refs/heads/${ref}`);
    const isRefused = answer?.status === 200 && answer.text.includes("changed in the meantime");
    const outcome = isDone ? "done" : isRefused ? "refused" : "unknown";
    record.operations.push({ client: number, ref, kind: "write", from, to: commit.oid, outcome, callNs, endNs: nowNs() });
    if (isDone) {
      known.set(ref, commit.oid);
      acknowledge(node);
    } else await read(number, ref);
    return isDone;
  };

  const read = async (number: number, ref: string): Promise<boolean> => {
    const callNs = nowNs();
    const answer = await request(anyNode(), "GET", `${api}/branches/${ref}`);
    if (answer === undefined || answer === "unsent" || (answer.status !== 200 && answer.status !== 404)) return false;
    const to: string = answer.status === 200 ? JSON.parse(answer.text).commit.id : "";
    record.operations.push({ client: number, ref, kind: "read", from: "", to, outcome: "done", callNs, endNs: nowNs() });
    if (to !== "") known.set(ref, to);
    const object = await request(anyNode(), "GET", `${api}/git/commits/${to}`);
    if (object !== undefined && object !== "unsent" && object.status === 404) record.violations.push(`${ref} was at ${to}, which another node does not have`);
    return true;
  };

  const writeFile = (number: number) => async (at: number) => {
    const content = at % 4 === 0 ? randomBytes(80_000) : randomBytes(40);
    const path = `${number}-${at}.bin`;
    const node = anyNode();
    const answer = await request(node, "POST", `${api}/contents/${path}`, { content: content.toString("base64"), message: path });
    if (answer === "unsent") return false;
    const isDone = answer?.status === 201;
    (isDone ? record.files.acknowledged : record.files.unknown).set(path, newBlob("sha1", content).oid);
    if (isDone) acknowledge(node);
    return isDone;
  };

  const openIssue = (number: number) => async (at: number) => {
    const title = `${number}-${at}`;
    const node = anyNode();
    const answer = await request(node, "POST", `${api}/issues`, { title });
    if (answer === "unsent") return false;
    const isDone = answer?.status === 201;
    (isDone ? record.issues.acknowledged : record.issues.unknown).add(title);
    if (isDone) acknowledge(node);
    return isDone;
  };

  const clients = [
    client(push(1)),
    client(push(2)),
    client(push(3)),
    client(() => read(4, anyRef())),
    client(() => read(5, anyRef())),
    client(writeFile(6)),
    client(writeFile(7)),
    client(openIssue(8)),
    client(openIssue(9)),
  ];
  return {
    record,
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}
