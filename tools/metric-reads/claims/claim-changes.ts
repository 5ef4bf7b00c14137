import { groupFactsByPrompt } from "../../../core/metrics/facts/group-facts-by-prompt.ts";
import { mapVerdictsByNumber, type CheckedFact } from "../../../core/metrics/facts/collect-claims.ts";
import { decodeWays, type CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { SCORE_FOR, buildScoredFacts, type ScoredAnswer } from "../../../core/metrics/facts/scored-facts.ts";
import type { Db, Tenant } from "../../../db/engine/store.ts";
import type { ChangeRow } from "../../../core/metrics/changes/change-row.ts";
import type { SourceClaims } from "./claim-counts.ts";
import type { OpenedPrompts } from "../selection/open-prompts.ts";
import { judgePartChanges } from "../selection/prompt-changes.ts";
import { selectSlices, type PromptGroup, type PromptSlice } from "../selection/prompt-groups.ts";

interface JudgedClaims {
  group: PromptGroup;
  brandFact: CheckedFact;
  own: readonly SourceClaims[];
}

/** Judged over all rows, because each fact is one of many tests. */
export async function judgeClaimChanges(
  tenant: Tenant,
  rows: readonly JudgedClaims[],
  opened: OpenedPrompts,
): Promise<(ChangeRow | null)[]> {
  const cut = new Map<string, PromptSlice[]>();
  const parts = [];
  for (const { group, brandFact, own } of rows) {
    const slices = cut.get(brandFact.id) ?? (await buildClaimSlices(tenant.db, { brandFact, own }, opened));
    cut.set(brandFact.id, slices);
    const each = opened.prompts.firstQuestions.map((_, prompt) => prompt);
    parts.push({ group, slices: selectSlices(slices, group), prompts: each, number: SCORE_FOR, isAlone: false });
  }
  return judgePartChanges(parts, opened, { compared: "score" });
}

/** Per prompt, answers that mention the fact; 1 marks a contradiction. */
async function buildClaimSlices(
  db: Db,
  { brandFact, own }: Pick<JudgedClaims, "brandFact" | "own">,
  { analysis, prompts }: Pick<OpenedPrompts, "analysis" | "prompts">,
): Promise<PromptSlice[]> {
  const slices: PromptSlice[] = [];
  for (const { collectId, source, digest, claims } of own) {
    const numbers = mapVerdictsByNumber(claims.held, brandFact);
    if (!numbers) continue;
    const contradicted = new Map(
      Array.from(numbers, ([number, verdict]) => [number, Number(verdict === "contradicted")]),
    );
    const key = `claimed ${digest} ${analysis.id} ${prompts.key} ${[...numbers.keys()].join(" ")}`;
    const facts = await db.cache.get(key, async () => {
      const { facts: packed } = claims;
      const scored = buildScoredFacts({ ...packed, ways: decodeWays(packed) }, scoreAnswers(packed, contradicted));
      const value = groupFactsByPrompt(scored, prompts.questionsByPrompt);
      return { value, bytes: value.size * packed.rowStarts.length * BYTES_PER_PROMPT };
    });
    for (const [slot, one] of facts) slices.push({ collectId, source, slot, facts: one });
  }
  return slices;
}

const BYTES_PER_PROMPT = 16;

function* scoreAnswers(
  { rowStarts, runIndexes, brands }: CollectFacts,
  values: ReadonlyMap<number, number>,
): Generator<ScoredAnswer> {
  for (let question = 0; question + 1 < rowStarts.length; question += 1) {
    for (let at = rowStarts[question] ?? 0; at < (rowStarts[question + 1] ?? 0); at += 1) {
      const value = values.get(brands[at] ?? 0);
      if (value !== undefined) yield { question, runIndex: runIndexes[at] ?? 0, value };
    }
  }
}
