/** Parses a Cookie header (RFC 6265 section 4.2.1). */
export function findCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/; */).find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
