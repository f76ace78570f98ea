import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/**
 * Reads the log of `strace` while it is written. A call appears twice, when it begins and when it ends: an effect that another one depends
 * on has ended before that one begins, also between threads and processes.
 */

/** System calls that change files or send responses, and those that are needed to interpret them. */
const calls = [
  ...["open", "openat", "openat2", "creat", "read", "readv", "lseek", "write", "writev", "pwrite64", "pwritev", "pwritev2"],
  ...["truncate", "ftruncate", "fallocate", "copy_file_range", "sendfile", "ioctl", "fsync", "fdatasync", "sync", "syncfs"],
  ...["rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "symlink", "symlinkat"],
  ...["chdir", "fchdir", "clone", "clone3", "fork", "vfork", "io_uring_setup", "sendto", "sendmsg"],
];

const longestString = 1 << 26;

/** The command prefix that traces a program to a file or pipe, and lets it have the process id of the command. */
export const traceCommand = (log: string): readonly string[] => [
  ...["strace", "-D", "-f", "--seccomp-bpf", "-qqq", "-yy", "-xx", "-s", String(longestString), "-e", "signal=none", "-o", log],
  ...["-e", `trace=${calls.join(",")}`],
];

/** The file calls of the thread pool would not be in the trace. */
export const traceableEnvironment = { UV_USE_IO_URING: "0" } as const;

export interface Call {
  readonly process: number;
  readonly name: string;
  /** As text; see {@link fdOf}, {@link bytesOf} and {@link pathOf}. */
  args: readonly string[];
  /** Undefined until it has ended, or if the process was killed before. -1 for an error. */
  result: number | undefined;
  /** Text of the result, which has the path of an opened file. */
  resultText: string;
}

export interface CallEvent {
  readonly call: Call;
  readonly isEnd: boolean;
}

/** A file descriptor: a path, or the name of a socket or pipe. */
export interface Descriptor {
  readonly number: number;
  readonly path: string;
  readonly isDeleted: boolean;
}

export async function* readTrace(log: string): AsyncGenerator<CallEvent> {
  const unfinished = new Map<number, { readonly text: string; readonly call: Call }>();
  for await (const line of createInterface({ input: createReadStream(log), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [, id, text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const process = Number(id);
    if (text.startsWith("+++") || text.startsWith("---")) continue;
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text)?.[0];
    if (resumed !== undefined) {
      const started = unfinished.get(process);
      if (started === undefined) throw new Error(`the trace resumes a call that it did not begin: ${line.slice(0, 200)}`);
      unfinished.delete(process);
      finish(started.call, started.text + text.slice(resumed.length));
      yield { call: started.call, isEnd: true };
      continue;
    }
    const name = text.slice(0, text.indexOf("("));
    const call: Call = { process, name, args: [], result: undefined, resultText: "" };
    if (text.endsWith("<unfinished ...>")) {
      const begun = text.slice(0, -"<unfinished ...>".length);
      call.args = splitArguments(begun.slice(name.length + 1));
      unfinished.set(process, { text: begun, call });
      yield { call, isEnd: false };
      continue;
    }
    finish(call, text);
    yield { call, isEnd: false };
    yield { call, isEnd: true };
  }
}

function finish(call: Call, text: string): void {
  const end = text.lastIndexOf(")", text.lastIndexOf(" = "));
  // Half of a trace are contents that programs read, of which only the length matters.
  const isRead = call.name === "read" || call.name === "readv";
  call.args = splitArguments(text.slice(call.name.length + 1, isRead ? text.indexOf(",") : end));
  call.resultText = text.slice(text.indexOf("= ", end) + 2);
  call.result = /^-?\d+/.test(call.resultText) ? Number.parseInt(call.resultText, 10) : undefined;
}

/** Splits at commas outside of strings, lists and the names of descriptors. */
function splitArguments(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = text.indexOf('"', at + 1);
    else if (char === "<") depth += 1;
    else if (char === ">" && text[at - 1] !== "-") depth -= 1;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    else if (char === "," && depth === 0) {
      found.push(text.slice(start, at).trim());
      start = at + 1;
    }
    if (at < 0) throw new Error(`the trace has an incomplete string: ${text.slice(0, 200)}`);
  }
  const last = text.slice(start).trim();
  return last === "" ? found : [...found, last];
}

/** Bytes of a string argument; of all parts for `writev`. */
export function bytesOf(argument: string): Buffer {
  if (argument.includes('"...')) throw new Error("the trace has a shortened string");
  return Buffer.concat(Array.from(argument.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g), ([, escaped = ""]) => decode(escaped)));
}

/** Decodes `\x01\x02`, four characters for each byte, in a fifteenth of the time of conversions of strings. */
function decode(escaped: string): Buffer {
  const bytes = Buffer.allocUnsafe(escaped.length / 4);
  const text = Buffer.from(escaped, "latin1");
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (digit(text[at * 4 + 2] ?? 0) << 4) | digit(text[at * 4 + 3] ?? 0);
  return bytes;
}

/** The value of an ASCII digit in 0-9 or a-f. */
const digit = (code: number): number => (code & 15) + (code > 57 ? 9 : 0);

export const pathOf = (argument: string): string => bytesOf(argument).toString();

/** `AT_FDCWD` */
export const workingFolderNumber = -100;

/** @returns undefined for a number without a name, such as a closed descriptor */
export function fdOf(argument: string): Descriptor | undefined {
  const [, number = "", name = "", rest = ""] = /^(-?\d+|AT_FDCWD)<(.*)>(\(deleted\))?$/s.exec(argument) ?? [];
  if (number === "") return undefined;
  const path = name.startsWith("\\x") ? Buffer.from(name.replaceAll("\\x", ""), "hex").toString() : name;
  const isDeleted = rest !== "" || path.endsWith(" (deleted)");
  return { number: number === "AT_FDCWD" ? workingFolderNumber : Number(number), path: path.replace(/ \(deleted\)$/, ""), isDeleted };
}
