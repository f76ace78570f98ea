import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Field, Form, Refusal } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Moment } from "../../../ui/time.ts";
import type { DeletedRepositoryView } from "../view.ts";

export interface DeletedFacts {
  readonly path: string;
  readonly repositories: readonly DeletedRepositoryView[];
  readonly total: number;
  readonly page: Page;
  /** The one that was deleted a moment ago, whose restoration is offered before all. */
  readonly justDeletedId?: number | undefined;
  readonly refused?: RefusedRestoration | undefined;
  readonly formToken: string;
}

/** What was asked for, and why it was not done. */
export interface RefusedRestoration {
  readonly id: number;
  readonly name: string;
  readonly problem: FormProblem;
}

/** Deleted repositories, each with the way back. */
export function DeletedRepositories(facts: DeletedFacts): Html {
  const { path, repositories, total, page, refused } = facts;
  const { deleted: texts } = useTexts().settings;
  // It has come back meanwhile, or is gone for good: there is no row to say it in.
  const isElsewhere = refused !== undefined && !repositories.some(({ id }) => id === refused.id);
  return [
    isElsewhere && h(Refusal, { message: refused.problem.message }),
    h(JustDeleted, facts),
    repositories.length === 0
      ? h(Empty, { icon: "trash", title: texts.none }, h("p", null, texts.noneHint))
      : h(
          Rows,
          null,
          repositories.map((repository) => h(DeletedRow, { ...facts, repository })),
        ),
    h(Pager, { path, page, total }),
  ];
}

function JustDeleted({ path, repositories, justDeletedId, formToken }: DeletedFacts): Html {
  const { deleted: texts } = useTexts().settings;
  const found = repositories.find(({ id }) => id === justDeletedId);
  if (found === undefined) return null;
  const of = fullName(found);
  return h(
    "div",
    { class: "notice good bar", role: "status" },
    texts.isDeleted(of),
    h(Do, { action: `${path}/${found.id}/restore`, formToken, label: texts.restore, of }),
  );
}

const fullName = ({ ownerName, name }: DeletedRepositoryView): string => `${ownerName}/${name}`;

function DeletedRow({ path, repository, refused, formToken }: DeletedFacts & { readonly repository: DeletedRepositoryView }): Html {
  const { deleted: texts } = useTexts().settings;
  const { id, name, deletedMs, keptUntilMs } = repository;
  const action = `${path}/${id}/restore`;
  const isRefused = refused?.id === id;
  return h(
    Row,
    { action: !isRefused && h(Do, { action, formToken, label: texts.restore, of: fullName(repository) }) },
    h("strong", null, fullName(repository)),
    h("div", { class: "soft" }, texts.deletedAt, " ", h(Moment, { ms: deletedMs }), ", ", texts.keptUntil, " ", h(Moment, { ms: keptUntilMs })),
    isRefused &&
      h(
        Form,
        { action, formToken, name: `restore-${id}`, problem: refused.problem },
        h(Field, { name: "name", label: texts.restoreAs, value: refused.name === "" ? name : refused.name, autocomplete: "off", hasFocus: true }),
        h("div", null, h("button", { type: "submit" }, texts.restore)),
      ),
  );
}
