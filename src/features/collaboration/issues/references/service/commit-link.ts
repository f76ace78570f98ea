import type { Commit } from "../../../../../git/types.ts";

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @compat the entry of a commit is a link with the first line of its message (references/commits.test.ts) */
export function commitLink(ownerName: string, name: string, { oid, message }: Commit): string {
  const [line = ""] = message.split("\n", 1);
  return `<a href="/${ownerName}/${name}/commit/${oid}">${escaped(line)}</a>`;
}
