/** A request that `git upload-pack` refuses for its content: the client is at fault, and the server is well. */
export interface ClientFault {
  /** Git's own words, for the client. */
  readonly message: string;
  /** Git has sent an `ERR` packet with them. */
  readonly isSent: boolean;
}

/** Refusals for which git sends an `ERR` packet before it dies (`packet_writer_error` in git's upload-pack.c). */
const sentFaults = [/^(?:git upload-pack: )?(?:not our ref |filter '.*' not supported$|tree filter allows max depth )/, /^unknown ref /];

/**
 * Refusals that git only writes to its standard error (git 2.39 to 2.52: upload-pack.c, serve.c, shallow.c, pkt-line.c,
 * list-objects-filter-options.c, protocol-caps.c). Anything else is a failure of the server.
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

/** The fault behind a failure of `upload-pack`, from the `meta` of its error; undefined when the server failed. */
export function clientFault(meta: Readonly<Record<string, unknown>> | undefined): ClientFault | undefined {
  if (meta?.command !== "upload-pack" || meta.reason !== "exit") return undefined;
  for (const [, text = ""] of String(meta.stderr).matchAll(/^fatal: (.*)$/gm)) {
    const message = text.replace(/^git upload-pack/, "upload-pack");
    if (sentFaults.some((pattern) => pattern.test(text))) return { message, isSent: true };
    if (silentFaults.some((pattern) => pattern.test(text))) return { message, isSent: false };
  }
  return undefined;
}
