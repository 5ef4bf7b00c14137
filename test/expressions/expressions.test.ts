import { expect, test } from "vitest";
import { ACCEPTED } from "./accepted.ts";
import { findExpressions, type Expression } from "./find-expressions.ts";
import { createFindings } from "./findings.ts";
import { judge, textOf } from "./judge.ts";

const planted = (source: string, flags = ""): Expression => ({ file: "core/a.ts", line: 7, source, flags });

test("literals and RegExp of constant text are found, with their lines", () => {
  const code = [
    "const a: RegExp = /a+/u;",
    'const b = new RegExp("b+", "g"), c = RegExp(String.raw`\\d+`);',
    "const d = new RegExp(`${a.source}x`);",
  ].join("\n");
  expect(findExpressions("core/a.ts", code)).toEqual([
    { file: "core/a.ts", line: 1, source: "a+", flags: "u" },
    { file: "core/a.ts", line: 2, source: "b+", flags: "g" },
    { file: "core/a.ts", line: 2, source: "\\d+", flags: "" },
  ]);
});

// Attack: a backtracking expression in the product. The analyser reports its class.
test("expressions that are not linear are findings, and so are entries without use", async () => {
  const expressions = [
    planted("^(?:a|a)*$"),
    planted("a+$"),
    planted("(?<!a)a+$"),
    planted("[ab]{3,30}c", "i"),
    planted("(?!c)(?:a|a)*b"),
  ];
  const verdicts = await judge(expressions, {});
  expect(expressions.map((one) => verdicts.get(textOf(one)))).toEqual([
    "exponential",
    "2nd degree polynomial",
    "safe",
    "safe",
    "exponential (fuzz)",
  ]);
  const entry = { file: "core/a.ts", maxLength: 10, reason: "", worst: [] };
  const accepted = [
    { ...entry, expression: /a+$/ },
    { ...entry, expression: /(?<!a)a+$/ },
  ];
  expect(createFindings(expressions, verdicts, accepted)).toEqual([
    "core/a.ts:7: exponential: /^(?:a|a)*$/",
    "core/a.ts:7: exponential (fuzz): /(?!c)(?:a|a)*b/",
    "accepted.ts: no longer needed: core/a.ts: /(?<!a)a+$/",
  ]);
});

// Attack: worst-case texts at the bound of each accepted expression. 50 ms is far below its cost
// beyond the bound.
test.each(ACCEPTED)("$file: $expression takes under 50 ms at its bound", ({ expression, maxLength, worst }) => {
  expect(worst).not.toEqual([]);
  for (const piece of worst) {
    const text = piece.repeat(Math.ceil(maxLength / piece.length)).slice(0, maxLength);
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      text.replace(expression, "");
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(50);
  }
});
