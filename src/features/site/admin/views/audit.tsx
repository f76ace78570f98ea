import { accountPath, organizationPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { Choice, Field, OptionalField } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { type TextsOf, useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import type { AuditEntry } from "../../audit/model.ts";
import type { AuditSentence } from "../texts/audit/sentences.ts";
import { adminTexts, auditTexts } from "../texts/texts.ts";

/** The values of the search form. */
export interface AuditFilter {
  readonly actor: string;
  readonly account: string;
  readonly action: string;
  /** Days in UTC, `YYYY-MM-DD`, both included. */
  readonly since: string;
  readonly until: string;
}

/** Why the days of a filter are not applied, or match nothing. */
export type AuditProblem = { readonly kind: "not_a_day"; readonly day: string } | { readonly kind: "swapped" };

export interface AuditProps {
  readonly path: string;
  /** The download of all entries that match. */
  readonly exportPath: string;
  readonly entries: readonly AuditEntry[];
  readonly filter: AuditFilter;
  readonly problem?: AuditProblem | undefined;
  /** The cursor for older entries; null if there are none. */
  readonly next: number | null;
}

/** The audit log page. */
export function AuditView({ path, exportPath, entries, filter, problem, next }: AuditProps): Html {
  const texts = useTexts(adminTexts);
  const auditing = useTexts(auditTexts);
  return (
    <>
      <form class="find" action={path} role="search">
        <OptionalField name="actor" label={texts.who} value={filter.actor} />
        <OptionalField name="account" label={texts.whom} value={filter.account} />
        <Choice name="action" label={texts.action} value={filter.action} options={actionOptions(auditing, filter.action)} />
        <Field name="since" label={texts.since} type="date" value={dayOf(filter.since)} autocomplete="off" isOptional />
        <Field name="until" label={texts.until} type="date" value={dayOf(filter.until)} autocomplete="off" isOptional />
        <button type="submit">{texts.findButton}</button>
      </form>
      {problem !== undefined && <p class="notice bad">{problem.kind === "swapped" ? texts.swappedDays : texts.notADay(problem.day)}</p>}
      {entries.length > 0 && (
        <p class="bar">
          <a class="button end" href={withQuery(exportPath, { ...filter })} download>
            <Icon name="download" />
            {texts.exportEntries}
          </a>
        </p>
      )}
      {entries.length === 0 && (
        <Empty icon="search" title={texts.noEntries}>
          <p>
            <a href={path}>{texts.allEntries}</a>
          </p>
        </Empty>
      )}
      <Rows>
        {entries.map((entry) => (
          <Row>
            <Entry entry={entry} ofAction={withQuery(path, { ...filter, action: entry.action })} />
          </Row>
        ))}
      </Rows>
      {next !== null && (
        <p>
          <a href={withQuery(path, { ...filter, cursor: next })}>{texts.older}</a>
        </p>
      )}
    </>
  );
}

/** Browsers report other values of a date field as errors. */
const dayOf = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : "");

export interface OrganizationAuditProps {
  readonly path: string;
  readonly entries: readonly AuditEntry[];
  readonly action: string;
  readonly next: number | null;
}

/** The audit log of an organization. */
export function OrganizationAuditView({ path, entries, action, next }: OrganizationAuditProps): Html {
  const texts = useTexts(adminTexts);
  return (
    <>
      <p class="soft">{texts.organizationAuditHint}</p>
      {action !== "" && (
        <p>
          <code>{action}</code> <a href={path}>{texts.allEntries}</a>
        </p>
      )}
      {entries.length === 0 && <Empty icon="search" title={texts.noEntries} />}
      <Rows>
        {entries.map((entry) => (
          <Row>
            <Entry entry={entry} ofAction={withQuery(path, { action: entry.action })} />
          </Row>
        ))}
      </Rows>
      {next !== null && (
        <p>
          <a href={withQuery(path, { action: action || undefined, cursor: next })}>{texts.older}</a>
        </p>
      )}
    </>
  );
}

/** Options by subject, plus a single action if a link requested one. */
function actionOptions({ subjects, everything }: TextsOf<typeof auditTexts>, chosen: string): (readonly [string, string])[] {
  const options: (readonly [string, string])[] = [["", everything], ...Object.entries(subjects)];
  return options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];
}

