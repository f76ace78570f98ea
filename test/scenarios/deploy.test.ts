import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { defaultConfigFile } from "../../src/config/config.ts";
import { settings } from "../../src/config/settings.ts";
import { ensureBuilt } from "../../tools/build.mjs";
import { repositoryRoot } from "../../tools/repository.ts";
import { serverFlags } from "../../tools/server-flags.mjs";
import { freePort } from "../kit/free-port.ts";
import { helm, helmMissing } from "../kit/helm.ts";
import { polling } from "../kit/polling.ts";

const folder = join(repositoryRoot, "deploy");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const files = globSync("**/*", { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
const ports = { http: 3000, ssh: 2222 };
/** A variable of example.env in compose.yaml; `:?` refuses an empty one. */
const variable = /\$\{(\w+)(?::\?)?\}/g;

test("every setting in the files for deployment exists", () => {
  const known = new Set(defaultConfigFile().match(/HEARTH_\w+/g));
  known.add("HEARTH_CONFIG");
  const used = new Set(files.flatMap((file) => read(join(file.parentPath.slice(folder.length), file.name)).match(/HEARTH_\w+/g) ?? []));
  expect(used.size).toBeGreaterThan(12);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
});

test("the image contains everything that the program needs", { timeout: 300_000 }, async () => {
  await ensureBuilt();
  const text = read("Containerfile");
  const scratch = mkdtempSync(join(tmpdir(), "hearth-image-"));
  try {
    // The build stage: the packages that `npm prune` keeps, and the built program.
    const source = join(scratch, "src");
    const listed = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], { cwd: repositoryRoot, encoding: "utf8" });
    const removed = /rm -rf (\S+)/.exec(text)?.[1] ?? "";
    const packages = listed
      .split("\n")
      .flatMap((path) => (path.includes("/node_modules/") ? path.slice(repositoryRoot.length + 1) : []))
      .filter((path) => !matchesGlob(path, removed));
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter((path) => /node-linux/.test(path))).toEqual([]);
    for (const path of ["package.json", "dist", "deploy/ready.mjs", ...packages]) cpSync(join(repositoryRoot, path), join(source, path), { recursive: true });
    const copied = [...text.matchAll(/^COPY --from=build \/src\/(\S+) (\S+)$/gm)].map(([, from = "", to = ""]) => [from, to] as const);
    expect(copied.length).toBeGreaterThan(2);
    for (const [from, to] of copied) {
      mkdirSync(join(scratch, "image", dirname(to)), { recursive: true });
      cpSync(join(source, from), join(scratch, "image", to), { recursive: true, verbatimSymlinks: true });
    }
    const command = [...JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)?.[1] ?? "[]"), ...JSON.parse(/^CMD (.*)$/m.exec(text)?.[1] ?? "[]")] as readonly string[];
    const start = ["tini", "--", "node", ...serverFlags];
    expect(command.slice(0, start.length)).toEqual(start);
    const environment = Object.fromEntries([...(/^ENV (.*)$/m.exec(text)?.[1] ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
    expect(environment).toMatchObject({ HEARTH_DATA: "/data", HEARTH_PORT: String(ports.http), HEARTH_SSH_PORT: String(ports.ssh) });
    expect(text).toContain(`EXPOSE ${ports.http} ${ports.ssh}`);
    const port = await freePort();
    const own = { ...environment, HEARTH_DATA: join(scratch, "data"), HEARTH_HOST: "127.0.0.1", HEARTH_PORT: String(port), HEARTH_SSH_ENABLED: "false" };
    const [program = "", ...args] = command.slice(start.length);
    const child = spawn(process.execPath, [join(scratch, "image", program), ...args], { env: { PATH: process.env.PATH, HOME: scratch, ...own }, cwd: scratch });
    try {
      const ready = () =>
        fetch(`http://127.0.0.1:${port}/api/readyz`).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(ready, polling).toBe(200);
      const [kind, node, script = "", asked] = parse(read("compose.yaml"), { merge: true }).services.node1.healthcheck.test as readonly string[];
      expect([kind, node, asked]).toEqual(["CMD", "node", String(ports.http)]);
      const check = (at: number) => spawnSync(process.execPath, [join(scratch, "image", script), String(at)]).status;
      expect([check(port), check(await freePort())]).toEqual([0, 1]);
    } finally {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

test("compose.yaml starts two nodes that differ in their folder only, behind a load balancer that asks whether they are ready", () => {
  const compose = parse(read("compose.yaml"), { merge: true });
  const { node1, node2, balancer, postgres, bucket, s3 } = compose.services;
  expect({ ...node1, volumes: [] }).toEqual({ ...node2, volumes: [] });
  expect(node1.volumes).not.toEqual(node2.volumes);
  const database = new URL(node1.environment.HEARTH_DATABASE_URL.replace(variable, "x"));
  expect(database.host).toBe("postgres");
  expect(postgres.environment.POSTGRES_USER).toBe(database.username);
  const storage = new URL(node1.environment.HEARTH_STORAGE_URL.replace("s3+http:", "http:"));
  expect(storage.host).toBe("s3:7070");
  expect(bucket.entrypoint.at(-1)).toBe(`${s3.command.at(-1)}${storage.pathname}`);
  const given = new Set([...read("example.env").matchAll(/^(\w+)=/gm)].map(([, name]) => name));
  const needed = new Set([...read("compose.yaml").matchAll(variable)].map(([, name]) => name));
  expect([...needed].sort()).toEqual([...given].sort());
  const proxy = read("haproxy.cfg");
  expect([...proxy.matchAll(/^ {2}server (\w+) (\w+):(\d+)$/gm)].map(([, name, host, port]) => [name, host, Number(port)])).toEqual([
    ["node1", "node1", ports.http],
    ["node2", "node2", ports.http],
    ["node1", "node1", ports.ssh],
    ["node2", "node2", ports.ssh],
  ]);
  expect(proxy.match(/option httpchk GET (\S+)/g)).toEqual(["option httpchk GET /api/readyz", "option httpchk GET /api/readyz"]);
  const servers = proxy.match(/^ {2}default-server .*$/gm) ?? [];
  expect(servers).toHaveLength(2);
  // The address of a container changes when it starts again.
  for (const line of servers) expect(line).toContain(`resolvers ${/^resolvers (\w+)$/m.exec(proxy)?.[1]} `);
  const bound = [...proxy.matchAll(/bind :(\d+)/g)].map(([, port]) => port);
  expect(balancer.ports.map((mapping: string) => mapping.split(":")[1])).toEqual(bound);
  // The balancer notices the state of a node before it refuses connections.
  const drainSeconds = Number(node1.environment.HEARTH_DRAIN_SECONDS);
  expect(drainSeconds).toBeGreaterThanOrEqual(4);
  expect(Number.parseInt(node1.stop_grace_period, 10)).toBeGreaterThan(drainSeconds + settings.server.stop_seconds.fallback);
  expect(node1).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
});

test("Podman finds each image and passes each health check on as it is", () => {
  const { services } = parse(read("compose.yaml"), { merge: true }) as {
    services: Record<string, { image: string; build?: object; healthcheck?: { test: readonly string[] } }>;
  };
  const bases = [...read("Containerfile").matchAll(/^FROM (\S+)/gm)].map(([, name]) => name);
  const images = Object.values(services).flatMap(({ image, build }) => (build === undefined ? image : []));
  // Podman completes no short names on some systems.
  expect([...bases, ...images].filter((name) => !name?.startsWith("docker.io/"))).toEqual([]);
  const checks = Object.values(services).flatMap(({ healthcheck }) => healthcheck?.test ?? []);
  expect(checks.length).toBeGreaterThan(5);
  // Podman 4 and podman-compose split arguments at spaces, or change quotes.
  expect(checks.filter((argument) => !/^[\w./-]+$/.test(argument))).toEqual([]);
});

test("the file with the passwords of compose.yaml enters neither the repository nor an image", () => {
  const ignored = execFileSync("git", ["check-ignore", "--no-index", "deploy/.env"], { cwd: repositoryRoot, encoding: "utf8" });
  expect(ignored.trim()).toBe("deploy/.env");
  const left = readFileSync(join(repositoryRoot, ".dockerignore"), "utf8").trim().split("\n");
  expect(left.some((pattern) => matchesGlob("deploy/.env", pattern))).toBe(true);
});

const helmName = helmMissing === undefined ? "" : ` (${helmMissing})`;
test.skipIf(helmMissing !== undefined)(`the chart is valid, and renders nodes with probes, limits and a secret${helmName}`, { timeout: 900_000 }, async () => {
  const chart = join(folder, "helm");
  const secret = ["--set", "secret.HEARTH_DATABASE_URL=postgres://db/hearth", "--set", "secret.HEARTH_SECRET_KEY=00"];
  expect(await helm("lint", "--strict", chart, ...secret)).toContain("0 chart(s) failed");
  const render = async (...options: readonly string[]) =>
    parseAllDocuments(await helm("template", "site", chart, ...options)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    });
  const rendered = await render(...secret, "--set", "ingress.enabled=true", "--set", "ingress.tlsSecret=tls");
  const byKind = new Map(rendered.map((one) => [one.kind, one]));
  expect([...byKind.keys()].sort()).toEqual(["Deployment", "Ingress", "PodDisruptionBudget", "Secret", "Service"]);
  const { spec } = byKind.get("Deployment").spec.template;
  const [container] = spec.containers;
  expect(container.ports.map(({ containerPort }: { containerPort: number }) => containerPort)).toEqual([ports.http, ports.ssh]);
  expect(container.readinessProbe.httpGet).toEqual({ path: "/api/readyz", port: "http" });
  expect(container.envFrom).toEqual([{ secretRef: { name: byKind.get("Secret").metadata.name } }]);
  const numberOf = (name: string) => Number(container.env.find((one: { name: string }) => one.name === name).value);
  expect(numberOf("HEARTH_DRAIN_SECONDS")).toBeGreaterThanOrEqual(2 * container.readinessProbe.periodSeconds);
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(numberOf("HEARTH_DRAIN_SECONDS") + 15);
  expect(numberOf("HEARTH_CACHE_BYTES")).toBeLessThan(Number.parseInt(spec.volumes[0].emptyDir.sizeLimit, 10) * 1024 ** 3);
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
  const { selector } = byKind.get("Service").spec;
  expect(byKind.get("Deployment").spec.template.metadata.labels).toMatchObject(selector);
  expect((await render("--set", "existingSecret=mine")).map(({ kind }) => kind)).not.toContain("Secret");
  await expect(helm("template", "site", chart)).rejects.toThrow(/set existingSecret, or secret with HEARTH_DATABASE_URL/);
});
