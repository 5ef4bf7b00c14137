import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { check, type Diagnostics, type Parameters } from "recheck";
import type { Expression } from "./find-expressions.ts";

/** `safe`: at most linear. Otherwise recheck's class, or its reason for finding none. */
export type Verdict = string;

/**
 * Expressions without look-around and back references are decided by automata. Others are attacked
 * with generated texts, bounded in steps instead of time, so that load does not change the verdict.
 */
const PARAMETERS: Parameters = {
  maxRepeatCount: 1000,
  timeout: 20_000,
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: -1,
  maxAttackStringSize: 10_000,
  attackLimit: 10_000_000,
  maxIteration: 2,
  maxInitialGenerationSize: 50,
  maxGenerationSize: 20,
  crossoverSize: 5,
  mutationSize: 10,
};
const THREADS = 2;
const CACHE_DIRECTORY = "node_modules/.cache";
const CACHE = `${CACHE_DIRECTORY}/expressions.json`;

/** Verdicts by `textOf`, cached with the parameters. */
export async function judge(expressions: readonly Expression[], cached = readCache()): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const waiting = new Map(expressions.map((expression) => [textOf(expression), expression])).entries();
  const work = async (): Promise<void> => {
    for (const [text, { source, flags }] of waiting) {
      verdicts.set(text, cached[text] ?? verdictOf(await check(source, flags.replace("v", "u"), PARAMETERS)));
    }
  };
  await Promise.all(Array.from({ length: THREADS }, work));
  return verdicts;
}

export function textOf({ source, flags }: Pick<Expression, "source" | "flags">): string {
  return `/${source}/${flags}`;
}

function verdictOf(diagnostics: Diagnostics): Verdict {
  if (diagnostics.status === "unknown") return `unknown: ${diagnostics.error.kind}`;
  return diagnostics.status === "safe" ? "safe" : diagnostics.complexity.summary;
}

function readCache(): Record<string, Verdict> {
  try {
    const { parameters, verdicts } = JSON.parse(readFileSync(CACHE, "utf8")) as {
      parameters: string;
      verdicts: Record<string, Verdict>;
    };
    return parameters === JSON.stringify(PARAMETERS) ? verdicts : {};
  } catch {
    return {};
  }
}

export function writeCache(verdicts: ReadonlyMap<string, Verdict>): void {
  const decided = [...verdicts].filter(([, verdict]) => !verdict.startsWith("unknown"));
  mkdirSync(CACHE_DIRECTORY, { recursive: true });
  const content = { parameters: JSON.stringify(PARAMETERS), verdicts: Object.fromEntries(decided) };
  writeFileSync(`${CACHE}.${process.pid}`, JSON.stringify(content));
  renameSync(`${CACHE}.${process.pid}`, CACHE);
}
