/** UTF-16 as its byte order mark says; undefined without one. */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Bytes that no text has (WHATWG MIME Sniffing, section 3). */
export function isBinaryByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}

/**
 * Text in UTF-16 with a byte order mark, in UTF-8, or else in the encoding that an HTML file names, or Windows-1252,
 * which gives every byte a meaning. A cut last character does not make UTF-8 another encoding.
 */
export function decodeText(bytes: Buffer): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return decodeAs(utf16, bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return decodeAs(namedEncoding(bytes) ?? "windows-1252", bytes);
  }
}

/** Bytes 0x80 to 0x9F of Windows-1252 (WHATWG Encoding, index-windows-1252): the five that it leaves out are controls. */
const WINDOWS_1252 =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

/**
 * Text in the encoding of this WHATWG name. What is not of the encoding becomes U+FFFD. Windows-1252 is read here, as some
 * versions of Node.js take it for ISO 8859-1, where quotation marks and the euro are control characters.
 */
export function decodeAs(encoding: string, bytes: Buffer): string {
  if (encoding !== "windows-1252") return new TextDecoder(encoding).decode(bytes);
  return bytes.toString("latin1").replaceAll(/[\x80-\x9f]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte);
}

function namedEncoding(bytes: Buffer): string | undefined {
  const label = /<meta[^>]{0,200}charset\s{0,99}=[\s"']{0,99}([\w-]{2,40})/i.exec(
    bytes.toString("latin1", 0, 2048),
  )?.[1];
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    // Unknown encoding label.
    return undefined;
  }
}
