import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { bytesOf, type Call, type CallEvent, type Descriptor, fdOf, pathOf, workingFolderNumber } from "./syscall-trace.ts";

/**
 * A model of a disk that keeps only synced data, driven by the trace of a program. A sync of a file keeps the content of that file; a sync of
 * a folder keeps the names in that folder. The disk may also have written later changes: of each folder up to any moment, because file
 * systems order the changes of a folder, and of each file any of the later writes. A rename is whole: its two names change together.
 */
export interface LossyDisk {
  /** Throws Error for a call that it cannot interpret. */
  apply(event: CallEvent): void;
  /** Writes the content after a power cut at this moment to an empty folder. */
  restore(folder: string, luck: Luck): void;
  /** Differences between the model without a power cut and the real folder. */
  differences(): string[];
}

/** How many of the changes since the last sync survive. */
export interface Luck {
  /** @param changes number of later changes of the names in a folder @returns how many survive, in order */
  readonly names: (changes: number) => number;
  /** Whether a later write to a file survives. */
  readonly write: () => boolean;
}

/** Only synced data survives. */
export const noLuck: Luck = { names: () => 0, write: () => false };
/** All names survive, but only synced content: files may be empty. */
export const namesOnly: Luck = { names: (changes) => changes, write: () => false };

export interface LossyDiskOptions {
  /** A sync that this rejects is treated as if the program had not requested it. */
  readonly believes?: (synced: { readonly kind: "file" | "folder"; readonly path: string }) => boolean;
}

interface File {
  readonly kind: "file";
  kept: Buffer;
  later: FileChange[];
  size: number;
  /** Position of each descriptor. */
  readonly positions: Map<number, number>;
}

interface FileChange {
  readonly order: number;
  /** Writes bytes, or changes the size. */
  readonly change: { readonly at: number; readonly bytes: Buffer } | { readonly size: number };
}

interface Folder {
  readonly kind: "folder";
  readonly now: Map<string, Entry>;
  readonly kept: Map<string, Entry>;
  later: NameChange[];
}

interface NameChange {
  readonly order: number;
  readonly folder: Folder;
  readonly name: string;
  readonly entry: Entry | undefined;
  /** The other half of a rename. */
  partner: NameChange | undefined;
}

type Entry = File | Folder;

const newFolder = (): Folder => ({ kind: "folder", now: new Map(), kept: new Map(), later: [] });
const newFile = (): File => ({ kind: "file", kept: Buffer.alloc(0), later: [], size: 0, positions: new Map() });

const isSync = ({ name }: Call): boolean => name === "fsync" || name === "fdatasync";