function Entry({ entry, ofAction }: { readonly entry: AuditEntry; readonly ofAction: string }): Html {
  const texts = useTexts(adminTexts);
  const auditing = useTexts(auditTexts);
  const { createdMs, action, actor, actingAs, carrier, address } = entry;
  const way = ownText<string>(auditing.carriers, carrier) ?? carrier;
  return (
    <>
      <div>{sentenceOf(entry, auditing)}</div>
      {changesOf(entry, auditing).map((line) => (
        <div class="soft">
          <code>{line}</code>
        </div>
      ))}
      <div class="soft">
        <Moment ms={createdMs} />
        {", "}
        {actor.name === "" ? texts.system : <AccountLink {...actor} />}
        {actingAs !== null && (
          <>
            {` ${texts.as} `}
            <AccountLink {...actingAs} />
          </>
        )}
        {carrier !== "system" && ` ${way}`}
        {address !== "" && ` ${auditing.from(address)}`}{" "}
        <a class="mark" href={ofAction} title={auditing.onlyThis(action)}>
          <code>{action}</code>
        </a>
      </div>
    </>
  );
}

const AccountLink = ({ name }: { readonly name: string }): Html => <a href={accountPath(name)}>{name}</a>;

/** An entry as a sentence; its raw names if it has no sentence. */
function sentenceOf(entry: AuditEntry, texts: TextsOf<typeof auditTexts>): Html {
  const { action, target, account, details } = entry;
  const it = <strong>{target.name === "" ? texts.server : <Linked name={target.name} path={pathOf(entry)} />}</strong>;
  const whom = account !== null && (
    <strong>
      <Linked name={account.name} path={gone.has(action) ? undefined : accountPath(account.name)} />
    </strong>
  );
  const sentence = ownText<AuditSentence>(texts.sentences, action);
  if (sentence === undefined)
    return (
      <>
        <code>{action}</code> {it} {whom}
      </>
    );
  const fact = (name: string): string => inWords(details[name], texts);
  return sentence<Html>({ it, whom, fact, right: (name) => ownText<string>(texts.rights, fact(name)) ?? fact(name) });
}

/** An own property of a catalogue, for untrusted keys. */
const ownText = <T,>(catalogue: Readonly<Record<string, T>>, word: string): T | undefined => (Object.hasOwn(catalogue, word) ? catalogue[word] : undefined);

const Linked = ({ name, path }: { readonly name: string; readonly path: string | undefined }): Html => (path === undefined ? name : <a href={path}>{name}</a>);

/** Actions that delete their target. */
const gone: ReadonlySet<string> = new Set<keyof TextsOf<typeof auditTexts>["sentences"]>(["account.deleted", "team.deleted", "repo.deleted", "repo.purged"]);

/** The page of the target, under its name at that time; undefined if the action deleted it or it has no page. */
function pathOf({ action, target: { kind, name } }: AuditEntry): string | undefined {
  if (gone.has(action)) return undefined;
  switch (kind) {
    case "user":
    case "organization":
    case "account":
      return accountPath(name);
    case "repository":
    case "hook":
      return name.split("/").map(accountPath).join("");
    case "team": {
      const [organization = "", team = ""] = name.split(":", 2);
      return organizationPath(organization, `/teams${accountPath(team)}`);
    }
    default:
      return undefined;
  }
}

/** A detail as text; empty if absent. */
function inWords(value: unknown, { yes }: TextsOf<typeof auditTexts>): string {
  if (value === true) return yes;
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Changed fields with their old and new values. */
function changesOf({ details }: AuditEntry, texts: TextsOf<typeof auditTexts>): string[] {
  const { changes } = details;
  if (typeof changes !== "object" || changes === null) return [];
  const shown = (value: unknown): string => (value === false ? texts.no : inWords(value, texts) || texts.nothing);
  return Object.entries(changes).map(([field, change]) => (Array.isArray(change) ? texts.was(field, shown(change[0]), shown(change[1])) : field));
}
