/** A request that `git upload-pack` rejects because of its content: a client error, not a server failure. */
export interface ClientFault {
  /** Git's message, for the client. */
  readonly message: string;
  /** Git has already sent it in an `ERR` packet. */
  readonly isSent: boolean;
}

/** Rejections for which git sends an `ERR` packet before it exits (`packet_writer_error` in git's upload-pack.c). */
const sentFaults = [/^(?:git upload-pack: )?(?:not our ref |filter '.*' not supported$|tree filter allows max depth )/, /^unknown ref /];

/**
 * Rejections that git writes only to standard error (git 2.39 to 2.52: upload-pack.c, serve.c, shallow.c, pkt-line.c,
 * list-objects-filter-options.c, protocol-caps.c). Any other failure is the server's.
 */
const silentFaults = [
  /^git upload-pack: (?:protocol error, )?expected (?:to get object ID|SHA1 (?:list|object)|object ID)/,
  /^git upload-pack: ambiguous deepen-not: /,
  /^git upload-pack: deepen and deepen-since \(or deepen-not\) cannot be used together$/,
  /^git upload-pack: filtering capability not negotiated$/,
  /^(?:[Ii]nvalid (?:shallow line|shallow object|deepen(?:-since|-not)?|filter-spec|command|object-info)\b)/,
  /^no commits selected for shallow requests$/,
  /^(?:unexpected line|expected (?:flush|to receive|'tree:<depth>'|something after combine:)|unknown (?:capability|object format)|mismatched object format|no command requested|multiple filter-specs|must escape char in sub-filter-spec)/,
  /^(?:command '.*' requested after already requesting command|object-info: expected flush|sparse:path filters support has been dropped|'.*' for 'object:type=<type>' is not a valid object type)/,
  /^protocol error: /,
  /^the remote end (?:hung up unexpectedly|sent a ".*" packet)/,
];

/** The client error behind a failure of `upload-pack`, from the `meta` of its error; undefined if the server failed. */
export function clientFault(meta: Readonly<Record<string, unknown>> | undefined): ClientFault | undefined {
  if (meta?.command !== "upload-pack" || meta.reason !== "exit") return undefined;
  for (const [, text = ""] of String(meta.stderr).matchAll(/^fatal: (.*)$/gm)) {
    const message = text.replace(/^git upload-pack/, "upload-pack");
    if (sentFaults.some((pattern) => pattern.test(text))) return { message, isSent: true };
    if (silentFaults.some((pattern) => pattern.test(text))) return { message, isSent: false };
  }
  return undefined;
}
