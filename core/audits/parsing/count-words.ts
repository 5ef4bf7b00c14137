/** A word has a letter or digit. Two Chinese or Japanese characters count as one word. */
export function countWords(text: string): number {
  let [words, ideographs] = [0, 0];
  let isInWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isIdeograph(code)) {
      ideographs += 1;
      isInWord = false;
    } else if (isSpace(code)) isInWord = false;
    else if (!isInWord && isLetterOrDigit(code)) {
      isInWord = true;
      words += 1;
    }
  }
  return words + Math.round(ideographs / 2);
}

/** Kana and Han characters. */
export function isIdeograph(code: number): boolean {
  return (
    code >= 0x3041 &&
    ((code <= 0x30ff && code !== 0x30fb) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff))
  );
}

const isSpace = (code: number) =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200b);

function isLetterOrDigit(code: number): boolean {
  if (code < 0x80) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return code >= 0xc0 && !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0x3000 && code <= 0x3040) && code !== 0x30fb;
}
