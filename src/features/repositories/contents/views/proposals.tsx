import type { PlainReason } from "../../../../core/reasons.ts";
import { shellWord } from "../../../../core/shell-word.ts";
import { comparePath, pullsOfBranchPath, type RepositoryName, repositoryPath, settingsPath, sourcePath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { codeTexts } from "../texts/texts.ts";

/** A branch that the reader has pushed and not yet proposed. */
export interface RecentPush extends RepositoryName {
  readonly branch: string;
  readonly pushedMs: number;
}

/** The reader's recently pushed branches, each with a link to propose it. */
export function RecentPushes({ place, pushes, now }: { readonly place: RepositoryName; readonly pushes: readonly RecentPush[]; readonly now: number }): Html {
  const texts = useTexts(codeTexts);
  return pushes.map(({ branch, pushedMs, ...repository }) => (
    <p class="notice bar recent-push">
      <span>
        <Icon name="git-branch" />{" "}
        <bdi>
          <strong>{repository.ownerName === place.ownerName ? branch : `${repository.ownerName}:${branch}`}</strong>
        </bdi>{" "}
        {texts.recentPush} <Ago ms={pushedMs} now={now} />
      </span>
      <a class="button end" href={pullsOfBranchPath(repository, branch)}>
        {texts.compareAndPull}
      </a>
    </p>
  ));
}

export interface ForkBarProps {
  readonly fork: RepositoryName;
  readonly branch: string;
  readonly state: {
    readonly parent: RepositoryName & { readonly takesPulls: boolean };
    readonly parentBranch: string;
    readonly divergence: { readonly ahead: number; readonly behind: number } | undefined;
  };
  /** Undefined: the reader cannot push to the branch. */
  readonly formToken: string | undefined;
}

export interface SyncResultProps extends Pick<ForkBarProps, "fork" | "branch" | "state"> {
  /** The number of new commits, or the reason why it was refused; undefined if the branch was not just updated. */
  readonly result: string | undefined;
  readonly parentUrl: string;
}

/** The result of an update of a branch of a fork from its parent. After a refusal, the next steps, as long as the branch lacks commits. */
export function SyncResult(props: SyncResultProps): Html {
  const texts = useTexts(codeTexts);
  const { state, result = "" } = props;
  const { parent, divergence } = state;
  if (/^\d{1,9}$/.test(result))
    return (
      <p class="notice good" role="status">
        {texts.synced(`${parent.ownerName}/${parent.name}`, Number(result))}
      </p>
    );
  if (divergence?.behind === 0) return null;
  if (result !== "merge_conflict") return <SyncRefusal {...props} />;
  return divergence?.ahead === 0 ? null : <SyncConflict {...props} />;
}

function SyncConflict({ fork, branch, state: { parent, parentBranch }, parentUrl }: SyncResultProps): Html {
  const texts = useTexts(codeTexts);
  const upstream = `${parent.ownerName}:${parentBranch}`;
  const [ours, theirs] = [shellWord(branch), shellWord(parentBranch)];
  return (
    <div class="notice bad" role="alert">
      <p>{texts.syncConflict(upstream)}</p>
      <p>{texts.syncConflictNext}</p>
      <pre tabIndex={0}>{`git checkout ${ours}\ngit pull --no-rebase ${shellWord(parentUrl)} ${theirs}\ngit push origin ${ours}`}</pre>
      <p>
        <PullFromParent fork={fork} branch={branch} upstream={upstream} />
      </p>
    </div>
  );
}

function PullFromParent({ fork, branch, upstream }: { readonly fork: RepositoryName; readonly branch: string; readonly upstream: string }): Html {
  const texts = useTexts(codeTexts);
  return (
    <a class="button" href={comparePath(fork, `${branch}...${upstream}`)}>
      <Icon name="git-pull-request" />
      {texts.syncPull(upstream)}
    </a>
  );
}

/** Refusals that no pull request avoids. */
const refusesAll = new Set(["busy", "repository_archived", "owner_storage_limit"]);

function SyncRefusal({ fork, branch, state: { parent, parentBranch }, result = "" }: SyncResultProps): Html {
  const texts = useTexts(codeTexts);
  const { reasons } = useTexts(sharedTexts).forms;
  const isKnown = (name: string): name is PlainReason => Object.hasOwn(reasons, name) && typeof reasons[name as PlainReason] === "string";
  const why = result === "owner_storage_limit" ? texts.syncNoRoom(fork.ownerName) : isKnown(result) && reasons[result];
  if (!why) return null;
  return (
    <div class="notice bad" role="alert">
      <p>{`${texts.syncRefused} ${why}`}</p>
      {result === "repository_archived" && (
        <p>
          <a href={settingsPath(fork)}>{texts.syncUnarchive}</a>
        </p>
      )}
      {!refusesAll.has(result) && (
        <p>
          <PullFromParent fork={fork} branch={branch} upstream={`${parent.ownerName}:${parentBranch}`} />
        </p>
      )}
    </div>
  );
}

/** How far a branch of a fork differs from its parent, with the actions to update and to propose it. */
export function ForkBar({ fork, branch, state, formToken }: ForkBarProps): Html {
  const texts = useTexts(codeTexts);
  const { parent, parentBranch, divergence } = state;
  const upstream = `${parent.ownerName}:${parentBranch}`;
  const isSame = divergence?.ahead === 0 && divergence.behind === 0;
  return (
    <div class="box bar fork-bar">
      <span>
        <Icon name="git-compare" />{" "}
        {divergence === undefined
          ? texts.forkDiverged
          : isSame
            ? texts.forkSame
            : (
                [
                  [divergence.ahead, comparePath(parent, `${parentBranch}...${fork.ownerName}:${branch}`), texts.forkAhead(divergence.ahead)],
                  [divergence.behind, comparePath(fork, `${branch}...${upstream}`), texts.forkBehind(divergence.behind)],
                ] as const
              )
                .filter(([count]) => count > 0)
                .map(([, href, words], index) => (
                  <>
                    {index > 0 && ", "}
                    <a href={href}>{words}</a>
                  </>
                ))}{" "}
        <a href={sourcePath(parent, { kind: "branch", rev: parentBranch })}>
          <bdi>
            <code>{upstream}</code>
          </bdi>
        </a>
      </span>
      <span class="bar end">
        {parent.takesPulls && divergence?.ahead !== 0 && (
          <a class="button small" href={pullsOfBranchPath(fork, branch)}>
            <Icon name="git-pull-request" />
            {texts.contribute}
          </a>
        )}
        {formToken !== undefined && divergence?.behind !== 0 && (
          <form method="post" action={`${repositoryPath(fork)}/sync`}>
            <FormToken value={formToken} />
            <input type="hidden" name="branch" value={branch} />
            <button class="small" type="submit">
              <Icon name="sync" />
              {texts.syncFork}
            </button>
          </form>
        )}
      </span>
    </div>
  );
}
