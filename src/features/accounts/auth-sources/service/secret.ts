import { unavailable } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { SourceView } from "../model.ts";

const purposeOf = (sourceId: number): string => `authentication source ${sourceId}`;

export const sealSecret = (sealer: Sealer, sourceId: number, secret: string): string => (secret === "" ? "" : sealer.seal(purposeOf(sourceId), secret));

/** @throws ForgeError `unavailable` when it was sealed with another server key */
export function openSecret(sealer: Sealer, source: Pick<SourceView, "id" | "name" | "sealedSecret">): string {
  if (source.sealedSecret === "") return "";
  const secret = sealer.open(purposeOf(source.id), source.sealedSecret);
  if (secret === undefined) {
    throw unavailable(`the secret of the sign-in source ${source.name} cannot be opened with this server's key: restore the key or enter the secret again`);
  }
  return secret;
}
