import { h } from "preact";
import { formatDuration } from "../../../core/duration.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { encodeSegment } from "../../../core/urls.ts";
import { type RepositoryName, settingsPath } from "../../../ui/addresses.ts";
import { Pager } from "../../../ui/blocks.ts";
import { CheckBox, Field, Form, OptionalField, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Moment } from "../../../ui/time.ts";
import type { PushMirrorView } from "../view.ts";

export interface NewPushMirror {
  readonly remote_address: string;
  readonly remote_username: string;
  readonly interval: string;
  readonly sync_on_commit: boolean;
}

export interface MirrorsFacts {
  readonly repository: RepositoryName;
  /** Undefined for what is no mirror. */
  readonly pull: { readonly address: string; readonly interval: string; readonly syncedMs: number; readonly problem?: FormProblem | undefined } | undefined;
  readonly pushes: readonly PushMirrorView[];
  readonly total: number;
  readonly page: Page;
  readonly values: NewPushMirror;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** What a repository follows, and where it is pushed to. */
export function MirrorsView(facts: MirrorsFacts): Html {
  const { repository, pull, pushes, total, page, values, problem, formToken } = facts;
  const { settings, forms } = useTexts();
  const texts = settings.mirrors;
  const path = settingsPath(repository, "/mirrors");
  const of = `${repository.ownerName}/${repository.name}`;
  return [
    pull !== undefined && h(Pull, { path, of, formToken, ...pull }),
    h(
      "section",
      null,
      h("h2", null, texts.push),
      pushes.length === 0
        ? h("p", { class: "soft" }, texts.none)
        : [
            h(
              Rows,
              null,
              pushes.map((mirror) => h(PushRow, { path, formToken, mirror })),
            ),
            h(Pager, { path, page, total }),
            h(Do, { action: `${path}/push`, formToken, label: texts.pushAll, of }),
          ],
      h("h3", null, texts.add),
      h(
        Form,
        { action: path, formToken, problem },
        h(Field, { name: "remote_address", label: texts.address, value: values.remote_address, type: "url", autocomplete: "off" }),
        h(OptionalField, { name: "remote_username", label: texts.username, value: values.remote_username }),
        h(Field, { name: "remote_password", label: texts.password, type: "password", autocomplete: "off", isOptional: true }),
        h(OptionalField, { name: "interval", label: texts.interval, value: values.interval, hint: texts.intervalHint }),
        h(CheckBox, { name: "sync_on_commit", label: texts.onCommit, isChecked: values.sync_on_commit }),
        h(Submit, { label: forms.add }),
      ),
    ),
  ];
}

type PullFacts = NonNullable<MirrorsFacts["pull"]> & { readonly path: string; readonly of: string; readonly formToken: string };

function Pull({ path, of, formToken, address, interval, syncedMs, problem }: PullFacts): Html {
  const { settings, forms } = useTexts();
  const texts = settings.mirrors;
  return h(
    "section",
    null,
    h("h2", null, texts.pull),
    h("p", null, texts.source, " ", h("code", null, address)),
    h("p", { class: "soft" }, texts.synced, ": ", syncedMs === 0 ? forms.never : h(Moment, { ms: syncedMs })),
    h(Do, { action: `${path}/pull`, formToken, label: texts.sync, of }),
    h(
      Form,
      { action: `${path}/interval`, formToken, name: "pull", problem },
      h(Field, { name: "interval", label: texts.interval, value: interval, hint: texts.intervalHint, autocomplete: "off" }),
      h(Submit, { label: forms.save }),
    ),
  );
}

function PushRow({ path, formToken, mirror }: { readonly path: string; readonly formToken: string; readonly mirror: PushMirrorView }): Html {
  const { settings, forms } = useTexts();
  const texts = settings.mirrors;
  const { name, address, syncedMs, intervalMs, syncsOnCommit, lastError } = mirror;
  return h(
    Row,
    { action: h(Do, { action: `${path}/${encodeSegment(name)}/remove`, formToken, label: forms.remove, of: address, isDanger: true }) },
    h("code", null, address),
    h(
      "div",
      { class: "soft" },
      `${texts.interval}: ${intervalMs === 0 ? forms.never : formatDuration(intervalMs)}${syncsOnCommit ? ` · ${texts.onCommit}` : ""} · ${texts.pushed} `,
      syncedMs === 0 ? forms.never : h(Moment, { ms: syncedMs }),
    ),
    lastError !== "" && h("div", { class: "wrong" }, texts.failed, " ", lastError),
  );
}
