import { crc32, deflateSync, inflateSync } from "node:zlib";

// Converts PNG as written by Chromium (eight bits per channel, not interlaced) to a palette
// (https://www.w3.org/TR/png-3/).

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const MAX_COLOURS = 256;

/** Reduces a picture to at most 256 colours, which suffice for pages and antialiased text. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = decodePng(png);
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_COLOURS)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, at) => [colour, at]));
  const rows = Buffer.alloc(height * (width + 1));
  for (const [at, colour] of pixels.entries()) {
    let place = places.get(colour);
    if (place === undefined) places.set(colour, (place = nearest(colour, palette)));
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = place;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap((colour) => channels(colour)))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function nearest(colour: number, palette: readonly number[]): number {
  const [red, green, blue] = channels(colour);
  const distances = palette.map((one) => {
    const [r, g, b] = channels(one);
    return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
  });
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Pixels as 0xRRGGBB, row by row. Transparency is ignored. */
function decodePng(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const [width, height, type] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
  const size = type === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * size;
  let above = new Uint8Array(stride);
  const pixels = new Uint32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1);
    const line = unfilterRow(raw[from] ?? 0, raw.subarray(from + 1, from + 1 + stride), { above, size });
    for (let at = 0; at < width; at += 1) {
      const [red = 0, green = 0, blue = 0] = line.subarray(at * size);
      pixels[row * width + at] = (red << 16) | (green << 8) | blue;
    }
    above = line;
  }
  return { width, height, pixels };
}

/** Reverses the filter of a row (section 9). */
function unfilterRow(filter: number, line: Uint8Array, { above, size }: { above: Uint8Array; size: number }) {
  const plain = new Uint8Array(line.length);
  for (let at = 0; at < line.length; at += 1) {
    const left = at < size ? 0 : (plain[at - size] ?? 0);
    const corner = at < size ? 0 : (above[at - size] ?? 0);
    const up = above[at] ?? 0;
    const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
    plain[at] = (line[at] ?? 0) + (guesses[filter] ?? 0);
  }
  return plain;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
