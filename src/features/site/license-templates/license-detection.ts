import { setImmediate as turn } from "node:timers/promises";
import { type License, listLicenses } from "./licenses.ts";

/** Longer files hold something else besides. */
const maxTextLength = 200_000;
/** The share of a license's wording that a text must hold. */
const wantedShare = 0.94;
/** Words that are missing speak against a license more than words that are there speak for it. */
const missingWeight = 3;
/** A longer line is a paragraph of the license that begins with the word. */
const maxCopyrightLine = 200;

/** Names that file hosts and package managers give to the file of the license. */
const fileName = /^(?:(?:un)?licen[cs]e|copying|copyright|ofl)(?:[-._][\w.-]+)?$/i;

export const isLicenseFile = (name: string): boolean => fileName.test(name) && !/\.(?:go|js|ts|py|rb|rs|c|h|cc|cpp|java|json|ya?ml|php|html)$/i.test(name);

/** Numbers of the two-word phrases of a license, repeated as often as they occur. */
interface Fingerprint {
  readonly id: string;
  readonly phrases: Uint32Array;
}

let known: Promise<readonly Fingerprint[]> | undefined;

/**
 * The licenses whose wording a text holds, as SPDX ids in alphabetical order. Layout, case, punctuation and copyright lines do not matter.
 * A text cannot tell `-or-later` from `-only`, so the GNU licenses answer to the latter.
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
    // What one license has taken is not held by another: a short license can be part of a longer one.
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

/** Counts no further than one more than `most`. */
function countMissing(phrases: Uint32Array, counts: ReadonlyMap<number, number>, most: number): number {
  let missing = 0;
  let previous = -1;
  let repeated = 0;
  // Sorted, so that equal phrases follow each other.
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

/** Half a megabyte of texts: other work gets its turn in between. */
async function fingerprints(): Promise<Fingerprint[]> {
  const result: Fingerprint[] = [];
  for (const license of await listLicenses()) {
    if (license.id.endsWith("-or-later")) continue;
    result.push({ id: license.id, phrases: phrasesOf(terms(license)) });
    await turn();
  }
  return result;
}

/** Many copies leave out what follows the terms: how to apply them. */
const terms = (license: License): string => license.text.split(/^\s*end of terms and conditions/im)[0] ?? license.text;

function phrasesOf(text: string): Uint32Array {
  const words = text
    .split("\n")
    .filter((line) => line.length > maxCopyrightLine || !/^\W*(?:portions )?copyright\b.*(?:\d{4}|<|\[|\(c\)|©)/i.test(line))
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
