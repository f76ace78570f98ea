import { h } from "preact";
import { pullPath, type RepositoryName } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import { Form, Refusal, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { ConflictSide, Conflicts, SidedFile } from "../conflicts.ts";

export interface ConflictsFacts {
  readonly repository: RepositoryName;
  readonly conflicts: Conflicts;
  readonly formToken: string;
  /** What was typed and not taken, by path. */
  readonly typed: ReadonlyMap<string, string> | undefined;
  /** What was chosen, by path. */
  readonly sides: ReadonlyMap<string, ConflictSide> | undefined;
  readonly problem: string | undefined;
}

/** The files that conflict, each to be made one of what both sides have made of it. */
export function ConflictsView({ repository, conflicts, formToken, typed, sides, problem }: ConflictsFacts): Html {
  const { merging: texts, forms } = useTexts();
  const { pull, files, sided, others, headOid, baseOid } = conflicts;
  const path = pullPath(repository, pull.number);
  const back = h("a", { href: path }, forms.cancel);
  if (others.length > 0) {
    return h(
      Empty,
      { icon: "alert", title: texts.resolvedElsewhere },
      h("p", null, texts.resolvedElsewhereHint),
      h("pre", null, others.join("\n")),
      [...(typed ?? [])]
        .filter(([name]) => name !== "")
        .map(([name, text]) => h("details", null, h("summary", null, texts.fileText(name)), h("pre", { tabIndex: 0 }, text))),
      h("p", null, back),
    );
  }
  return [
    problem !== undefined && h(Refusal, { message: problem }),
    h("p", null, texts.resolvingHint(pull.headBranch, pull.baseBranch)),
    h(
      Form,
      // Two fields of a name make a list, one a text: the first of each is there so that they are always lists.
      { action: `${path}/conflicts`, formToken, isOnce: true, hidden: { head: headOid, base: baseOid, path: "", content: "", chosen: "", side: "" } },
      files.map((file, at) => h(FileField, { ...file, at, typed: typed?.get(file.path), branches: { head: pull.headBranch, base: pull.baseBranch } })),
      sided.map((file, at) => h(SideField, { ...file, at, chosen: sides?.get(file.path), branches: { head: pull.headBranch, base: pull.baseBranch } })),
      h("div", { class: "bar" }, h(Submit, { label: texts.commitMerge }), back),
    ),
  ];
}

type Branches = Readonly<Record<ConflictSide, string>>;

interface SideFacts extends SidedFile {
  readonly at: number;
  readonly chosen: ConflictSide | undefined;
  readonly branches: Branches;
}

/** Takes a file as one of the branches has it, or has not. */
function SideField({ path, isThere, at, chosen, branches }: SideFacts): Html {
  const { merging: texts } = useTexts();
  const id = `side-${at + 1}`;
  const words = (side: ConflictSide): string => (isThere[side] ? texts.asOn(branches[side]) : texts.goneOn(branches[side]));
  return h(
    "section",
    { class: "box conflict" },
    h("header", null, h("h2", null, path)),
    h(
      "div",
      { class: "within field" },
      h("input", { type: "hidden", name: "chosen", value: path }),
      h("label", { for: id }, texts.sideOf(path)),
      h("p", { class: "hint" }, isThere.head && isThere.base ? texts.noText : texts.deletedOnce),
      h(
        "select",
        { id, name: "side" },
        h("option", { value: "" }, texts.chooseSide),
        (["head", "base"] as const).map((side) => h("option", { value: side, selected: side === chosen }, words(side))),
      ),
    ),
  );
}

interface FileFacts {
  readonly path: string;
  readonly text: string;
  readonly at: number;
  readonly typed: string | undefined;
  readonly branches: Branches;
}

const maxRows = 40;

function FileField({ path, text, at, typed, branches }: FileFacts): Html {
  const { merging: texts } = useTexts();
  const shown = typed ?? text;
  const id = `file-${at + 1}`;
  const isOther = typed !== undefined && typed !== text;
  return h(
    "section",
    { class: "box conflict" },
    h("header", null, h("h2", null, path)),
    h(
      "div",
      { class: "within" },
      h("input", { type: "hidden", name: "path", value: path }),
      h("label", { for: id }, texts.fileText(path)),
      // A browser drops the first line end of a text area.
      h("textarea", {
        id,
        name: "content",
        class: "code",
        spellcheck: false,
        "data-head": branches.head,
        "data-base": branches.base,
        rows: Math.min(maxRows, shown.split("\n").length + 1),
        value: shown.startsWith("\n") ? `\n${shown}` : shown,
      }),
      isOther && h("details", null, h("summary", null, texts.conflictNow), h("pre", { tabIndex: 0 }, text)),
    ),
  );
}
