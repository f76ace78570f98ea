import { h } from "preact";
import { accountPath, commitPath, pickPath, type RepositoryName, sourcePath, withQuery } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { CommitView as CommitFacts } from "../../commits/view.ts";
import { titleOf } from "../../commits/views/history.ts";
import type { FilesPiece } from "../file-piece.ts";
import { ReadOnlyChanges } from "./changes.ts";
import type { FileBoxCommon } from "./file-box.ts";
import { type DiffState, diffParameters } from "./looking.ts";

export interface CommitHeadFacts {
  readonly repository: RepositoryName;
  readonly view: CommitFacts;
  /** The parent with which it is compared, from 1. */
  readonly parent: number;
  readonly state: DiffState;
  /** Whether the reader commits to branches here. */
  readonly canCommit: boolean;
  readonly now: number;
}

/** Where a commit is looked at in some way, compared with one of its parents. */
export const commitAddress =
  (repository: RepositoryName, oid: string, parent: number) =>
  (state: DiffState, more: Readonly<Record<string, string | number | undefined>> = {}): string =>
    withQuery(commitPath(repository, oid), { ...diffParameters(state), parent: parent === 1 ? undefined : parent, ...more });

/** What a commit says, and whose it is. */
export function CommitHead(facts: CommitHeadFacts): Html {
  const { commit: texts, history, picking } = useTexts();
  const { repository, view, canCommit } = facts;
  const { commit } = view;
  const [title, rest] = [titleOf(commit.message), commit.message.split("\n").slice(1).join("\n").trim()];
  return h(
    "section",
    { class: "box" },
    h("div", { class: "within" }, h("h1", { dir: "auto" }, title), rest !== "" && h("pre", { class: "message", dir: "auto" }, rest)),
    h(
      "header",
      null,
      h(People, facts),
      h(Signature, view),
      h(
        "span",
        { class: "end" },
        h("a", { href: sourcePath(repository, { kind: "commit", rev: commit.oid }) }, history.browse),
        canCommit && h("a", { href: pickPath(repository, commit.oid) }, picking.link),
      ),
    ),
    h("div", { class: "bar facts" }, h("span", { class: "soft" }, texts.commit), h("code", { class: "oid" }, commit.oid), h(Parents, facts)),
  );
}

function People({ view: { commit, author, committer }, now }: CommitHeadFacts): Html {
  const { commit: texts } = useTexts();
  const isByAnother = commit.committer.email !== commit.author.email;
  return [
    author === undefined ? h("strong", null, commit.author.name) : h("a", { href: accountPath(author.name) }, author.fullName || author.name),
    h(Ago, { ms: commit.author.seconds * 1_000, now }),
    isByAnother &&
      h(
        "span",
        { class: "soft" },
        texts.committedBy,
        " ",
        committer === undefined ? commit.committer.name : h("a", { href: accountPath(committer.name) }, committer.fullName || committer.name),
      ),
  ];
}

function Signature({ verdict }: Pick<CommitFacts, "verdict">): Html {
  const { commit: texts, history } = useTexts();
  if (verdict === undefined || (!verdict.isVerified && verdict.flaw === "not_signed")) return null;
  return verdict.isVerified
    ? h("span", { class: "badge good", title: texts.signedWith(verdict.key) }, history.verified)
    : h("span", { class: "badge", title: texts.unverifiedHint }, texts.unverified);
}

/** The commits before it, and of several the one with which it is compared. */
function Parents({ repository, view: { commit }, parent, state }: CommitHeadFacts): Html {
  const { commit: texts } = useTexts();
  const { oid, parentOids } = commit;
  if (parentOids.length === 0) return h("span", { class: "soft" }, texts.noParent);
  return [
    h("span", { class: "soft" }, parentOids.length === 1 ? texts.parent : texts.parents),
    parentOids.map((one) => h("a", { class: "oid", href: commitPath(repository, one) }, one.slice(0, 10))),
    parentOids.length > 1 &&
      h(
        "nav",
        { class: "switch end", "aria-label": texts.comparedWith },
        parentOids.map((one, at) => {
          const href = commitAddress(repository, oid, at + 1)({ ...state, piece: 1 });
          return h("a", { href, ...(parent === at + 1 && { "aria-current": "page" }) }, texts.against(one.slice(0, 10)));
        }),
      ),
  ];
}

export interface CommitChangesFacts extends FileBoxCommon {
  readonly oid: string;
  readonly piece: FilesPiece;
}

/** What a commit changed. */
export function CommitChanges(facts: CommitChangesFacts): Html {
  const { commit: texts } = useTexts();
  const { repository, oid, piece } = facts;
  if (piece.fileCount === 0) return h(Empty, { icon: "file-code", title: texts.unchanged });
  return h(ReadOnlyChanges, { ...facts, textAddress: `${commitPath(repository, oid)}.diff` });
}
