import { expect, test } from "vitest";
import { parseStorageUrl } from "./storage-url.ts";

test.each([
  ["s3://s3.example.org/files", { bucketUrl: "https://s3.example.org/files", region: "us-east-1", prefix: "" }],
  [
    "s3://s3.example.org:9000/files/hearth/a/?region=eu-central-1",
    { bucketUrl: "https://s3.example.org:9000/files", region: "eu-central-1", prefix: "hearth/a/" },
  ],
  ["s3+http://127.0.0.1:9000/my.files", { bucketUrl: "http://127.0.0.1:9000/my.files", region: "us-east-1", prefix: "" }],
])("%s is a valid storage URL", (text, expected) => expect(parseStorageUrl(text)).toEqual(expected));

test.each([
  "",
  "https://s3.example.org/files",
  "s3://",
  "s3://s3.example.org",
  "s3://s3.example.org/",
  "s3://key:secret@s3.example.org/files",
  "s3://s3.example.org/files/.hidden",
  "s3://s3.example.org/Files",
  "s3://s3.example.org/files?acl=public",
  "s3://s3.example.org/files/a//b",
])("%s is not a storage URL", (text) => expect(parseStorageUrl(text)).toBeUndefined());
