import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { unavailable } from "../../../../core/unavailable.ts";
import { type RepositoryName, settingsPath } from "../../../../ui/addresses.ts";
import { CheckBox, Choice, Field, Form, Group, KeptField, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { repoSettingsTexts } from "../texts/texts.ts";

const unitSwitches = ["has_code", "has_pull_requests", "has_releases", "has_projects", "has_packages", "has_actions"] as const;
const trackerSwitches = ["enable_time_tracker", "allow_only_contributors_to_track_time", "enable_issue_dependencies"] as const;
const mergeWays = [
  "allow_merge_commits",
  "allow_rebase",
  "allow_rebase_explicit",
  "allow_squash_merge",
  "allow_fast_forward_only_merge",
  "allow_manual_merge",
] as const;
const mergeSwitches = [
  "autodetect_manual_merge",
  "allow_rebase_update",
  "default_delete_branch_after_merge",
  "default_allow_maintainer_edit",
  "ignore_whitespace_conflicts",
] as const;
const externalTexts = [
  "external_tracker_url",
  "external_tracker_format",
  "external_tracker_style",
  "external_tracker_regexp_pattern",
  "external_wiki_url",
] as const;

type Switch = (typeof unitSwitches)[number] | (typeof trackerSwitches)[number] | (typeof mergeWays)[number] | (typeof mergeSwitches)[number];

/** Values of the general settings form, by the API's field names. */
export type GeneralValues = Readonly<Record<Switch | "template", boolean>> &
  Readonly<Record<(typeof externalTexts)[number] | "name" | "description" | "website" | "default_branch" | "default_merge_style" | "issues" | "wiki", string>>;

export interface GeneralProps {
  readonly repository: RepositoryName;
  readonly values: GeneralValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The general settings: description, units and merge settings. */
export function GeneralForm({ repository, values, problem, formToken }: GeneralProps): Html {
  const settings = useTexts(repoSettingsTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = settings.general;
  const switches = (names: readonly Switch[]): Html =>
    names.map((name) =>
      unavailable.has(name) ? values[name] && <KeptField name={name} value="true" /> : <CheckBox name={name} label={texts[name]} isChecked={values[name]} />,
    );
  return (
    <Form action={settingsPath(repository)} formToken={formToken} problem={problem}>
      <Field name="name" maxLength={lengths.repositoryName} label={texts.name} value={values.name} hint={texts.nameHint} names="item" autocomplete="off" />
      <OptionalField
        name="description"
        maxLength={lengths.repositoryDescription}
        label={texts.description}
        hint={texts.descriptionHint}
        value={values.description}
      />
      <Field
        name="website"
        type="url"
        maxLength={lengths.repositoryWebsite}
        label={texts.website}
        hint={texts.websiteHint}
        value={values.website}
        autocomplete="off"
        isOptional
      />
      <OptionalField name="default_branch" label={texts.defaultBranch} hint={texts.defaultBranchHint} value={values.default_branch} />
      <CheckBox name="template" label={texts.isTemplate} hint={texts.isTemplateHint} isChecked={values.template} />
      <Group legend={texts.units} hint={texts.unitsHint}>
        <div class="beside">{switches(unitSwitches)}</div>
        <div class="beside">
          <Place name="issues" value={values.issues} />
          <Place name="wiki" value={values.wiki} />
        </div>
      </Group>
      <Group legend={texts.internalTracker}>{switches(trackerSwitches)}</Group>
      <Elsewhere values={values} />
      <Group legend={texts.merging} hint={texts.mergingHint}>
        <div class="beside">{switches(mergeWays)}</div>
        <Choice name="default_merge_style" label={texts.default_merge_style} value={values.default_merge_style} options={Object.entries(texts.styles)} />
        {switches(mergeSwitches)}
      </Group>
      <Submit label={forms.save} />
    </Form>
  );
}

export interface TopicsProps {
  readonly repository: RepositoryName;
  /** As submitted, separated by spaces. */
  readonly topics: string;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function TopicsForm({ repository, topics, problem, formToken }: TopicsProps): Html {
  const settings = useTexts(repoSettingsTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = settings.topics;
  return (
    <section>
      <h2>{texts.title}</h2>
      <Form action={settingsPath(repository, "/topics")} formToken={formToken} name="topics" problem={problem}>
        <OptionalField name="topics" label={texts.label} hint={texts.hint} value={topics} />
        <div>
          <button type="submit">{forms.save}</button>
        </div>
      </Form>
    </section>
  );
}

function Place({ name, value }: { readonly name: "issues" | "wiki"; readonly value: string }): Html {
  const { general } = useTexts(repoSettingsTexts);
  return <Choice name={name} label={general[name]} value={value} options={Object.entries(general.places)} />;
}

function Elsewhere({ values }: { readonly values: GeneralValues }): Html {
  const texts = useTexts(repoSettingsTexts).general;
  const field = (name: Exclude<(typeof externalTexts)[number], "external_tracker_style">, hint?: string): Html => (
    <OptionalField name={name} label={texts[name]} value={values[name]} hint={hint} />
  );
  return (
    <details class="more" open={values.issues === "external" || values.wiki === "external"}>
      <summary>{texts.elsewhere}</summary>
      <div class="stack">
        {field("external_tracker_url")}
        {field("external_tracker_format", texts.external_tracker_format_hint)}
        <Choice
          name="external_tracker_style"
          label={texts.external_tracker_style}
          value={values.external_tracker_style}
          options={Object.entries(texts.trackerStyles)}
        />
        {field("external_tracker_regexp_pattern")}
        {field("external_wiki_url")}
      </div>
    </details>
  );
}

export interface DangerProps {
  readonly repository: RepositoryName & { readonly isArchived: boolean; readonly isPrivate: boolean; readonly wikiStoreId: number | null };
  readonly isOwner: boolean;
  readonly keptDays: number;
  readonly formToken: string;
}

/** Actions that are hard to undo. */
export function DangerZone({ repository, isOwner, keptDays, formToken }: DangerProps): Html {
  const { danger } = useTexts(repoSettingsTexts);
  const path = settingsPath(repository);
  const [verb, hint] = repository.isArchived ? [danger.unarchive, danger.unarchiveHint] : [danger.archive, danger.archiveHint];
  const of = `${repository.ownerName}/${repository.name}`;
  const link = (href: string, text: string): Html => (
    <a class="button" href={href}>
      {text}
    </a>
  );
  return (
    <section>
      <h2>{danger.title}</h2>
      <div class="danger-zone">
        <Rows>
          <Row action={link(`${path}/visibility`, danger.visibility)}>
            <What title={danger.visibility} hint={repository.isPrivate ? danger.isPrivate : danger.isPublic} />
          </Row>
          <Row action={<Do action={`${path}/${repository.isArchived ? "unarchive" : "archive"}`} formToken={formToken} label={verb} of={of} isDanger />}>
            <What title={verb} hint={hint} />
          </Row>
          {isOwner && (
            <Row action={link(`${path}/transfer`, danger.transfer)}>
              <What title={danger.transfer} hint={danger.transferHint} />
            </Row>
          )}
          {isOwner && repository.wikiStoreId !== null && (
            <Row action={link(`${path}/wiki/delete`, danger.deleteWiki)}>
              <What title={danger.deleteWiki} hint={danger.deleteWikiHint} />
            </Row>
          )}
          {isOwner && (
            <Row action={link(`${path}/delete`, danger.delete)}>
              <What title={danger.delete} hint={danger.deleteHint(keptDays)} />
            </Row>
          )}
        </Rows>
      </div>
    </section>
  );
}

const What = ({ title, hint }: { readonly title: string; readonly hint: string }): Html => (
  <>
    <strong>{title}</strong>
    <div class="soft">{hint}</div>
  </>
);

export interface ConfirmedProps {
  readonly repository: RepositoryName;
  readonly action: string;
  /** Explains the effects. */
  readonly warning: string;
  readonly label: string;
  readonly isDanger?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly typed: string;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** A form for an action that is hard to undo: users confirm it with the name of the repository. */
export function ConfirmedForm({ repository, action, warning, label, isDanger, hidden, typed, problem, formToken }: ConfirmedProps): Html {
  const settings = useTexts(repoSettingsTexts);
  const { forms } = useTexts(sharedTexts);
  const fullName = `${repository.ownerName}/${repository.name}`;
  return (
    <>
      <p>{warning}</p>
      <Form action={action} formToken={formToken} problem={problem} {...(hidden && { hidden })}>
        <Field name="confirmation" label={settings.danger.confirm(fullName)} value={typed} autocomplete="off" hasFocus />
        <div class="bar">
          <Submit label={label} {...(isDanger && { isDanger })} />
          <a href={settingsPath(repository)}>{forms.cancel}</a>
        </div>
      </Form>
    </>
  );
}
