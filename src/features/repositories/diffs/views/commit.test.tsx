import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { CommitHead } from "./commit.tsx";

const person = { name: "Alice", email: "alice@example.org", seconds: 0, offsetMinutes: 0 };

test("the page of a merge links to 64 of 10,000 parents, and counts the others", () => {
  const parentOids = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(40, "0"));
  const commit = {
    oid: "f".repeat(40),
    treeOid: "e".repeat(40),
    parentOids,
    author: person,
    committer: person,
    message: "merge\n",
    signature: "",
    signedPayload: "",
    signedBytes: undefined,
  };
  const view = { commit, verdict: undefined, author: undefined, committer: undefined, changes: undefined };
  const state = { list: 1, piece: 1, part: 1, whitespace: "show-all", style: "", folded: "" } as const;
  const props = { repository: { ownerName: "alice", name: "demo" }, view, parent: 1, state, canCommit: false, checks: undefined, note: undefined, now: 0 };
  const html = render(<CommitHead {...props} />);
  expect(html.match(/<a class="oid"/g)).toHaveLength(64);
  expect(html.match(/parent=\d+/g)).toHaveLength(63);
  expect(html).toContain("9936 parents not shown");
});
