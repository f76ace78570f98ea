import { timingSafeEqual } from "node:crypto";
import type { Sealer } from "../../../core/sealer.ts";
import { readWebAddress } from "../../../core/web-address.ts";

/** Longer addresses are not loaded. */
const maxLength = 2_000;
const purpose = "image address";

/** Addresses of images on other hosts, as addresses of this server. The signature shows that a text of this server contains the image. */
export interface ImageAddresses {
  /** The path that loads an image; undefined for an address that the server does not call. */
  pathOf(address: string): string | undefined;
  /** The address in a path; undefined if the signature is wrong. */
  read(signature: string, encoded: string): URL | undefined;
}

export function createImageAddresses({ sealer }: { readonly sealer: Pick<Sealer, "sign"> }): ImageAddresses {
  return {
    pathOf(address) {
      const url = address.length > maxLength ? undefined : readWebAddress(address);
      return url && `/-/image/${sealer.sign(purpose, url.href)}/${Buffer.from(url.href).toString("base64url")}`;
    },
    read(signature, encoded) {
      const address = Buffer.from(encoded, "base64url").toString("utf8");
      const expected = Buffer.from(sealer.sign(purpose, address));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected) ? readWebAddress(address) : undefined;
    },
  };
}
