import { decodeAs } from "../text-encoding.ts";
import type { Body } from "./read-body.ts";

const BYTE_ORDER_MARKS: readonly [encoding: string, mark: readonly number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
];
/** Browsers scan at least 1,024 bytes for a declared encoding. */
const PRESCAN_BYTES = 4096;

/** HTML standard section 13.2.3.2. Never throws: invalid bytes become U+FFFD. */
export function decodePage(
  { bytes, isTruncated }: Body,
  contentType: string | null,
): { text: string; encoding: string } {
  const encoding =
    detectBomEncoding(bytes) ??
    findEncoding(parseCharset(contentType)) ??
    findDeclaredEncoding(bytes) ??
    guessEncoding(bytes, isTruncated);
  return { text: decodeAs(encoding, bytes), encoding };
}

function detectBomEncoding(bytes: Buffer): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

function parseCharset(contentType: string | null): string | undefined {
  return /;\s{0,99}charset\s{0,99}=[\s"]{0,99}([\w:.+-]{1,40})/i.exec(contentType ?? "")?.[1];
}

function findEncoding(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function findDeclaredEncoding(bytes: Buffer): string | undefined {
  const start = bytes
    .toString("latin1", 0, PRESCAN_BYTES)
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .trimStart();
  const label =
    /^<\?xml[^>]{0,200}\sencoding\s{0,99}=\s{0,99}["']([\w:.+-]{1,40})/i.exec(start)?.[1] ??
    /<meta\s[^>]{0,400}?charset\s{0,99}=[\s"']{0,99}([\w:.+-]{1,40})/i.exec(start)?.[1];
  const encoding = findEncoding(label);
  // A declaration that is readable as ASCII cannot be UTF-16 (HTML standard section 13.2.3.2).
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

function guessEncoding(bytes: Buffer, isTruncated: boolean): string {
  try {
    // A character cut by the size limit does not make the text invalid UTF-8.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isTruncated });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}
