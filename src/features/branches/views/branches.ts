import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { archivePath, branchesPath, commitPath, comparePath, type RepositoryName, sourcePath } from "../../../ui/addresses.ts";
import { NoCommits, Pager } from "../../../ui/blocks.ts";
import { Field, Form, OptionalField, Refusal, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { BranchView, DeletedBranchView } from "../view.ts";
import { DeletedBranches, type DeletedForms } from "./deleted.ts";

export interface BranchesFacts {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly branches: readonly BranchView[];
  /** From the default branch, by the ids of their tips; undefined where it is not known. */
  readonly divergences: ReadonlyMap<string, { readonly ahead: number; readonly behind: number } | undefined>;
  readonly total: number;
  readonly page: Page;
  readonly now: number;
  /** Undefined for readers who change no branches. */
  readonly forms: BranchForms | undefined;
}

export interface BranchForms extends DeletedForms {
  /** What was typed into the form for a new one, and why it was refused. */
  readonly created: { readonly name: string; readonly from: string; readonly problem: FormProblem | undefined };
  /** Why a button did nothing. */
  readonly refused: string | undefined;
  readonly justDeleted: DeletedBranchView | undefined;
}

/** Branches, those with the newest commits first, and what can be done with them. */
export function BranchesView({ repository, branches, divergences, total, page, now, forms }: BranchesFacts): Html {
  const { branches: texts } = useTexts();
  if (total === 0) return h(NoCommits, { repository, icon: "git-branch", title: texts.none });
  return [
    forms !== undefined && h(Top, { repository, forms }),
    h(
      "ul",
      { class: "commits box" },
      branches.map((branch) => h(BranchRow, { repository, branch, divergence: divergences.get(branch.tip.commit.oid), now, forms })),
    ),
    h(Pager, { path: branchesPath(repository), page, total }),
    forms !== undefined && forms.deleted.length > 0 && h(DeletedBranches, { repository, forms, now }),
  ];
}

/** What has become of the last wish, and where a new branch is made. */
function Top({ repository, forms }: { readonly repository: BranchesFacts["repository"]; readonly forms: BranchForms }): Html {
  const { branches: texts } = useTexts();
  const { formToken, created, refused, justDeleted } = forms;
  return [
    refused !== undefined && h(Refusal, { message: refused }),
    justDeleted !== undefined &&
      h(
        "div",
        { class: "notice good bar", role: "status" },
        texts.deleted(justDeleted.name),
        h(Do, {
          action: branchesPath(repository, "/restore"),
          formToken,
          label: texts.restore,
          of: justDeleted.name,
          hidden: { id: String(justDeleted.id) },
        }),
      ),
    h(
      "details",
      { class: "more", open: created.problem !== undefined },
      h("summary", null, texts.create),
      h(
        Form,
        { action: branchesPath(repository, "/create"), formToken, name: "create", problem: created.problem },
        h(
          "div",
          { class: "beside" },
          h(Field, { name: "name", label: texts.name, value: created.name, autocomplete: "off" }),
          h(OptionalField, { name: "from", label: texts.from, value: created.from, hint: texts.fromHint(repository.defaultBranch) }),
        ),
        h(Submit, { label: texts.create }),
      ),
    ),
  ];
}

const titleOf = (message: string): string => message.split("\n", 1)[0] ?? "";

interface RowFacts extends Pick<BranchesFacts, "repository" | "now" | "forms"> {
  readonly branch: BranchView;
  readonly divergence: { readonly ahead: number; readonly behind: number } | undefined;
}

function BranchRow({ repository, branch: { name, tip, rule }, divergence, now, forms }: RowFacts): Html {
  const { branches: texts } = useTexts();
  const { commit } = tip;
  const isDefault = name === repository.defaultBranch;
  return h(
    "li",
    null,
    h(
      "div",
      { class: "what" },
      h(Icon, { name: "git-branch" }),
      " ",
      h("a", { href: sourcePath(repository, { kind: "branch", rev: name }) }, name),
      isDefault && [" ", h("span", { class: "badge" }, texts.isDefault)],
      rule !== undefined && [" ", h("span", { class: "badge" }, texts.isProtected)],
      h("div", { class: "who" }, h("bdi", null, titleOf(commit.message)), ", ", h(Ago, { ms: commit.committer.seconds * 1_000, now })),
    ),
    !isDefault && divergence !== undefined && h("span", { class: "soft" }, texts.divergence(divergence.behind, divergence.ahead)),
    h("a", { class: "oid", href: commitPath(repository, commit.oid) }, commit.oid.slice(0, 10)),
    h(Menu, { repository, name, isDefault, forms }),
  );
}

interface MenuFacts extends Pick<BranchesFacts, "repository" | "forms"> {
  readonly name: string;
  readonly isDefault: boolean;
}

/** What can be done with a branch. */
function Menu({ repository, name, isDefault, forms }: MenuFacts): Html {
  const { branches: texts } = useTexts();
  return h(
    "details",
    { class: "menu" },
    h("summary", { "aria-label": texts.menuOf(name) }, h(Icon, { name: "chevron-down" })),
    h(
      "div",
      { class: "sheet" },
      !isDefault && h("a", { href: comparePath(repository, `${repository.defaultBranch}...${name}`) }, texts.compare),
      h("a", { href: archivePath(repository, name, "zip") }, texts.download("zip")),
      h("a", { href: archivePath(repository, name, "tar.gz") }, texts.download("tar.gz")),
      forms !== undefined &&
        h(
          "details",
          null,
          h("summary", null, texts.rename),
          h(
            Form,
            { action: branchesPath(repository, "/rename"), formToken: forms.formToken, name: `rename-${name}`, hidden: { name } },
            h(Field, { name: "new_name", label: texts.newName, value: name, autocomplete: "off" }),
            h(Submit, { label: texts.rename }),
          ),
        ),
      forms !== undefined &&
        !isDefault &&
        h(Do, {
          action: branchesPath(repository, "/delete"),
          formToken: forms.formToken,
          label: texts.delete,
          of: name,
          hidden: { name },
          isDanger: true,
        }),
    ),
  );
}
