// Calls the official toolkit from a step of a job. Commands are separated by "--".
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (/** @type {string} */ path) => createHash("sha256").update(readFileSync(path)).digest("hex");

async function artifacts() {
  const { DefaultArtifactClient } = await import("@actions/artifact");
  return new DefaultArtifactClient();
}

/** @type {Readonly<Record<string, (...given: string[]) => Promise<void>>>} */
const commands = {
  async upload(name = "", ...files) {
    const { size, digest } = await (await artifacts()).uploadArtifact(name, files, ".", { retentionDays: 5 });
    console.log(`uploaded ${name} ${size} ${digest}`);
  },
  async single(file = "") {
    await (await artifacts()).uploadArtifact("", [file], ".", { skipArchive: true });
  },
  async download(name = "", file = "") {
    const client = await artifacts();
    const { artifact } = await client.getArtifact(name);
    const { downloadPath, digestMismatch } = await client.downloadArtifact(artifact.id, { path: "received", expectedHash: artifact.digest ?? "" });
    console.log(`downloaded ${name} ${digestMismatch} ${sha256(`${downloadPath}/${file}`)}`);
  },
  async list() {
    const { artifacts: found } = await (await artifacts()).listArtifacts();
    const names = found.map(({ name }) => name).sort();
    console.log(`listed ${names.join(" ")}`);
  },
  async identify(audience = "") {
    const { getIDToken } = await import("@actions/core");
    // In parts, because logs hide the token.
    console.log(`identity ${(await getIDToken(audience || undefined)).split(".").join(" ")}`);
  },
  async save(key = "", ...paths) {
    const { saveCache } = await import("@actions/cache");
    console.log(`saved ${await saveCache(paths, key)}`);
  },
  async restore(key = "", path = "", ...further) {
    const { restoreCache } = await import("@actions/cache");
    const found = await restoreCache([path], key, further);
    console.log(`restored ${found} ${found === undefined ? "" : sha256(path)}`);
  },
  async summarize(title = "", link = "") {
    const { summary } = await import("@actions/core");
    await summary
      .addHeading(title)
      .addTable([
        [
          { data: "Test", header: true },
          { data: "Result", header: true },
        ],
        ["valve", "passed"],
      ])
      .addEOL()
      .addRaw(`[the code](${link})`, true)
      .write();
  },
  async delete(name = "") {
    await (await artifacts()).deleteArtifact(name);
  },
};

const words = process.argv.slice(2);
while (words.length > 0) {
  const end = words.indexOf("--");
  const [name = "", ...given] = words.splice(0, end === -1 ? words.length : end + 1).filter((word) => word !== "--");
  await commands[name]?.(...given);
}
