/** Width of a text in Latin characters; Chinese, Japanese and Korean characters count twice. */
export function measureDisplayWidth(text: string): number {
  let width = 0;
  for (const character of text.replaceAll(/\s+/g, " ").trim().slice(0, 5000)) {
    const point = character.codePointAt(0) ?? 0;
    const isWide =
      (point >= 0x1100 && point <= 0x115f) ||
      (point >= 0x2e80 && point <= 0xa4cf) ||
      (point >= 0xac00 && point <= 0xd7a3) ||
      (point >= 0xf900 && point <= 0xfaff) ||
      (point >= 0xff00 && point <= 0xff60);
    width += isWide ? 2 : 1;
  }
  return width;
}
