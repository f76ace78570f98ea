import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureBuilt } from "../../tools/build.mjs";
import { repositoryRoot } from "../../tools/repository.ts";
import { freePort } from "./free-port.ts";
import { type FencedBlock, readBlocks } from "./shell-blocks.ts";

/**
 * A machine on which the commands of the operator pages run: the paths of the pages are in a scratch folder, the ports are free ones, and
 * commands that need root or systemd are replaced by scripts.
 */
export interface InstalledSite extends AsyncDisposable {
  readonly url: string;
  /** The folder in which `/etc`, `/opt`, `/usr/local` and `/var` of the pages are. */
  readonly root: string;
  /** Runs the `sh` blocks of a page, in one shell. @returns the output of each block, by its line @throws Error with the output of a failed block */
  runPage(page: string, options?: RunOptions): Promise<ReadonlyMap<number, string>>;
  /** Runs a script. @returns its output */
  run(script: string, environment?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs a script in the root folder of the project, and ends the server that it has started. @returns its output */
  runInProject(script: string, environment: Readonly<Record<string, string>>): Promise<string>;
  /** A path or port of the pages, as it is here. */
  translate(text: string): string;
}

export interface RunOptions {
  /** Marks of blocks that run in addition to those without a mark. */
  readonly marks?: readonly string[];
  readonly replacing?: Readonly<Record<string, string>>;
  /** Called before a block, for what a block without commands stands for. */
  readonly before?: (block: FencedBlock) => Promise<void>;
}

/** Paths of the pages that are in the scratch folder. */
const places = ["/opt/hearth", "/etc/hearth", "/etc/systemd/system", "/usr/local/bin", "/var/lib/hearth", "/var/backups/hearth", "/var/tmp/hearth"];

/** Scripts in place of programs that need root or wait. `systemctl` starts the command of the unit file, with its environment. */
const scripts: Readonly<Record<string, string>> = {
  runuser: `while [ "$1" != -- ]; do shift; done; shift; exec "$@"`,
  chown: "exit 0",
  useradd: "exit 0",
  "apt-get": "exit 0",
  journalctl: `cat "$MACHINE/log"`,
  // The real one waits a second before it connects again, then two and four.
  curl: `
export PATH="\${PATH#*:}"
case " $* " in *" --retry-connrefused "*) ;; *) exec curl "$@" ;; esac
for attempt in $(seq 400); do
  code=0
  curl "$@" --retry 0 > "$MACHINE/curl.output" 2> "$MACHINE/curl.errors" || code=$?
  [ "$code" = 7 ] || break
  sleep 0.05
done
cat "$MACHINE/curl.output"
cat "$MACHINE/curl.errors" >&2
exit "$code"`,
  systemctl: `
unit="$MACHINE/hearth.unit"
start() {
  sed -e "s#/usr/bin/node#$NODE#g" -e "s#/opt/hearth#$MACHINE/opt/hearth#g" -e "s#/etc/hearth#$MACHINE/etc/hearth#g" "$MACHINE/etc/systemd/system/hearth.service" > "$unit"
  : >> "$MACHINE/log"
  (
    export $(sed -n 's/^Environment=//p' "$unit")
    cd "$MACHINE" && exec setsid $(sed -n 's/^ExecStart=//p' "$unit") >> "$MACHINE/log" 2>&1
  ) &
  echo $! > "$MACHINE/pid"
}
stop() {
  [ -e "$MACHINE/pid" ] || return 0
  kill -TERM "$(cat "$MACHINE/pid")" && while grep -q "^State:[[:space:]]*[^Z]" "/proc/$(cat "$MACHINE/pid")/status" 2> /dev/null; do sleep 0.05; done
  rm "$MACHINE/pid"
}
case "$*" in
  daemon-reload | "enable --now hearth-backup.timer") ;;
  "enable --now hearth" | "start hearth") start ;;
  "stop hearth") stop ;;
  "reload hearth") kill -HUP "$(cat "$MACHINE/pid")" ;;
  *) echo "systemctl $*: not expected" >&2; exit 1 ;;
esac`,
};

/** @param scratch an empty folder, which is deleted with the site */
export async function createSite(scratch: string): Promise<InstalledSite> {
  await ensureBuilt();
  const root = mkdtempSync(join(scratch, "site-"));
  const bin = join(root, "bin");
  for (const folder of ["bin", "opt", "usr/local/bin", "etc/systemd/system", "var/lib", "var/backups", "var/tmp"])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(repositoryRoot, join(root, "opt/hearth"));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const [http, ssh] = [await freePort(), await freePort()];
  const environment = {
    MACHINE: root,
    NODE: process.execPath,
    PATH: [bin, join(root, "usr/local/bin"), join(repositoryRoot, "node_modules/.bin"), process.env.PATH].join(delimiter),
    HOME: root,
    HEARTH_PORT: String(http),
    HEARTH_SSH_PORT: String(ssh),
    HEARTH_SSH_HOST: "127.0.0.1",
  };
  const translate = (text: string): string =>
    places
      .reduce((changed, place) => changed.replaceAll(place, root + place), text)
      .replaceAll("/usr/bin/node", process.execPath)
      .replaceAll(":3000", `:${http}`)
      .replaceAll(":2222", `:${ssh}`);

  const run = (script: string, extra: Readonly<Record<string, string>> = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd: root, env: { ...environment, ...extra }, stdio: ["ignore", "pipe", "pipe"] });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      // Not `close`: a service that the script has started keeps running.
      child.once("exit", (code) => (code === 0 ? resolve(output) : reject(new Error(`exit code ${code}:\n${script}\n${output}`))));
    });

  return {
    url: `http://127.0.0.1:${http}`,
    root,
    run,
    translate,
    async runInProject(script, extra) {
      const url = `http://127.0.0.1:${http}`;
      const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
        cwd: repositoryRoot,
        env: { ...environment, ...extra },
        stdio: ["ignore", "pipe", "pipe"],
        // A process group of its own, which the server is part of.
        detached: true,
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      const [code] = (await once(child, "exit")) as [number | null];
      if (child.pid !== undefined && (await isListening(url))) {
        process.kill(-child.pid, "SIGTERM");
        while (await isListening(url)) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      if (code !== 0) throw new Error(`exit code ${code}:\n${script}\n${output}`);
      return output;
    },
    async runPage(page, { marks = [], replacing = {}, before } = {}) {
      const outputs = new Map<number, string>();
      let state = "";
      for (const block of readBlocks(page)) {
        await before?.(block);
        if (block.language !== "sh" || (block.mark !== "" && !marks.includes(block.mark))) continue;
        let text = translate(block.text);
        for (const [from, to] of Object.entries(replacing)) text = text.replaceAll(from, to);
        const stateFile = join(root, "state");
        const output = await run(
          `${state}\n${text}\n{ declare -p backup 2>/dev/null || true; export -p | grep HEARTH_ || true; echo "cd '$PWD'"; } > '${stateFile}'`,
        ).catch((error: Error) => {
          throw new Error(`${page}:${block.line}: ${error.message}`, { cause: error });
        });
        state = readFileSync(stateFile, "utf8");
        outputs.set(block.line, output);
      }
      return outputs;
    },
    async [Symbol.asyncDispose]() {
      if (existsSync(join(root, "pid"))) await run("systemctl stop hearth");
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const isListening = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );
