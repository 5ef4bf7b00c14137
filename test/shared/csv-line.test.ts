import { expect, test } from "vitest";
import { formatCsvLine } from "../../core/shared/csv-line.ts";

/**
 * Parses a line like a program that separates fields by `separator` and treats quotes only at the
 * start of a field.
 */
function fieldsOf(text: string, separator: string): string[] {
  const fields: string[] = [];
  let [field, isQuoted, isFresh] = ["", false, true];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') field += text[++at] ?? "";
      else isQuoted = false;
    } else if (isFresh && character === '"') [isQuoted, isFresh] = [true, false];
    else if (character === separator || character === "\n" || character === "\r") {
      fields.push(field);
      [field, isFresh] = ["", true];
    } else [field, isFresh] = [field + character, false];
  }
  return [...fields, field];
}

/** Reading back, as docs/exports.md describes it. */
const APOSTROPHE = /(^|[;\t\r\n])'(?='*[ "\v\f\u00A0\u2000-\u200A\u202F\u3000\uFEFF]*[=+\-@＝＋－＠])/g;
const original = (text: string) => text.replace(APOSTROPHE, "$1");
const isFormula = (field: string) => /^\s*[=+\-@＝＋－＠]/.test(field);

const HOSTILE = ["", " ", "\u00A0", "\u3000", "'", "''", '"', '""', ' "', '" "', "x"].flatMap((before) =>
  ["", ";", "\t", "\r", "\n", "\r\n", "x;", "x\t", "x\n", 'x";', "x;;", "; ", "'\n", ",", 'x",'].flatMap((separator) =>
    ["=1+1", "+1", "-1", "@A1", "＝1", "＋1", "－1", "＠A1"].map((formula) => `${separator}${before}${formula};x`),
  ),
);

test("writes no field as a formula, whichever separator a spreadsheet expects", () => {
  // Attack: a brand name, answer or e-mail that a spreadsheet evaluates as a formula.
  for (const value of HOSTILE) {
    const line = formatCsvLine([value, "plain", value]);
    for (const separator of [",", ";", "\t"]) {
      expect([value, separator, fieldsOf(line, separator).filter(isFormula)]).toEqual([value, separator, []]);
    }
  }
});

test("a reader gets every text back, and text without a formula is as it was", () => {
  const plain = ["", "a;b", "'", "it's", "a=b", "1-2", "\ttab", "a\nb", "x; y", "'quoted'", '"', "c'=d", "| - | - |"];
  for (const value of [...HOSTILE, ...plain]) {
    const [read = ""] = fieldsOf(formatCsvLine([value]).slice(0, -2), ",");
    expect([value, original(read)]).toEqual([value, value]);
  }
  expect(plain.map((value) => formatCsvLine([value]))).toEqual(
    plain.map((value) => `"${value.replaceAll('"', '""')}"\r\n`),
  );
  expect(formatCsvLine(["=1+1", "x;=1+1", "\t=1", "'=1", "- a\n- b", 'a"b', -1, null])).toBe(
    `"'=1+1","x;'=1+1","\t'=1","''=1","'- a\n'- b","a""b","-1",""\r\n`,
  );
});

test("a long text of separators, blanks and apostrophes takes linear time", () => {
  // Attack: a text that occupies the thread while its cell is written.
  const took = [250_000, 1_000_000].map((length) => {
    const startedAt = performance.now();
    for (const unit of [";", "'", " ", ";'", "; ", "\n' ", ';"']) formatCsvLine([unit.repeat(length / unit.length)]);
    return performance.now() - startedAt;
  });
  expect((took[1] ?? 0) / Math.max(20, took[0] ?? 0)).toBeLessThan(12);
});
