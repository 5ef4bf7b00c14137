import iconv from "iconv-lite";

export function detectUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** WHATWG MIME Sniffing section 3: bytes that no text contains. */
export function isBinaryByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}

/** A last character that is cut off does not make UTF-8 invalid. */
export function decodeText(bytes: Buffer): string {
  const utf16 = detectUtf16(bytes);
  if (utf16 !== undefined) return decodeAs(utf16, bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return decodeAs(findNamedEncoding(bytes) ?? "windows-1252", bytes);
  }
}

/** Some Node.js versions decode Windows-1252 as ISO 8859-1. Invalid bytes become U+FFFD. */
export function decodeAs(encoding: string, bytes: Buffer): string {
  return encoding === "windows-1252" ? iconv.decode(bytes, encoding) : new TextDecoder(encoding).decode(bytes);
}

function findNamedEncoding(bytes: Buffer): string | undefined {
  const label = /<meta[^>]{0,200}charset\s{0,99}=[\s"']{0,99}([\w-]{2,40})/i.exec(
    bytes.toString("latin1", 0, 2048),
  )?.[1];
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
