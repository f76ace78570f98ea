import type { Explained } from "../../../../core/reasons.ts";
import { branchesPath, commitPath, pickPath, pullPath, type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import { Refusal } from "../../../../ui/form-problems.tsx";
import { CheckBox, Choice, Form, OptionalField, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { sayProblem } from "../../../../ui/refusals.ts";
import { Do } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { Person } from "../../issues/views/person.tsx";
import { commandsOf } from "../command-line.ts";
import type { DefaultMessages } from "../merge-message.ts";
import { type Mergeability, type Requirement, reasonsOfRequirements } from "../mergeability.ts";
import type { PullView } from "../model.ts";
import type { ReviewerStanding } from "../reviewing.ts";
import { mergeTexts, pullTexts } from "../texts/texts.ts";

/** Rejected input of the merge form, with the reason. */
export interface RefusedMerge {
  readonly problem: Explained | string;
  readonly style: string;
  readonly title: string;
  readonly message: string;
  readonly deletesBranch: boolean;
}

export interface MergeBoxProps {
  /** Default messages of the styles, if the reader can merge it. */
  readonly messages: DefaultMessages;
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly outlook: Mergeability;
  readonly formToken: string | undefined;
  readonly refused?: RefusedMerge | undefined;
  /** Why updating the head or reverting failed. */
  readonly refusedStep?: Explained | string | undefined;
  readonly canRevert: boolean;
  /** Whether the reader can mark it as ready. */
  readonly canEdit: boolean;
  readonly standings: readonly ReviewerStanding[];
  readonly now: number;
}

/** Mergeability, with the merge form for readers who can merge. */
export function MergeBox(props: MergeBoxProps): Html {
  const texts = useTexts(mergeTexts);
  const { outlook, formToken, refused } = props;
  const isOpen = outlook.state !== "merged" && outlook.state !== "closed";
  const isDraft = outlook.requirements.some(({ code, isMet }) => code === "ready-for-review" && !isMet) && isOpen;
  const offers = outlook.canMerge && formToken !== undefined && (outlook.state === "ready" || outlook.canWait);
  return (
    <section class="box" id="merging">
      <header>
        <Icon name="git-merge" />
        <h2>{texts.title}</h2>
      </header>
      <div class="within">
        {refused !== undefined && <Refusal problem={refused.problem} />}
        <Standing {...props} />
        {isOpen && <Verdicts {...props} />}
        {props.refusedStep !== undefined && <Refusal problem={props.refusedStep} />}
        {formToken !== undefined && outlook.state === "merged" && <AfterMerge {...props} formToken={formToken} />}
        {formToken !== undefined && isDraft && props.canEdit && <MakeReady {...props} formToken={formToken} />}
        {formToken !== undefined && outlook.updates.length > 0 && <Updating {...props} formToken={formToken} />}
        {outlook.isWaiting && (
          <p>
            <Icon name="clock" /> {texts.waits}
          </p>
        )}
        {isOpen && !outlook.canMerge && formToken !== undefined && <p class="soft">{texts.noRight}</p>}
        {offers && outlook.styles.length === 0 && <p class="soft">{texts.noStyle}</p>}
        {formToken !== undefined && outlook.canCancel && <CancelForm {...props} formToken={formToken} />}
        {offers && outlook.styles.length > 0 && <Merging {...props} formToken={formToken} />}
        {isOpen && props.pull.headTipOid !== null && <CommandLine pull={props.pull} canMerge={outlook.canMerge} />}
      </div>
    </section>
  );
}

/** Verdicts that are not dismissed, apart from approvals that do not count; change requests are shown even if no rule requires approvals. */
function Verdicts({ standings, outlook }: MergeBoxProps): Html {
  const texts = useTexts(mergeTexts);
  const uncounted = new Set(outlook.requirements.flatMap((one) => one.uncounted ?? []).map(({ name }) => name));
  const people = (ones: readonly ReviewerStanding[]): Html => ones.map(({ reviewer }, at) => [at > 0 && ", ", <Person user={reviewer} />]);
  const rejecting = standings.filter(({ kind }) => kind === "reject");
  const approving = standings.filter(({ kind, reviewer }) => kind === "approve" && !uncounted.has(reviewer.name));
  return (
    <>
      {rejecting.length > 0 && (
        <p>
          <span class="minus">
            <Icon name="x" />
          </span>{" "}
          {texts.askedForChanges} {people(rejecting)}
        </p>
      )}
      {approving.length > 0 && (
        <p>
          <span class="plus">
            <Icon name="check" />
          </span>{" "}
          {texts.approvedBy} {people(approving)}
        </p>
      )}
    </>
  );
}

/** The state as a sentence. */
function Standing({ repository, pull, outlook, now }: MergeBoxProps): Html {
  const texts = useTexts(mergeTexts);
  switch (outlook.state) {
    case "merged":
      return (
        pull.merged && (
          <p>
            <Icon name="git-merge" /> {texts.merged(pull.baseBranch)} {texts.mergedBy} <Person user={pull.merger} avatarSize={20} />
            {", "}
            <Ago ms={pull.merged.mergedMs} now={now} />
            {": "}
            <a class="oid" href={commitPath(repository, pull.merged.commitOid)}>
              {pull.merged.commitOid.slice(0, 10)}
            </a>
          </p>
        )
      );
    case "closed":
      return <p class="soft">{texts.closed}</p>;
    case "blocked":
    case "ready":
      return (
        <>
          <p>
            <strong>{outlook.state === "ready" ? texts.ready : texts.blocked}</strong>
          </p>
          <Requirements outlook={outlook} />
        </>
      );
  }
}

/** The unmet requirements with the missing items, and the rules that are met. The right to merge has a sentence of its own. */
function Requirements({ outlook }: Pick<MergeBoxProps, "outlook">): Html {
  const { met } = useTexts(mergeTexts);
  const shown = outlook.requirements.filter(({ code, isMet }) => (isMet ? code in met : code !== "right"));
  return (
    shown.length > 0 && (
      <ul class="plain-list requirements">{shown.map((one) => (one.isMet ? <MetRule requirement={one} /> : <UnmetRequirement requirement={one} />))}</ul>
    )
  );
}

function MetRule({ requirement }: { readonly requirement: Requirement }): Html {
  const texts = useTexts(mergeTexts);
  return (
    <li>
      <span class="plus">
        <Icon name="check" />
      </span>{" "}
      {texts.met[requirement.code as keyof typeof texts.met]} <Approvals requirement={requirement} />
    </li>
  );
}

/** The number of approvals that count, and those that do not count with the reasons. */
function Approvals({ requirement: { count, uncounted = [] } }: { readonly requirement: Requirement }): Html {
  const texts = useTexts(mergeTexts);
  return (
    <>
      {count && texts.approvalCount(count.given, count.required)}
      {uncounted.length > 0 && (
        <ul>
          {uncounted.slice(0, maxItems).map(({ name, reason }) => (
            <li class="soft">{texts.uncounted(name, texts.uncountedReasons[reason])}</li>
          ))}
          {uncounted.length > maxItems && <li>{texts.moreItems(uncounted.length - maxItems)}</li>}
        </ul>
      )}
    </>
  );
}

function UnmetRequirement({ requirement }: { readonly requirement: Requirement }): Html {
  const texts = useTexts(mergeTexts);
  const { code, problem, items, unreported = [] } = requirement;
  return (
    <li>
      <span class="minus">
        <Icon name="alert" />
      </span>{" "}
      {code === "no-conflict" && items.length > 0
        ? texts.conflict
        : sayProblem(useTexts(sharedTexts), { message: problem, reason: reasonsOfRequirements[code] })}{" "}
      <Approvals requirement={requirement} />
      {items.length > 0 && (
        <ul>
          {items.slice(0, maxItems).map((item) => (
            <li>
              <code>{item}</code>
              {unreported.includes(item) && ` (${texts.unreported})`}
            </li>
          ))}
          {items.length > maxItems && <li>{texts.moreItems(items.length - maxItems)}</li>}
        </ul>
      )}
    </li>
  );
}

/** Items shown of one requirement. */
const maxItems = 100;

interface FormProps extends MergeBoxProps {
  readonly formToken: string;
}

function MakeReady({ repository, pull, formToken }: FormProps): Html {
  const texts = useTexts(mergeTexts);
  return (
    <Do action={`${pullPath(repository, pull.number)}/draft`} formToken={formToken} label={texts.makeReady} of={pull.issue.title} hidden={{ draft: "false" }} />
  );
}

/** Actions after a merge: delete the branch, revert, cherry-pick. */
function AfterMerge({ repository, pull, outlook, canRevert, formToken }: FormProps): Html {
  const texts = useTexts(mergeTexts);
  const picking = useTexts(pullTexts);
  const path = pullPath(repository, pull.number);
  const isGone = pull.flow === "branch" && pull.headTipOid === null && pull.headRepository?.id === pull.repoId;
  return (
    <div class="bar">
      {outlook.deletesBranch !== undefined && (
        <Do action={`${path}/branch/delete`} formToken={formToken} label={texts.deleteBranchNow} of={outlook.deletesBranch.branch} />
      )}
      {canRevert && <Do action={`${path}/revert`} formToken={formToken} label={picking.revert} of={pull.issue.title} />}
      {canRevert && pull.merged !== null && (
        <a class="button" href={pickPath(repository, pull.merged.commitOid)}>
          {texts.carryOver}
        </a>
      )}
      {canRevert && isGone && <a href={withQuery(branchesPath(repository), { deleted: pull.headBranch })}>{texts.restoreBranch}</a>}
    </div>
  );
}

/** Updates the head from its base; conflicts are resolved on their own page. */
function Updating({ repository, pull, outlook, formToken }: FormProps): Html {
  const texts = useTexts(mergeTexts);
  const path = pullPath(repository, pull.number);
  if (outlook.requirements.some(({ code, isMet }) => code === "no-conflict" && !isMet))
    return (
      <p>
        <a class="button" href={`${path}/conflicts`}>
          {texts.resolve}
        </a>
      </p>
    );
  return (
    <form class="bar" method="post" action={`${path}/update`}>
      <FormToken value={formToken} />
      {!outlook.requirements.some(({ code, isMet }) => code === "up-to-date" && !isMet) && <span class="soft">{texts.behind}</span>}
      {outlook.updates.map((style) => (
        <button class="small" type="submit" name="style" value={style}>
          {texts.updates[style]}
        </button>
      ))}
    </form>
  );
}

/** While a merge is scheduled, the form can only bypass the rules. */
function Merging(props: FormProps): Html {
  const { outlook, refused } = props;
  const texts = useTexts(mergeTexts);
  if (!outlook.isWaiting || outlook.state === "ready") return <MergeForm {...props} />;
  if (!outlook.canForce) return null;
  return (
    <details class="folded" open={refused !== undefined}>
      <summary>{texts.bypass}</summary>
      <MergeForm {...props} />
    </details>
  );
}

/**
 * Contains the head that the reader has seen: another head is not merged. The message is that of the selected style; if it is unchanged
 * and the reader selects another style, the merge uses the default of that one.
 */
function MergeForm({ repository, pull, outlook, messages, formToken, refused }: FormProps): Html {
  const texts = useTexts(mergeTexts);
  const isReady = outlook.state === "ready";
  const { deletesBranch } = outlook;
  const style = outlook.styles.find((one) => one === refused?.style) ?? outlook.defaultStyle;
  const filled = (style && messages.get(style)) ?? { title: "", message: "" };
  const defaults = Object.fromEntries(messages);
  return (
    <Form
      action={`${pullPath(repository, pull.number)}/merge`}
      formToken={formToken}
      hidden={{ head_commit_id: pull.headOid, filled_title: filled.title, filled_message: filled.message }}
    >
      <div class="stack" data-messages={JSON.stringify(defaults)}>
        <Choice name="style" label={texts.style} value={style ?? ""} options={outlook.styles.map((one) => [one, texts.styles[one]] as const)} />
        <details class="folded" open={refused !== undefined && `${refused.title}${refused.message}` !== ""}>
          <summary>{texts.words}</summary>
          <div class="stack">
            <OptionalField name="title" label={texts.messageTitle} value={refused?.title || filled.title} hint={texts.messageTitleHint} />
            <TextArea name="message" label={texts.message} value={refused?.message || filled.message} rows={4} />
          </div>
        </details>
      </div>
      {deletesBranch !== undefined && (
        <CheckBox name="delete_branch" label={texts.deleteBranch(deletesBranch.branch)} isChecked={refused?.deletesBranch ?? deletesBranch.byDefault} />
      )}
      {(isReady || !outlook.isWaiting) && (
        <div class="bar">
          <button class="primary merge" type="submit" name="action" value={isReady ? "merge" : "schedule"}>
            {isReady ? texts.merge : texts.schedule}
          </button>
        </div>
      )}
      {!isReady && outlook.canForce && (
        <CheckBox name="bypass" label={texts.bypass} isChecked={false} hint={texts.bypassHint}>
          <div>
            <button class="danger" type="submit" name="action" value="force">
              {texts.force}
            </button>
          </div>
        </CheckBox>
      )}
    </Form>
  );
}

/** Commands to check out the head, and to merge it in a clone. */
function CommandLine({ pull, canMerge }: { readonly pull: PullView; readonly canMerge: boolean }): Html {
  const texts = useTexts(mergeTexts);
  const { checkOut, merge } = commandsOf(pull);
  return (
    <details class="folded">
      <summary>{texts.commandLine}</summary>
      <div class="markdown">
        <p>{texts.checkOutHint}</p>
        <pre tabIndex={0}>{checkOut}</pre>
        {canMerge && <p>{texts.mergeLocallyHint}</p>}
        {canMerge && <pre tabIndex={0}>{merge}</pre>}
      </div>
    </details>
  );
}

function CancelForm({ repository, pull, formToken }: FormProps): Html {
  const texts = useTexts(mergeTexts);
  return (
    <Form action={`${pullPath(repository, pull.number)}/merge/cancel`} formToken={formToken}>
      <div>
        <button type="submit">{texts.cancel}</button>
      </div>
    </Form>
  );
}
