import { commitPath, comparePath, historyPath, issuePath, pullPath, releasePath, repositoryPath, sourcePath } from "../../../../ui/addresses.ts";
import { withoutMarks } from "../../../../ui/excerpt.ts";
import type { TextsOf } from "../../../../ui/texts/texts.ts";
import { type ActivityView, activityUnits } from "../model.ts";
import type { activityTexts } from "../texts/texts.ts";

/** An activity as a sentence: `alice` pushed 2 commits to `main` in `alice/app`. */
export interface ActivitySentence {
  /** To fill with the object, the repository, its former name and the time. */
  readonly text: string;
  /** The object within the repository. */
  readonly object: { readonly text: string; readonly path: string | undefined } | undefined;
  /** The repository, which is also the object if there is no other. */
  readonly repository: { readonly text: string; readonly path: string };
  /** The quoted comment, or the commit subjects, one per line. */
  readonly quotes: readonly string[];
  /** The former name of the repository; empty if it kept its name. */
  readonly former: string;
  /** The page with the details. */
  readonly path: string;
}

/** Maximum length of a quoted comment, and maximum number of commits. */
const quotedCharacters = 200;
const quotedCommits = 3;

export function describeActivity(activity: ActivityView, texts: TextsOf<typeof activityTexts>): ActivitySentence {
  const { repository, kind } = activity;
  const name = { ownerName: repository.owner.name, name: repository.name };
  const place = { text: `${name.ownerName}/${name.name}`, path: repositoryPath(name) };
  const sentence = (text: string, object?: ActivitySentence["object"], quotes: readonly string[] = []): ActivitySentence => ({
    text,
    object,
    repository: place,
    quotes,
    former: "",
    path: object?.path ?? place.path,
  });
  const isWithheld = activityUnits[kind] !== undefined && activity.refName === "" && activity.subject === "";
  if (isWithheld) return sentence(texts.withheld);
  const { verbs } = texts;
  switch (kind) {
    case "create_repo":
      return sentence(verbs[kind]);
    case "rename_repo":
    case "transfer_repo":
      return { ...sentence(verbs[kind]), former: activity.subject };
    case "commit_repo":
      return pushSentence(activity, name, verbs, sentence);
    case "push_tag": {
      const tag = shortName(activity.refName);
      return sentence(verbs[kind], { text: tag, path: sourcePath(name, { kind: "tag", rev: tag }) });
    }
    case "delete_tag":
    case "delete_branch":
      return sentence(verbs[kind], { text: shortName(activity.refName), path: undefined });
    case "publish_release":
      return sentence(verbs[kind], { text: activity.subject || activity.refName, path: releasePath(name, activity.refName) });
    default: {
      const { number, title } = readSubject(activity.subject);
      const isPull = activityUnits[kind] === "repo.pulls";
      const page = (isPull ? pullPath : issuePath)(name, number);
      const path = activity.commentId === null ? page : `${page}#issuecomment-${activity.commentId}`;
      const comment = activity.comment?.content ?? "";
      return sentence(verbs[kind], { text: `#${number}${title === "" ? "" : ` ${title}`}`, path }, comment === "" ? [] : [withoutMarks(excerpt(comment))]);
    }
  }
}

type MakeSentence = (text: string, object: ActivitySentence["object"], quotes: readonly string[]) => ActivitySentence;

function pushSentence(
  { push, refName }: ActivityView,
  name: { readonly ownerName: string; readonly name: string },
  verbs: TextsOf<typeof activityTexts>["verbs"],
  sentence: MakeSentence,
): ActivitySentence {
  const branch = shortName(refName);
  const commits = push?.commits ?? [];
  const [newest] = commits;
  const object = { text: branch, path: historyPath(name, { kind: "branch", rev: branch }) };
  const quotes = commits.slice(0, quotedCommits).map(({ message }) => excerpt(message));
  if (push?.oldOid === undefined) return sentence(verbs.newBranch, object, quotes);
  const path = commits.length === 1 && newest !== undefined ? commitPath(name, newest.oid) : comparePath(name, `${push.oldOid}...${push.newOid}`);
  return { ...sentence(verbs.push(commits.length), object, quotes), path };
}

/** `refs/heads/main` becomes `main`. */
const shortName = (refName: string): string => refName.replace(/^refs\/(?:heads|tags)\//, "");

/** `3|A title`. */
function readSubject(subject: string): { readonly number: number; readonly title: string } {
  const at = subject.indexOf("|");
  return { number: Number(subject.slice(0, at)), title: subject.slice(at + 1) };
}

/** Opens and closes a code block in Markdown. */
const fence = /^\s*(?:```|~~~)/;

/** The first line with text. */
function excerpt(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "" && !fence.test(one)) ?? "";
  return line.length <= quotedCharacters ? line.trim() : `${line.slice(0, quotedCharacters).toWellFormed().trim()}…`;
}
