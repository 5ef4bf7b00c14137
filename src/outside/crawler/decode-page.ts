import { decodeAs } from "../text-encoding.ts";
import type { Body } from "./read-body.ts";

const BYTE_ORDER_MARKS: readonly [encoding: string, mark: readonly number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
];
/** How far into a page its own word about its encoding is looked for; browsers look at 1,024 bytes at least. */
const PRESCAN_BYTES = 4096;

/**
 * Text with the encoding that it was read in, as browsers choose it (HTML standard, section 13.2.3.2): its byte order mark, its
 * Content-Type, what it says itself, else UTF-8 where it is that, and Windows-1252, which gives every byte a meaning. Never throws:
 * what is not of its encoding becomes U+FFFD.
 */
export function decodePage(
  { bytes, isTruncated }: Body,
  contentType: string | null,
): { text: string; encoding: string } {
  const encoding =
    markOf(bytes) ?? encodingOf(charsetOf(contentType)) ?? declaredIn(bytes) ?? guessed(bytes, isTruncated);
  return { text: decodeAs(encoding, bytes), encoding };
}

function markOf(bytes: Buffer): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

function charsetOf(contentType: string | null): string | undefined {
  return /;\s{0,99}charset\s{0,99}=[\s"]{0,99}([\w:.+-]{1,40})/i.exec(contentType ?? "")?.[1];
}

/** The WHATWG name of the encoding that goes by this label; undefined where none does. */
function encodingOf(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function declaredIn(bytes: Buffer): string | undefined {
  const start = bytes
    .toString("latin1", 0, PRESCAN_BYTES)
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .trimStart();
  const label =
    /^<\?xml[^>]{0,200}\sencoding\s{0,99}=\s{0,99}["']([\w:.+-]{1,40})/i.exec(start)?.[1] ??
    /<meta\s[^>]{0,400}?charset\s{0,99}=[\s"']{0,99}([\w:.+-]{1,40})/i.exec(start)?.[1];
  const encoding = encodingOf(label);
  // What could be read as far as that is not UTF-16 (section 13.2.3.2, step 12 of getting an attribute's encoding).
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

function guessed(bytes: Buffer, isTruncated: boolean): string {
  try {
    // A last character that our limit cut off does not make it another encoding.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isTruncated });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}
