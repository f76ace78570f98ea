import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { accountPath, branchesPath, commitPath, type RepositoryName } from "../../../ui/addresses.ts";
import { Field, Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { DeletedBranchView } from "../view.ts";

export interface DeletedForms {
  readonly formToken: string;
  /** Those that can be brought back, the latest first. */
  readonly deleted: readonly DeletedBranchView[];
  /** What was typed to bring one of them back, and why it was refused. */
  readonly restored: { readonly id: number; readonly name: string; readonly problem: FormProblem } | undefined;
  /** The reader may have one kept no longer. */
  readonly canForget: boolean;
}

interface DeletedFacts {
  readonly repository: RepositoryName;
  readonly forms: DeletedForms;
  readonly now: number;
}

/** Branches that have been deleted, each with what brings it back. */
export function DeletedBranches({ repository, forms, now }: DeletedFacts): Html {
  const { branches: texts } = useTexts();
  const { deleted, restored } = forms;
  return h(
    "details",
    { class: "more", id: "deleted", open: restored !== undefined },
    h("summary", null, texts.deletedLately(deleted.length)),
    h("p", { class: "soft" }, texts.deletedHow),
    h(
      "ul",
      { class: "commits box" },
      deleted.map((branch) => h(DeletedRow, { repository, forms, now, branch })),
    ),
  );
}

function DeletedRow({ repository, forms, now, branch }: DeletedFacts & { readonly branch: DeletedBranchView }): Html {
  const { branches: texts } = useTexts();
  const { id, name, oid, deleter, deletedMs } = branch;
  const restored = forms.restored?.id === id ? forms.restored : undefined;
  return h(
    "li",
    null,
    h(
      "div",
      { class: "what" },
      h(Icon, { name: "git-branch" }),
      " ",
      h("bdi", null, name),
      h(
        "div",
        { class: "who" },
        deleter === undefined ? texts.deletedAt : [h("a", { href: accountPath(deleter.name) }, deleter.name), " ", texts.hasDeleted],
        " ",
        h(Ago, { ms: deletedMs, now }),
      ),
      restored !== undefined && h(Again, { repository, formToken: forms.formToken, id, name, restored }),
    ),
    h("a", { class: "oid", href: commitPath(repository, oid) }, oid.slice(0, 10)),
    h(Do, { action: branchesPath(repository, "/restore"), formToken: forms.formToken, label: texts.restore, of: name, hidden: { id: String(id) } }),
    forms.canForget &&
      h(
        "details",
        { class: "menu" },
        h("summary", { "aria-label": texts.menuOf(name) }, h(Icon, { name: "chevron-down" })),
        h(
          "div",
          { class: "sheet" },
          h(Do, {
            action: branchesPath(repository, "/forget"),
            formToken: forms.formToken,
            label: texts.forget,
            of: name,
            hidden: { id: String(id) },
            isDanger: true,
          }),
        ),
      ),
  );
}

interface AgainFacts {
  readonly repository: RepositoryName;
  readonly formToken: string;
  readonly id: number;
  readonly name: string;
  readonly restored: NonNullable<DeletedForms["restored"]>;
}

/** Under another name, where its own is in the way. */
function Again({ repository, formToken, id, name, restored }: AgainFacts): Html {
  const { branches: texts } = useTexts();
  return h(
    Form,
    { action: branchesPath(repository, "/restore"), formToken, name: `restore-${id}`, hidden: { id: String(id) }, problem: restored.problem },
    h(Field, { name: "name", label: texts.restoreAs, value: restored.name === "" ? name : restored.name, autocomplete: "off", hasFocus: true }),
    h("div", null, h("button", { type: "submit" }, texts.restore)),
  );
}
