import { shortDuration } from "../../../../core/duration.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { encodeSegment } from "../../../../core/urls.ts";
import { type RepositoryName, settingsPath } from "../../../../ui/addresses.ts";
import { Pager } from "../../../../ui/blocks.tsx";
import { CheckBox, Field, Form, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { Technical } from "../../../../ui/technical.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import type { PushMirrorView, SyncProblem } from "../model.ts";
import { mirrorTexts } from "../texts/texts.ts";

export interface NewPushMirror {
  readonly remote_address: string;
  readonly remote_username: string;
  readonly interval: string;
  readonly sync_on_commit: boolean;
}

export interface MirrorsProps {
  readonly repository: RepositoryName;
  /** Undefined if the repository is not a mirror. */
  readonly pull:
    | {
        readonly address: string;
        readonly interval: string;
        readonly syncedMs: number;
        readonly failed: SyncProblem | undefined;
        readonly problem?: FormProblem | undefined;
      }
    | undefined;
  readonly pushes: readonly PushMirrorView[];
  readonly total: number;
  readonly page: Page;
  readonly values: NewPushMirror;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The pull mirror settings and the push mirrors of a repository. */
export function MirrorsView(props: MirrorsProps): Html {
  const { repository, pull, pushes, total, page, values, problem, formToken } = props;
  const settings = useTexts(mirrorTexts);
  const texts = settings;
  const path = settingsPath(repository, "/mirrors");
  const of = `${repository.ownerName}/${repository.name}`;
  return (
    <>
      {pull !== undefined && <Pull path={path} of={of} formToken={formToken} {...pull} />}
      <section>
        <h2>{texts.push}</h2>
        {pushes.length === 0 ? (
          <p class="soft">{texts.none}</p>
        ) : (
          <>
            <Rows>
              {pushes.map((mirror) => (
                <PushRow path={path} formToken={formToken} mirror={mirror} />
              ))}
            </Rows>
            <Pager path={path} page={page} total={total} />
            <Do action={`${path}/push`} formToken={formToken} label={texts.pushAll} of={of} />
          </>
        )}
        <h3>{texts.add}</h3>
        <Form action={path} formToken={formToken} problem={problem}>
          <Field name="remote_address" label={texts.address} value={values.remote_address} type="url" autocomplete="off" />
          <OptionalField name="remote_username" label={texts.username} value={values.remote_username} />
          <Field name="remote_password" label={texts.password} type="password" autocomplete="off" isOptional />
          <OptionalField name="interval" label={texts.interval} value={values.interval} hint={texts.intervalHint} />
          <CheckBox name="sync_on_commit" label={texts.onCommit} isChecked={values.sync_on_commit} />
          <Submit label={texts.add} />
        </Form>
      </section>
    </>
  );
}

type PullProps = NonNullable<MirrorsProps["pull"]> & { readonly path: string; readonly of: string; readonly formToken: string };

function Pull({ path, of, formToken, address, interval, syncedMs, failed, problem }: PullProps): Html {
  const settings = useTexts(mirrorTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = settings;
  return (
    <section>
      <h2>{texts.pull}</h2>
      <p>
        {texts.source} <code>{address}</code>
      </p>
      <p class="soft">
        {texts.synced}
        {": "}
        {syncedMs === 0 ? forms.never : <Moment ms={syncedMs} />}
      </p>
      {failed !== undefined && <Failed {...failed} />}
      <Do action={`${path}/pull`} formToken={formToken} label={texts.sync} of={of} />
      <Form action={`${path}/interval`} formToken={formToken} name="pull" problem={problem}>
        <Field name="interval" label={texts.interval} value={interval} hint={texts.intervalHint} autocomplete="off" />
        <Submit label={forms.save} />
      </Form>
    </section>
  );
}

function PushRow({ path, formToken, mirror }: { readonly path: string; readonly formToken: string; readonly mirror: PushMirrorView }): Html {
  const settings = useTexts(mirrorTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = settings;
  const { name, address, syncedMs, intervalMs, syncsOnCommit } = mirror;
  return (
    <Row action={<Do action={`${path}/${encodeSegment(name)}/remove`} formToken={formToken} label={forms.remove} of={address} isDanger />}>
      <code>{address}</code>
      <div class="soft">
        {`${texts.interval}: ${intervalMs === 0 ? forms.never : shortDuration(intervalMs)}${syncsOnCommit ? ` · ${texts.onCommit}` : ""} · ${texts.pushed} `}
        {syncedMs === 0 ? forms.never : <Moment ms={syncedMs} />}
      </div>
      {mirror.lastError !== "" && <Failed {...mirror} />}
    </Row>
  );
}

function Failed({ lastError, failure }: SyncProblem): Html {
  const texts = useTexts(mirrorTexts);
  const sentences: Readonly<Record<string, string>> = texts.failures;
  return (
    <>
      <div class="wrong">
        {texts.failed} {sentences[failure] ?? texts.failure}
      </div>
      <Technical message={lastError} />
    </>
  );
}