/** @param root an empty folder whose own name is durable */
export function createLossyDisk(root: string, { believes = () => true }: LossyDiskOptions = {}): LossyDisk {
  const top = newFolder();
  let order = 0;
  const workingFolders = new Map<number, string>();
  const parents = new Map<number, number>();
  /** Syncs in progress keep what was there when they began. */
  const syncs = new Map<Call, { readonly entry: Entry; readonly upTo: number; readonly path: string }>();

  const isInside = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  const partsOf = (path: string): string[] => (path === root ? [] : relative(root, path).split("/"));

  function find(path: string): Entry | undefined {
    let entry: Entry | undefined = top;
    for (const part of partsOf(path)) entry = entry?.kind === "folder" ? entry.now.get(part) : undefined;
    return entry;
  }
  function folderOf(path: string): Folder {
    const folder = find(dirname(path));
    if (folder?.kind !== "folder") throw new Error(`the trace uses a folder that the model does not have: ${dirname(path)}`);
    return folder;
  }
  function fileOf({ path, isDeleted }: Descriptor): File | undefined {
    if (isDeleted || !isInside(path)) return undefined;
    const file = find(path);
    if (file?.kind !== "file") throw new Error(`the trace uses a file that the model does not have: ${path}`);
    return file;
  }

  function setName(path: string, entry: Entry | undefined): NameChange {
    const folder = folderOf(path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    order += 1;
    const change: NameChange = { order, folder, name, entry, partner: undefined };
    folder.later.push(change);
    if (entry === undefined) folder.now.delete(name);
    else folder.now.set(name, entry);
    return change;
  }
  function move(from: string, to: string): void {
    if (!isInside(from) && !isInside(to)) return;
    if (!isInside(from) || !isInside(to)) throw new Error(`the trace moves a file into or out of the disk: ${from} to ${to}`);
    const entry = find(from);
    if (entry === undefined) throw new Error(`the trace renames a file that the model does not have: ${from}`);
    if (find(to) === entry) return;
    const added = setName(to, entry);
    const removed = setName(from, undefined);
    [added.partner, removed.partner] = [removed, added];
  }

  function changeFile(file: File, change: FileChange["change"]): void {
    order += 1;
    file.later.push({ order, change });
    file.size = "size" in change ? change.size : Math.max(file.size, change.at + change.bytes.length);
  }

  /** Relative paths are relative to the working folder of their process. */
  function absolute(call: Call, path: string, at?: string): string {
    if (path.startsWith("/")) return resolve(path);
    const base = at === undefined ? undefined : fdOf(at)?.path;
    for (let process: number | undefined = call.process; ; process = parents.get(process)) {
      const folder: string | undefined = base ?? (process === undefined ? undefined : workingFolders.get(process));
      if (folder !== undefined) return resolve(folder, path);
      if (process === undefined) throw new Error(`the trace has a relative path in an unknown folder: ${call.name}(${call.args.join(", ")})`);
    }
  }

  function keepName(change: NameChange): void {
    const { folder, name, entry, partner } = change;
    if (!folder.later.includes(change)) return;
    const earlier = folder.later.filter((other) => other.name === name && other.order < change.order);
    for (const other of earlier) keepName(other);
    folder.later = folder.later.filter((other) => other !== change);
    if (entry === undefined) folder.kept.delete(name);
    else folder.kept.set(name, entry);
    if (partner !== undefined) keepName(partner);
  }

  function endSync(call: Call): void {
    const sync = syncs.get(call);
    syncs.delete(call);
    if (sync === undefined || call.result !== 0 || !believes({ kind: sync.entry.kind, path: sync.path })) return;
    const { entry, upTo } = sync;
    if (entry.kind === "folder") {
      for (const change of entry.later.filter((later) => later.order <= upTo)) keepName(change);
      return;
    }
    entry.kept = withChanges(
      entry.kept,
      entry.later.filter((later) => later.order <= upTo),
    );
    entry.later = entry.later.filter((later) => later.order > upTo);
  }

  function write(call: Call, descriptor: string, bytes: Buffer, position: string | undefined): void {
    const fd = fdOf(descriptor);
    const file = fd && fileOf(fd);
    if (fd === undefined || file === undefined || call.result === undefined || call.result < 0) return;
    const at = position === undefined ? (file.positions.get(fd.number) ?? 0) : Number(position);
    changeFile(file, { at: at === Number.POSITIVE_INFINITY ? file.size : at, bytes: bytes.subarray(0, call.result) });
    if (position === undefined && at !== Number.POSITIVE_INFINITY) file.positions.set(fd.number, at + call.result);
  }

  function opened(call: Call, flags: string): void {
    const fd = fdOf(call.resultText);
    if (fd === undefined || !isInside(fd.path)) return;
    if (/O_TMPFILE|O_SYNC|O_DSYNC/.test(flags)) throw new Error(`the model does not know ${flags}`);
    let entry = find(fd.path);
    if (entry === undefined && flags.includes("O_CREAT")) entry = setName(fd.path, newFile()).entry;
    if (entry === undefined) throw new Error(`the trace opens a file that the model does not have: ${fd.path}`);
    if (entry.kind === "folder") return;
    if (flags.includes("O_TRUNC") && entry.size > 0) changeFile(entry, { size: 0 });
    entry.positions.set(fd.number, flags.includes("O_APPEND") ? Number.POSITIVE_INFINITY : 0);
  }

  function copy(call: Call, from: string, fromAt: string | undefined, to: string, toAt: string | undefined): void {
    const [source, target] = [fdOf(from), fdOf(to)];
    const file = target && fileOf(target);
    if (source === undefined || target === undefined || file === undefined || call.result === undefined) return;
    const original = fileOf(source);
    if (original === undefined) throw new Error(`the trace copies a file from outside of the disk: ${source.path}`);
    const positionIn = (of: File, fd: number, text: string | undefined): number =>
      text === undefined || text === "NULL" ? (of.positions.get(fd) ?? 0) : Number(/\d+/.exec(text)?.[0]);
    const start = positionIn(original, source.number, fromAt);
    const at = positionIn(file, target.number, toAt);
    changeFile(file, { at, bytes: Buffer.from(withChanges(original.kept, original.later).subarray(start, start + call.result)) });
    if (fromAt === undefined || fromAt === "NULL") original.positions.set(source.number, start + call.result);
    if (toAt === undefined || toAt === "NULL") file.positions.set(target.number, at + call.result);
  }

  function begin(call: Call): void {
    if (!isSync(call)) return;
    const fd = fdOf(call.args[0] ?? "");
    if (fd === undefined || fd.isDeleted || !isInside(fd.path)) return;
    const entry = find(fd.path);
    if (entry === undefined) throw new Error(`the trace syncs a file that the model does not have: ${fd.path}`);
    syncs.set(call, { entry, upTo: order, path: fd.path });
  }

  const add = (path: string, entry: Entry | undefined): void => void (isInside(path) && setName(path, entry));
  function link(from: string, to: string): void {
    if (!isInside(to)) return;
    const entry = find(from);
    if (entry === undefined) throw new Error(`the trace links a file that the model does not have: ${from}`);
    setName(to, entry);
  }
  function truncate(file: File | undefined, size: string): void {
    if (file !== undefined) changeFile(file, { size: Number(size) });
  }
  function position(call: Call, at: (before: number) => number): void {
    const fd = fdOf(call.args[0] ?? "");
    const file = fd && isInside(fd.path) && !fd.isDeleted ? find(fd.path) : undefined;
    if (file?.kind === "file" && fd !== undefined) file.positions.set(fd.number, at(file.positions.get(fd.number) ?? 0));
  }
  const openFile = (argument: string): File | undefined => {
    const fd = fdOf(argument);
    return fd && fileOf(fd);
  };
  function reject(call: Call): never {
    throw new Error(`the model does not know ${call.name}(${call.args.join(", ").slice(0, 500)})`);
  }

  const written = (call: Call, [a = "", b = "", , d]: readonly string[]): void => {
    // Most writes are to sockets and pipes.
    if (isInside(fdOf(a)?.path ?? "")) write(call, a, bytesOf(b), call.name.startsWith("p") ? d : undefined);
  };
  const forked = (call: Call): void => void parents.set(call.result ?? 0, call.process);
  const moved = (call: Call, [a = "", b = "", c = "", d = ""]: readonly string[]): void => move(absolute(call, pathOf(b), a), absolute(call, pathOf(d), c));
  /** The effects of successful calls. */
  const effects: Readonly<Record<string, (call: Call, args: readonly string[]) => void>> = {
    open: (call, [, flags = ""]) => opened(call, flags),
    openat: (call, [, , flags = ""]) => opened(call, flags),
    openat2: (call, [, , how = ""]) => opened(call, how),
    creat: (call) => opened(call, "O_CREAT|O_TRUNC"),
    write: written,
    writev: written,
    pwrite64: written,
    pwritev: written,
    pwritev2: written,
    read: (call) => position(call, (before) => before + (call.result ?? 0)),
    readv: (call) => position(call, (before) => before + (call.result ?? 0)),
    lseek: (call) => position(call, () => call.result ?? 0),
    truncate: (call, [path = "", size = ""]) => truncate(openFileAt(absolute(call, pathOf(path))), size),
    ftruncate: (_, [fd = "", size = ""]) => truncate(openFile(fd), size),
    fallocate: (call, [fd = ""]) => void (openFile(fd) !== undefined && reject(call)),
    copy_file_range: (call, [from = "", fromAt, to = "", toAt]) => copy(call, from, fromAt, to, toAt),
    sendfile: (call, [to = "", from = "", fromAt]) => copy(call, from, fromAt, to, undefined),
    ioctl: (call, [fd = "", request = ""]) => void (request.includes("FICLONE") && openFile(fd) !== undefined && reject(call)),
    rename: (call, [from = "", to = ""]) => move(absolute(call, pathOf(from)), absolute(call, pathOf(to))),
    renameat: moved,
    renameat2: moved,
    link: (call, [from = "", to = ""]) => link(absolute(call, pathOf(from)), absolute(call, pathOf(to))),
    linkat: (call, [a = "", from = "", b = "", to = ""]) => link(absolute(call, pathOf(from), a), absolute(call, pathOf(to), b)),
    unlink: (call, [path = ""]) => add(absolute(call, pathOf(path)), undefined),
    unlinkat: (call, [at = "", path = ""]) => add(absolute(call, pathOf(path), at), undefined),
    rmdir: (call, [path = ""]) => add(absolute(call, pathOf(path)), undefined),
    mkdir: (call, [path = ""]) => add(absolute(call, pathOf(path)), newFolder()),
    mkdirat: (call, [at = "", path = ""]) => add(absolute(call, pathOf(path), at), newFolder()),
    symlink: (call, [, path = ""]) => void (isInside(absolute(call, pathOf(path))) && reject(call)),
    symlinkat: (call, [, at = "", path = ""]) => void (isInside(absolute(call, pathOf(path), at)) && reject(call)),
    chdir: (call, [path = ""]) => void workingFolders.set(call.process, absolute(call, pathOf(path))),
    fchdir: (call, [fd = ""]) => void workingFolders.set(call.process, fdOf(fd)?.path ?? ""),
    clone: forked,
    clone3: forked,
    fork: forked,
    vfork: forked,
    // Node.js also has rings for polling, which do no file operations.
    io_uring_setup: (call, args) => void (args.some((argument) => argument.includes("IORING_SETUP_SQPOLL")) && reject(call)),
    sync: reject,
    syncfs: reject,
  };

  function openFileAt(path: string): File | undefined {
    return fileOf({ number: 0, path, isDeleted: false });
  }

  function end(call: Call): void {
    const folder = fdOf(call.args[0] ?? "");
    if (folder?.number === workingFolderNumber) workingFolders.set(call.process, folder.path);
    if (isSync(call)) endSync(call);
    else if (call.result !== undefined && call.result >= 0) effects[call.name]?.(call, call.args);
  }

  return {
    apply: ({ call, isEnd }) => (isEnd ? end(call) : begin(call)),
    restore(folder, luck) {
      const surviving = chooseNames(top, luck);
      writeFolder(top, folder);

      function writeFolder(from: Folder, to: string): void {
        mkdirSync(to, { recursive: true });
        const names = new Map(from.kept);
        for (const change of from.later) {
          if (!surviving.has(change)) continue;
          if (change.entry === undefined) names.delete(change.name);
          else names.set(change.name, change.entry);
        }
        for (const [name, entry] of names) {
          if (entry.kind === "folder") writeFolder(entry, join(to, name));
          else
            writeFileSync(
              join(to, name),
              withChanges(
                entry.kept,
                entry.later.filter(() => luck.write()),
              ),
            );
        }
      }
    },
    differences() {
      const found: string[] = [];
      compare(top, root);
      return found;

      function compare(model: Folder, path: string): void {
        const real = new Map(readdirSync(path, { withFileTypes: true }).map((entry) => [entry.name, entry]));
        for (const name of new Set([...model.now.keys(), ...real.keys()])) {
          const [entry, there] = [model.now.get(name), join(path, name)];
          if (entry === undefined || !real.has(name)) found.push(`${there} is only ${entry === undefined ? "on the disk" : "in the model"}`);
          else if (entry.kind === "folder") compare(entry, there);
          // SQLite writes this file through memory, and rebuilds it after a crash.
          else if (!name.endsWith("-shm") && !withChanges(entry.kept, entry.later).equals(readFileSync(there))) found.push(`${there} has another content`);
        }
      }
    },
  };
}

/** The surviving changes of names: some of each folder, and the other halves of surviving renames with what they depend on. */
function chooseNames(top: Folder, luck: Luck): ReadonlySet<NameChange> {
  const chosen = new Set<NameChange>();
  const visited = new Set<Folder>();
  function choose(change: NameChange): void {
    if (chosen.has(change) || !change.folder.later.includes(change)) return;
    chosen.add(change);
    for (const other of change.folder.later) if (other.name === change.name && other.order < change.order) choose(other);
    if (change.partner !== undefined) choose(change.partner);
  }
  function visit(folder: Folder): void {
    if (visited.has(folder)) return;
    visited.add(folder);
    for (const change of folder.later.slice(0, luck.names(folder.later.length))) choose(change);
    const entries = [...folder.kept.values(), ...folder.later.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))];
    for (const entry of entries) if (entry.kind === "folder") visit(entry);
  }
  visit(top);
  return chosen;
}

function withChanges(content: Buffer, changes: readonly FileChange[]): Buffer {
  let [size, room] = [content.length, content.length];
  for (const { change } of changes) {
    size = "size" in change ? change.size : Math.max(size, change.at + change.bytes.length);
    room = Math.max(room, size);
  }
  if (changes.length === 0) return content;
  const result = Buffer.alloc(room);
  content.copy(result);
  let length = content.length;
  for (const { change } of changes) {
    if ("size" in change) {
      if (change.size < length) result.fill(0, change.size, length);
      length = change.size;
    } else {
      change.bytes.copy(result, change.at);
      length = Math.max(length, change.at + change.bytes.length);
    }
  }
  return result.subarray(0, size);
}
