import type { Accepted } from "./accepted.ts";
import type { Expression } from "./find-expressions.ts";
import { textOf, type Verdict } from "./judge.ts";

/** One sentence per nonlinear expression without an entry, and per unneeded entry. */
export function createFindings(
  expressions: readonly Expression[],
  verdicts: ReadonlyMap<string, Verdict>,
  accepted: readonly Accepted[],
): string[] {
  const notLinear = expressions.filter((expression) => verdicts.get(textOf(expression)) !== "safe");
  const open = notLinear.filter((expression) => !accepted.some((entry) => isSameExpression(entry, expression)));
  const unused = accepted.filter((entry) => !notLinear.some((expression) => isSameExpression(entry, expression)));
  return [
    ...open.map((one) => `${one.file}:${one.line}: ${verdicts.get(textOf(one)) ?? "not judged"}: ${textOf(one)}`),
    ...unused.map(({ file, expression }) => `accepted.ts: no longer needed: ${file}: ${textOf(expression)}`),
  ];
}

function isSameExpression({ file, expression }: Accepted, other: Expression): boolean {
  return other.file === file && textOf(other) === textOf(expression);
}
