/** A readable summary of an event. */
export interface Summary {
  /** One line of text and links. */
  readonly headline: readonly Part[];
  /** The title alone, without links. */
  readonly title: string;
  /** The page of the subject. */
  readonly url: string;
  /** Text written by users, or empty. */
  readonly text: string;
  /** One line for each commit of a push. */
  readonly lines: readonly (readonly Part[])[];
  /** Six hex digits for good, bad or neutral. */
  readonly color: string;
  readonly sender: Person;
}

export type Part = string | { readonly text: string; readonly url: string };

export interface Person {
  readonly name: string;
  readonly url: string;
  readonly avatarUrl: string;
}

/** The parts of a payload that summaries use; absent fields do not apply to the event. */
export interface Payload {
  readonly action?: string;
  readonly ref?: string;
  readonly ref_type?: string;
  readonly compare_url?: string;
  readonly total_commits?: number;
  readonly commits?: readonly { readonly id: string; readonly message: string; readonly url: string; readonly author: { readonly name: string } | null }[];
  readonly repository: { readonly full_name: string; readonly html_url: string };
  readonly forkee?: { readonly full_name: string; readonly html_url: string };
  readonly sender: { readonly login: string; readonly html_url: string; readonly avatar_url: string };
  readonly issue?: Titled;
  readonly pull_request?: Titled & { readonly merged?: boolean };
  readonly comment?: { readonly body: string; readonly html_url: string };
  readonly review?: { readonly content: string } | null;
  readonly release?: { readonly name: string; readonly tag_name: string; readonly html_url: string; readonly body: string };
  readonly page?: string;
  readonly state?: string;
  readonly context?: string;
  readonly description?: string;
  readonly target_url?: string;
  readonly sha?: string;
  readonly workflow_run?: Work & { readonly display_title: string };
  readonly workflow_job?: Work & { readonly name: string };
}

interface Work {
  readonly status: string;
  readonly conclusion?: string;
  readonly html_url: string;
}

interface Titled {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly html_url: string;
}

const green = "1ac600";
const red = "ff3232";
const blue = "009800";
const grey = "768390";
const colors: Readonly<Record<string, string>> = {
  opened: green,
  reopened: green,
  created: green,
  published: green,
  reviewed: blue,
  closed: red,
  deleted: red,
  success: green,
  failure: red,
  error: red,
};

interface Sentence {
  /** The action, without `by ...`. */
  readonly what: readonly Part[];
  readonly url: string;
  readonly text?: string;
  readonly lines?: readonly (readonly Part[])[];
  readonly color?: string;
}

/** The summary of an event. Deterministic for a payload. */
export function summarize(event: string, payload: Payload): Summary {
  const { repository, sender } = payload;
  const sentence = say(event, payload);
  const person = { name: sender.login, url: sender.html_url, avatarUrl: sender.avatar_url };
  const headline: readonly Part[] = [
    "[",
    { text: repository.full_name, url: repository.html_url },
    "] ",
    ...sentence.what,
    " by ",
    { text: person.name, url: person.url },
  ];
  return {
    headline,
    title: plain(headline),
    url: sentence.url,
    text: sentence.text ?? "",
    lines: sentence.lines ?? [],
    color: sentence.color ?? colors[payload.action ?? payload.state ?? ""] ?? grey,
    sender: person,
  };
}

export const plain = (parts: readonly Part[]): string => parts.map((part) => (typeof part === "string" ? part : part.text)).join("");

function say(event: string, payload: Payload): Sentence {
  const { repository, action = "", pull_request: pull, issue, comment, release } = payload;
  const verb = action.replaceAll("_", " ");
  if (event === "push") return sayPush(payload);
  if (event === "create" || event === "delete")
    return { what: [`${payload.ref_type} ${payload.ref} ${event}d`], url: repository.html_url, color: event === "create" ? green : red };
  if (event === "fork" && payload.forkee)
    return { what: [named(payload.forkee.full_name, payload.forkee.html_url), " forked"], url: repository.html_url, color: green };
  if (event === "status")
    return {
      what: [`${payload.context}: ${payload.state} on ${payload.sha?.slice(0, 10)}`],
      // The URL of a status without one is that of the server, with which the repository's begins.
      url: payload.target_url === undefined || repository.html_url.startsWith(payload.target_url) ? repository.html_url : payload.target_url,
      text: payload.description ?? "",
    };
  const work = payload.workflow_job ?? payload.workflow_run;
  if (work) return sayWork(payload, work, verb);
  if (event === "wiki") return { what: [`wiki page ${payload.page} ${verb}`], url: `${repository.html_url}/wiki/${payload.page}` };
  if (release) return { what: ["release ", named(release.name || release.tag_name, release.html_url), ` ${verb}`], url: release.html_url, text: release.body };
  if (comment && issue)
    return {
      what: [`comment ${verb} on ${pull ? "pull request" : "issue"} `, named(`#${issue.number} ${issue.title}`, comment.html_url)],
      url: comment.html_url,
      text: comment.body,
    };
  const subject = pull ?? issue;
  if (subject === undefined) return { what: [`repository ${verb}`], url: repository.html_url };
  const kind = pull ? "pull request" : "issue";
  const outcome = event.startsWith("pull_request_") ? `review ${event.slice("pull_request_".length)}` : action === "closed" && pull?.merged ? "merged" : verb;
  return {
    what: [`${kind} ${outcome}: `, named(`#${subject.number} ${subject.title}`, subject.html_url)],
    url: subject.html_url,
    text: payload.review?.content ?? (action === "opened" || action === "edited" ? subject.body : ""),
    ...(outcome === "merged" && { color: blue }),
  };
}

/** A step of a run or a job. */
function sayWork({ workflow_job: job, workflow_run: run }: Payload, { status, conclusion, html_url: url }: Work, verb: string): Sentence {
  const name = job ? `job ${job.name}` : `run ${run?.display_title}`;
  const state = conclusion ?? (status === "in_progress" ? "started" : verb);
  return { what: [named(firstLine(name), url), `: ${state}`], url, ...(conclusion && { color: colors[conclusion] ?? grey }) };
}

function sayPush({ repository, ref = "", compare_url: compareUrl = "", total_commits: total = 0, commits = [] }: Payload): Sentence {
  const count = `${total} new ${total === 1 ? "commit" : "commits"}`;
  const url = compareUrl || repository.html_url;
  return {
    what: [named(count, url), ` on ${ref.replace(/^refs\/(heads|tags)\//, "")}`],
    url,
    lines: commits.map(({ id, message, url: at, author }) => [named(id.slice(0, 7), at), ` ${firstLine(message)} - ${author?.name ?? ""}`]),
    color: blue,
  };
}

const named = (text: string, url: string): Part => ({ text, url });

/** Longer lines are cut. */
const maxLine = 200;

const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").slice(0, maxLine).toWellFormed();
