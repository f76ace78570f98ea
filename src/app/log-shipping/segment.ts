import type { LogGroup } from "../../db/sqlite-follow.ts";
import { type Sealed, seal, unseal } from "./sealed.ts";

/** A small file that rows of a segment refer to. */
export interface EmbeddedFile {
  /** Relative to the data folder. */
  readonly path: string;
  readonly content: Buffer;
}

export interface Segment {
  readonly generation: string;
  /** From 1. */
  readonly number: number;
  /** Digest of the segment before, or of the base. */
  readonly previous: string;
  readonly groups: readonly LogGroup[];
  readonly embedded: readonly EmbeddedFile[];
  /** Files that were uploaded on their own before this segment. */
  readonly stored: readonly string[];
}

interface Header extends Omit<Segment, "groups" | "embedded"> {
  readonly groups: readonly { readonly timeMs: number; readonly databasePages: number; readonly pages: readonly number[] }[];
  readonly embedded: readonly { readonly path: string; readonly bytes: number }[];
  readonly pageBytes: number;
}

export const sealSegment = ({ groups, embedded, ...rest }: Segment): Promise<Sealed> => {
  const [first] = groups.flatMap(({ pages }) => [...pages.values()].slice(0, 1));
  const header: Header = {
    ...rest,
    pageBytes: first?.length ?? 0,
    groups: groups.map(({ pages, ...group }) => ({ ...group, pages: [...pages.keys()] })),
    embedded: embedded.map(({ path, content }) => ({ path, bytes: content.length })),
  };
  return seal(header, [...embedded.map(({ content }) => content), ...groups.flatMap(({ pages }) => [...pages.values()])]);
};

/** @returns undefined if the bytes are not a whole segment */
export async function unsealSegment(bytes: Buffer): Promise<(Segment & { readonly digest: string }) | undefined> {
  const opened = await unseal<Header>(bytes);
  if (opened === undefined) return undefined;
  const { header, body, digest } = opened;
  let at = 0;
  const take = (length: number): Buffer => {
    at += length;
    return body.subarray(at - length, at);
  };
  const embedded = header.embedded.map(({ path, bytes: length }) => ({ path, content: take(length) }));
  const groups = header.groups.map(({ pages, ...group }) => ({ ...group, pages: new Map(pages.map((number) => [number, take(header.pageBytes)])) }));
  const { generation, number, previous, stored } = header;
  return { generation, number, previous, stored, embedded, groups, digest };
}
