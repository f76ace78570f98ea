import { callerOf } from "../../../../access/caller.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, notFound } from "../../../../core/errors.ts";
import type { Enter } from "../../../../core/lanes.ts";
import type { KeyHolder, SshHandler, SshInput, SshSession } from "../../../../ssh/ports.ts";
import { noteKeyUse } from "../../../accounts/keys/service/key-holders.ts";
import type { GitTarget } from "../git-target.ts";
import { advertisement, protocolVersion } from "../service/advertise.ts";
import { converseFetch } from "../service/conversation.ts";
import type { TransportDeps } from "../service/deps.ts";
import type { GitService } from "../service/locate.ts";
import { locateByKey } from "../service/locate-by-key.ts";
import { answerPush } from "../service/push.ts";
import { within } from "../service/push-report.ts";
import { answerArchive } from "../service/upload-archive.ts";
import { patienceMs } from "../streams.ts";
import { type Command, parseCommand } from "./command.ts";

/** Creates the credentials for a git lfs client to continue over HTTP. @throws ForgeError `forbidden` */
export type InviteToLfs = (holder: KeyHolder, repository: RepositorySubject, operation: "download" | "upload") => LfsInvitation;

export interface LfsInvitation {
  readonly href: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  readonly validSeconds: number;
}

export type GitShellDeps = TransportDeps &
  Parameters<typeof noteKeyUse>[0] & { /** Undefined: LFS is disabled. */ readonly inviteToLfs: InviteToLfs | undefined };

/** Handles SSH sessions: fetch, push, archive, LFS authentication, or a greeting with the user's name. */
export const createGitShell =
  (deps: GitShellDeps): SshHandler =>
  async (session) => {
    const command = parseCommand(session.command);
    if ("refusal" in command) throw forbidden(command.refusal);
    if (command.kind === "shell") {
      await Promise.all([session.write(greeting(session)), note(deps, { keyId: session.holder.keyId, repoId: undefined })]);
      return 0;
    }
    const { holder } = session;
    const service = serviceOf(command);
    const { repository, part, isMoved } = await locateByKey(deps, holder.actor, command.address, service);
    if (command.kind === "lfs" && part === "wiki") throw notFound("LFS is not available for wikis.");
    if (isMoved) session.report(`warning: this repository is now at ${repository.fullName}\n`);
    const noted = note(deps, { keyId: holder.keyId, repoId: repository.id });
    if (command.kind === "lfs") await session.write(invitation(deps, holder, repository, command.operation));
    else if (command.kind === "archive") await serveArchive(deps, { repository, part }, session);
    else if (command.service === "git-upload-pack") await serveFetch(deps, { repository, part }, session);
    else await servePush(deps, { repository, part }, session);
    await noted;
    return 0;
  };

/** The service whose permission a command needs. */
function serviceOf(command: Exclude<Command, { readonly kind: "shell" }>): GitService {
  if (command.kind === "git") return command.service;
  return command.kind === "lfs" && command.operation === "upload" ? "git-receive-pack" : "git-upload-pack";
}

function greeting({ holder }: SshSession): string {
  const { actor, title } = holder;
  const [whom, key] = actor.kind === "user" ? [`Hi there, ${actor.name}!`, "the key named"] : ["Hi there!", "the deploy key named"];
  return `${whom} You've successfully authenticated with ${key} ${title}, but Hearth does not provide shell access.\n`;
}

/** The response to git-lfs-authenticate (git-lfs, docs/api/server-discovery.md). */
function invitation({ inviteToLfs }: GitShellDeps, ...requested: Parameters<InviteToLfs>): string {
  if (inviteToLfs === undefined) throw forbidden("LFS is disabled on this server.");
  const { href, authorization, validSeconds } = inviteToLfs(...requested);
  return `${JSON.stringify({ header: { Authorization: authorization }, href, expires_in: validSeconds })}\n`;
}

/** Failing to record the use of a key must not fail the session. */
async function note(deps: GitShellDeps, use: Parameters<typeof noteKeyUse>[1]): Promise<void> {
  try {
    await noteKeyUse(deps, use);
  } catch (error) {
    deps.log.warn({ err: error, keyId: use.keyId }, "recording the last use of a key failed");
  }
}

async function serveFetch(deps: TransportDeps, target: GitTarget, session: SshSession): Promise<void> {
  const { input, signal } = session;
  const conversation = { version: protocolVersion(session.gitProtocol), input: hurried(input), enter: entryOf(deps, session), signal };
  for await (const chunk of converseFetch(deps, target, conversation)) await session.write(chunk);
}

async function serveArchive(deps: TransportDeps, target: GitTarget, session: SshSession): Promise<void> {
  const { input, signal } = session;
  for await (const chunk of answerArchive(deps, target, { input: hurried(input), enter: entryOf(deps, session), signal })) await session.write(chunk);
}

const entryOf =
  ({ bulkLane }: TransportDeps, { holder: { actor } }: SshSession): Enter =>
  (signal) =>
    bulkLane.enter(callerOf(actor, actor.address ?? ""), signal);

/** After the client has started to send, silence is limited. */
async function* hurried(input: SshInput): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of input) {
    input.setPatience(patienceMs);
    yield chunk;
  }
}

/** A client may still be sending a rejected pack; one without more data need not close its side. */
const lingerMs = 10_000;

async function servePush(deps: TransportDeps, target: GitTarget, session: SshSession): Promise<void> {
  const { input, signal } = session;
  const { actor } = session.holder;
  const version = protocolVersion(session.gitProtocol);
  const greet = deps.refAnswers.answer(target, `ssh git-receive-pack ${version}`, (store) => advertisement("ssh", "git-receive-pack", version, store));
  for (const part of await greet) await session.write(part);
  for await (const chunk of await answerPush(deps, { actor, target, input, signal, onPack: () => input.setPatience(patienceMs) })) {
    await session.write(chunk);
  }
  // Closing the channel while the client sends would show it a broken pipe instead of the refusal.
  const rest = input[Symbol.asyncIterator]();
  while ((await within(rest.next(), lingerMs))?.done === false);
}
