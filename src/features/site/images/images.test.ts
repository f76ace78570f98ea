import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type Receiver, startReceiver } from "../../../../test/kit/receiver.ts";

const gif = "GIF89a and the rest of the image";
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

eachDialect((dialect) => {
  let host: Receiver;
  let forge: TestForge;
  let alice: TestUser;
  let requested = 0;
  const newAddress = (): string => {
    requested += 1;
    return `${host.url}/${requested}.gif`;
  };

  beforeAll(async () => {
    host = await startReceiver();
    forge = await startForge({ dialect, environment: { HEARTH_IMAGES_ALLOWED_HOSTS: "127.0.0.1" } });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "demo", auto_init: true }).expect(201);
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  });
  afterEach(() => {
    host.received.length = 0;
  });

  const answerWith = (type: string, body: string, status = 200): void => {
    host.answers = () => ({ status, headers: { "content-type": type }, body });
  };
  /** The address on this server of an image with an address that no test has used. */
  const shown = async (address = newAddress()): Promise<string> => {
    const issue = await alice.post("/repos/alice/demo/issues", { title: "image", body: `![x](${address})` }).expect(201);
    const html = await (await fetch(`${forge.url}/alice/demo/issues/${issue.number}`)).text();
    return /<img alt="x"[^>]* src="([^"]*)"/.exec(html)?.[1] ?? "";
  };
  const load = (address: string, headers: Record<string, string> = {}) => fetch(address, { headers, redirect: "manual" });

  describe("an image of another host", () => {
    test("an image is loaded through this server, without anything of the reader", async () => {
      answerWith("image/gif", gif);
      const address = await shown();
      expect(address).toMatch(new RegExp(`^${forge.url}/-/image/[0-9a-f]{64}/[\\w-]+$`));
      const image = await load(address, { cookie: "hearth=secret", referer: `${forge.url}/alice/secret`, "accept-language": "de" });
      expect(image.status).toBe(200);
      expect(await image.text()).toBe(gif);
      expect(["content-type", "content-security-policy", "x-content-type-options", "cache-control"].map((name) => image.headers.get(name))).toEqual([
        "image/gif",
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "nosniff",
        "public, max-age=600",
      ]);
      expect(host.received).toHaveLength(1);
      const { cookie, referer, "accept-language": language } = host.received[0]?.headers ?? {};
      expect([cookie, referer, language]).toEqual([undefined, undefined, undefined]);
    });

    test("is requested once for many readers, and not again for a reader with the same image", async () => {
      answerWith("image/svg+xml", svg);
      const address = await shown();
      const images = await Promise.all([load(address), load(address), load(address)]);
      expect(images.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(images[0]?.headers.get("content-type")).toBe("image/svg+xml");
      expect((await load(address, { "if-none-match": images[0]?.headers.get("etag") ?? "" })).status).toBe(304);
      expect(host.received).toHaveLength(1);
    });

    test("needs the signature of this server", async () => {
      answerWith("image/gif", gif);
      const [, signature = "", encoded = ""] = /image\/(\w+)\/([\w-]+)$/.exec(await shown()) ?? [];
      const other = Buffer.from(`${host.url}/other.png`).toString("base64url");
      for (const path of [`${signature}/${other}`, `${"0".repeat(64)}/${encoded}`, `x/${encoded}`, `${signature}/`, `${signature}/%00`]) {
        expect((await load(`${forge.url}/-/image/${path}`)).status, path).toBe(404);
      }
      expect(host.received).toEqual([]);
    });

    test.each([
      ["a page", "text/html", "<script>alert(1)</script>"],
      ["a page declared as an image", "image/gif", "<script>alert(1)</script>"],
      ["an image declared as a page", "text/html", gif],
      ["an empty response", "image/gif", ""],
      ["an image of more than 5 MiB", "image/gif", gif + "x".repeat(5 * 1024 * 1024)],
    ])("an image is not found if the response is %s, and its host is not called again for the next reader", async (_name, type, body) => {
      answerWith(type, body);
      const address = await shown();
      expect([(await load(address)).status, (await load(address)).status]).toEqual([404, 404]);
      expect(host.received).toHaveLength(1);
    });

    test("is not found if its host answers with an error or closes the connection", async () => {
      answerWith("image/gif", gif, 500);
      expect((await load(await shown())).status).toBe(404);
      host.answers = () => undefined;
      expect((await load(await shown())).status).toBe(404);
    });

    test("an image is found after redirects to allowed hosts, and not after others", async () => {
      const target = new URL(host.url);
      const { port } = target;
      const leadingTo = (location: string): void => {
        host.answers = ({ path }) =>
          path === "/target" ? { status: 200, headers: { "content-type": "image/gif" }, body: gif } : { status: 302, headers: { location } };
      };
      leadingTo("/target");
      expect((await load(await shown())).status).toBe(200);
      for (const location of [
        `http://127.0.0.2:${port}/target`,
        `http://[::1]:${port}/target`,
        `http://2130706434:${port}/target`,
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/",
        "file:///etc/passwd",
        "/loop",
      ]) {
        leadingTo(location);
        expect((await load(await shown())).status, location).toBe(404);
      }
      expect(host.received.filter(({ path }) => path === "/target")).toHaveLength(1);
    });

    test("on a host that is not allowed is never requested", async () => {
      for (const host of ["127.0.0.2", "[::1]", "192.168.0.1"]) expect((await load(await shown(`http://${host}/a.png`))).status, host).toBe(404);
    });
  });

  test("images of other hosts are shown as text if the setting is off", async () => {
    await using closed = await startForge({ dialect, environment: { HEARTH_IMAGES_ENABLED: "false" } });
    const bob = await closed.createUser("bob");
    await bob.post("/user/repos", { name: "demo", auto_init: true }).expect(201);
    await bob.post("/repos/bob/demo/issues", { title: "image", body: "![the words](https://other.example/a.png)" }).expect(201);
    const html = await (await fetch(`${closed.url}/bob/demo/issues/1`)).text();
    expect(html).toContain('<span class="badge" title="https://other.example/a.png">the words</span>');
  });
});
