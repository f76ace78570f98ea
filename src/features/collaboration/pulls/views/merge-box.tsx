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
        {offers && outlook.styles.length > 0 && <MergeForm {...props} formToken={formToken} />}
      </div>
    </section>
  );
}

/** Verdicts that are not dismissed; change requests are shown even if no rule requires approvals. */
function Verdicts({ standings }: MergeBoxProps): Html {
  const texts = useTexts(mergeTexts);
  const named = (kind: "approve" | "reject"): readonly ReviewerStanding[] => standings.filter((one) => one.kind === kind);
  const people = (ones: readonly ReviewerStanding[]): Html => ones.map(({ reviewer }, at) => [at > 0 && ", ", <Person user={reviewer} />]);
  const [rejecting, approving] = [named("reject"), named("approve")];
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
      return (
        <>
          <p>{texts.blocked}</p>
          <Requirements outlook={outlook} />
        </>
      );
    case "ready":
      return (
        <>
          <p>
            <span class="plus">
              <Icon name="check-circle" />
            </span>{" "}
            {texts.ready}
          </p>
          <Requirements outlook={outlook} />
        </>
      );
  }
}

/** The unmet requirements with the missing items, and the rules that are met. The right to merge has a sentence of its own. */
function Requirements({ outlook }: Pick<MergeBoxProps, "outlook">): Html {
  const shown = outlook.requirements.filter(({ code, isMet }) => (isMet ? code in useTexts(mergeTexts).met : code !== "right"));
  return (
    shown.length > 0 && <ul class="plain-list">{shown.map((one) => (one.isMet ? <MetRule requirement={one} /> : <UnmetRequirement requirement={one} />))}</ul>
  );
}

function MetRule({ requirement: { code, count } }: { readonly requirement: Requirement }): Html {
  const texts = useTexts(mergeTexts);
  return (
    <li>
      <span class="plus">
        <Icon name="check" />
      </span>{" "}
      {texts.met[code as keyof typeof texts.met]} {count && texts.approvalCount(count.given, count.required)}
    </li>
  );
}

function UnmetRequirement({ requirement: { code, problem, items, count } }: { readonly requirement: Requirement }): Html {
  const texts = useTexts(mergeTexts);
  return (
    <li>
      <span class="minus">
        <Icon name="alert" />
      </span>{" "}
      {code === "no-conflict" && items.length > 0
        ? texts.conflict
        : sayProblem(useTexts(sharedTexts), { message: problem, reason: reasonsOfRequirements[code] })}{" "}
      {count && texts.approvalCount(count.given, count.required)}
      {items.length > 0 && (
        <ul>
          {items.slice(0, maxItems).map((item) => (
            <li>
              <code>{item}</code>
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
      <span class="soft">{texts.behind}</span>
      {outlook.updates.map((style) => (
        <button class="small" type="submit" name="style" value={style}>
          {texts.updates[style]}
        </button>
      ))}
    </form>
  );
}

/** Contains the head that the reader has seen: another head is not merged. */
function MergeForm({ repository, pull, outlook, formToken, refused }: FormProps): Html {
  const texts = useTexts(mergeTexts);
  const isReady = outlook.state === "ready";
  const { deletesBranch } = outlook;
  return (
    <Form action={`${pullPath(repository, pull.number)}/merge`} formToken={formToken} hidden={{ head_commit_id: pull.headOid }}>
      <Choice
        name="style"
        label={texts.style}
        value={refused?.style || (outlook.defaultStyle ?? "")}
        options={outlook.styles.map((style) => [style, texts.styles[style]] as const)}
      />
      <details class="folded" open={`${refused?.title ?? ""}${refused?.message ?? ""}` !== ""}>
        <summary>{texts.words}</summary>
        <div class="stack">
          <OptionalField name="title" label={texts.messageTitle} value={refused?.title ?? ""} hint={texts.messageTitleHint} />
          <TextArea name="message" label={texts.message} value={refused?.message ?? ""} rows={3} />
        </div>
      </details>
      {deletesBranch !== undefined && (
        <CheckBox name="delete_branch" label={texts.deleteBranch(deletesBranch.branch)} isChecked={refused?.deletesBranch ?? deletesBranch.byDefault} />
      )}
      <div class="bar">
        {isReady && (
          <button class="primary merge" type="submit" name="action" value="merge">
            {texts.merge}
          </button>
        )}
        {!isReady && !outlook.isWaiting && (
          <button class="primary" type="submit" name="action" value="schedule">
            {texts.schedule}
          </button>
        )}
        {!isReady && outlook.canForce && (
          <button type="submit" name="action" value="force">
            {texts.force}
          </button>
        )}
      </div>
    </Form>
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
