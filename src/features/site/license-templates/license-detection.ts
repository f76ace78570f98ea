import { setImmediate as turn } from "node:timers/promises";
import { type License, listLicenses } from "./licenses.ts";

/** Longer files contain other content. */
const maxTextLength = 200_000;
/** The minimum share of a license's wording in a text. */
const wantedShare = 0.94;
/** A missing phrase counts more against a license than an extra phrase. */
const missingWeight = 3;
/** A longer line is a paragraph of the license that begins with that term. */
const maxCopyrightLine = 200;

/** File names that hosts and package managers use for licenses. */
const fileName = /^(?:(?:un)?licen[cs]e|copying|copyright|ofl)(?:[-._][\w.-]+)?$/i;

export const isLicenseFile = (name: string): boolean => fileName.test(name) && !/\.(?:go|js|ts|py|rb|rs|c|h|cc|cpp|java|json|ya?ml|php|html)$/i.test(name);

/** Hashes of a license's two-word phrases, including repetitions. */
interface Fingerprint {
  readonly id: string;
  readonly phrases: Uint32Array;
}

let known: Promise<readonly Fingerprint[]> | undefined;

/**
 * Detects the licenses in a text, as SPDX ids in alphabetical order. Ignores layout, case, punctuation and copyright lines. A text
 * does not distinguish `-or-later` from `-only`, so the GNU licenses are reported as the latter.
 */
export async function detectLicenses(text: string): Promise<string[]> {
  const phrases = phrasesOf(text.slice(0, maxTextLength));
  if (phrases.length === 0) return [];
  known ??= fingerprints();
  const left = countPhrases(phrases);
  const found: string[] = [];
  for (;;) {
    const best = bestMatch(await known, left);
    if (best === undefined) return found.sort();
    found.push(best.id);
    // Phrases matched by one license are not available to others, because a short license can be part of a longer one.
    for (const phrase of best.phrases) left.set(phrase, (left.get(phrase) ?? 0) - 1);
  }
}

function bestMatch(candidates: readonly Fingerprint[], counts: ReadonlyMap<number, number>): Fingerprint | undefined {
  let best: Fingerprint | undefined;
  let bestScore = 0;
  for (const candidate of candidates) {
    const total = candidate.phrases.length;
    const most = total * (1 - wantedShare);
    const missing = countMissing(candidate.phrases, counts, most);
    const score = total - missing - missingWeight * missing;
    if (missing <= most && score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** Stops counting at `most` + 1. */
function countMissing(phrases: Uint32Array, counts: ReadonlyMap<number, number>, most: number): number {
  let missing = 0;
  let previous = -1;
  let repeated = 0;
  // Sorted, so that equal phrases are adjacent.
  for (const phrase of phrases) {
    repeated = phrase === previous ? repeated + 1 : 1;
    previous = phrase;
    if ((counts.get(phrase) ?? 0) < repeated && ++missing > most) break;
  }
  return missing;
}

function countPhrases(phrases: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const phrase of phrases) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  return counts;
}

/** Half a megabyte of texts: yields to the event loop in between. */
async function fingerprints(): Promise<Fingerprint[]> {
  const result: Fingerprint[] = [];
  for (const license of await listLicenses()) {
    if (license.id.endsWith("-or-later")) continue;
    result.push({ id: license.id, phrases: phrasesOf(terms(license)) });
    await turn();
  }
  return result;
}

/** Many copies omit the instructions after the terms. */
const terms = (license: License): string => license.text.split(/^\s*end of terms and conditions/im)[0] ?? license.text;

function phrasesOf(text: string): Uint32Array {
  const words = text
    .split("\n")
    .filter((line) => line.length > maxCopyrightLine || !/^\W*(?:portions )?copyright\b.*(?:\d{4}|<|\[|\(c\)|\u00a9)/i.test(line))
    .join(" ")
    .toLowerCase()
    .replaceAll("licence", "license")
    .match(/[\p{L}\p{N}]+/gu);
  if (words === null || words.length < 2) return new Uint32Array();
  const phrases = new Uint32Array(words.length - 1);
  for (let at = 1; at < words.length; at++) phrases[at - 1] = hash(`${words[at - 1]} ${words[at]}`);
  return phrases.sort();
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
