import { type Config, ConfigError } from "../config/config.ts";
import { forbidden } from "../core/errors.ts";
import { findKey, findKeyHolder } from "../features/accounts/keys/service/key-holders.ts";
import { acceptCertificate } from "../features/accounts/keys/service/principals.ts";
import { isCertificate } from "../features/accounts/keys/ssh-certificate.ts";
import { isSignedBy } from "../features/accounts/keys/ssh-signature.ts";
import { inviteToLfs } from "../features/git/lfs/service/authenticate.ts";
import { createGitShell } from "../features/git/transport/shell/git-shell.ts";
import { type HostKey, loadHostKeys } from "../ssh/host-keys.ts";
import type { SshIdentities } from "../ssh/ports.ts";
import { createSshServer } from "../ssh/server.ts";
import type { Context } from "./context.ts";

/** The state of git over SSH, for clone URLs and for the operator. */
export interface SshListener {
  /** Loads the host keys, which the first start creates, and listens as configured. @throws ConfigError, or ForgeError `unavailable` */
  listen(): Promise<void>;
  readonly state: SshState;
  close(): Promise<void>;
}

export type SshState =
  | { readonly kind: "off" }
  /** The default port is in use by another program. */
  | { readonly kind: "taken"; readonly place: string }
  | { readonly kind: "open"; readonly port: number; readonly hostKeys: readonly Pick<HostKey, "kind" | "fingerprint">[] };

/** How long a stop waits for fetches and pushes in progress. */
const closeWithinMs = 10_000;
/** Unauthenticated clients can be numerous; authenticated ones are few and known. */
const unknownBounds = { unknownTotal: 256, unknownPerNetwork: 64 };

export function createSshListener(context: Context): SshListener {
  const { config, log } = context;
  let state: SshState = { kind: "off" };
  let close = async (): Promise<void> => {};
  return {
    get state() {
      return state;
    },
    async listen() {
      if (!config.ssh.enabled) return;
      const hostKeys = await loadHostKeys(context);
      const server = createSshServer({
        hostKeys,
        identities: identitiesOf(context),
        handler: createGitShell({ ...context, inviteToLfs: config.lfs.enabled ? (...requested) => inviteToLfs(context, ...requested) : undefined }),
        bounds: { total: config.ssh.max_connections, perNetwork: config.ssh.max_connections_per_network, ...unknownBounds },
        log,
      });
      const host = config.ssh.host === "" ? config.server.host : config.ssh.host;
      try {
        const port = await server.listen(host, config.ssh.port);
        state = { kind: "open", port, hostKeys: hostKeys.map(({ kind, fingerprint }) => ({ kind, fingerprint })) };
      } catch (error) {
        const place = `${host}:${config.ssh.port}`;
        if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || config.chosen.has("ssh.port")) throw listenError(error as NodeJS.ErrnoException, place);
        state = { kind: "taken", place };
        log.warn({ place }, "git over SSH is off: its port is in use by another program");
      }
      close = () => server.close(closeWithinMs);
    },
    close: () => close(),
  };
}

const identitiesOf = (context: Context): SshIdentities => ({
  isSignedBy,
  async findKey(blob, address) {
    if (isCertificate(blob)) return acceptCertificate(context, blob, address);
    const key = await findKey(context, blob);
    return key && { id: key.id, blob };
  },
  async holderOf({ id, validUntilMs = Number.POSITIVE_INFINITY }, address) {
    if (context.clock.now() >= validUntilMs) throw forbidden("Your SSH certificate has expired. Get a new one, and connect again.");
    return findKeyHolder(context, id, address);
  },
});

function listenError(error: NodeJS.ErrnoException, place: string): Error {
  if (error.code === "EADDRINUSE") return new ConfigError(`${place} is in use by another program: stop it, or set HEARTH_SSH_PORT to a free port`);
  if (error.code === "EACCES") return new ConfigError(`${place} may not be used by this user: set HEARTH_SSH_PORT to a port above 1023`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new ConfigError(`${place} is not an address of this machine: set HEARTH_SSH_HOST to one, such as 127.0.0.1`);
  }
  return error;
}

/** The prefix of a repository's SSH URL. */
export function sshPrefix({ ssh }: Pick<Config, "ssh">, rootHost: string, state: SshState): string {
  const host = ssh.domain === "" ? rootHost : ssh.domain;
  const port = ssh.public_port > 0 ? ssh.public_port : state.kind === "open" ? state.port : 22;
  return port === 22 ? `git@${host}:` : `ssh://git@${host}:${port}/`;
}

/** The start-up message about SSH. */
export function sshLine(state: SshState): string {
  switch (state.kind) {
    case "off":
      return "";
    case "taken":
      return `Git over SSH is off: ${state.place} is in use by another program (set HEARTH_SSH_PORT to another port)\n`;
    case "open":
      return `Git over SSH on port ${state.port}; host keys ${state.hostKeys.map(({ kind, fingerprint }) => `${fingerprint} (${kind})`).join(", ")}\n`;
  }
}
