import shapes from "../../../ui/icon-shapes.json" with { type: "json" };
import { drawIdenticon, identiconSides } from "../../accounts/avatars/identicon.ts";
import { type Rgb, writeTwoColourPng } from "../../accounts/avatars/png-writer.ts";

const background: Rgb = [255, 255, 255];
const foreground: Rgb = [190, 60, 20];

/** The logo's flame in 16 by 16 cells. */
const flame = [
  "........#.......",
  "........##......",
  ".......###......",
  "......####......",
  ".....#####.#....",
  "....######.##...",
  "....##########..",
  "..#..#########..",
  ".##..##########.",
  ".##############.",
  ".######.#######.",
  ".#####...######.",
  ".####.....####..",
  "..###.....####..",
  "...###...####...",
  ".....######.....",
];
/** Pixels per cell, in both directions. */
const scale = 4;

function drawFlame(): Buffer {
  const rows = flame.map((cells) => {
    const bits = [...cells].flatMap((cell) => Array<number>(scale).fill(cell === "#" ? 1 : 0));
    return Buffer.from(Array.from({ length: bits.length / 8 }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(""), 2)));
  });
  return writeTwoColourPng(flame.length * scale, [background, foreground], (y) => rows[Math.floor(y / scale)] ?? Buffer.alloc(0));
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="64" height="64"><path fill="#be3c14" d="${shapes.flame}"/></svg>\n`;

/** Pictures at well-known addresses; `avatar_default.png` is for deleted accounts. */
export const sitePictures: ReadonlyMap<string, { readonly type: string; readonly content: Buffer }> = new Map([
  ["logo.svg", { type: "image/svg+xml", content: Buffer.from(logo) }],
  ["favicon.svg", { type: "image/svg+xml", content: Buffer.from(logo) }],
  ["favicon.png", { type: "image/png", content: drawFlame() }],
  ["logo.png", { type: "image/png", content: drawFlame() }],
  ["avatar_default.png", { type: "image/png", content: drawIdenticon("0".repeat(32), identiconSides.default) }],
]);
