import { count, eq, isNotNull } from "drizzle-orm";
import { isFailure, type FailureCause } from "../../core/sources/question-outcomes.ts";
import type { JobTarget } from "../../core/sources/sources.ts";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export interface SourceOutcomes {
  source: JobTarget;
  planned: number;
  answered: number;
  notShown: number;
  refused: number;
  failed: number;
  /** Failures stored by earlier versions have no cause. */
  causes: { cause: FailureCause; questions: number }[];
}

export async function listSourceOutcomes({ db: { q, t }, workspaceId }: Tenant, collectId: string) {
  const { jobs, collects } = t;
  const scope = matches(collects, { id: jobs.collectId, workspaceId });
  const counted = await q
    .select({ source: jobs.source, status: jobs.status, questions: count() })
    .from(jobs)
    .innerJoin(collects, scope)
    .where(eq(jobs.collectId, collectId))
    .groupBy(jobs.status, jobs.source);
  const special = await q
    .select({ source: jobs.source, outcome: jobs.outcome, questions: count() })
    .from(jobs)
    .innerJoin(collects, scope)
    .where(matches(jobs, { collectId, outcome: isNotNull }))
    .groupBy(jobs.outcome, jobs.source);
  const sources = [...new Set(counted.map(({ source }) => source))].toSorted();
  return sources.map((source) => {
    const columns = counted.filter((row) => row.source === source);
    const ends = special.filter((row) => row.source === source);
    const [notShown, refused] = ["not_shown", "refused"].map((end) =>
      sumQuestions(ends.filter(({ outcome }) => outcome === end)),
    );
    const succeeded = sumQuestions(columns.filter(({ status }) => status === "succeeded"));
    return {
      source,
      planned: sumQuestions(columns),
      answered: succeeded - (notShown ?? 0) - (refused ?? 0),
      notShown: notShown ?? 0,
      refused: refused ?? 0,
      failed: sumQuestions(columns.filter(({ status }) => status === "failed")),
      causes: ends.flatMap(({ outcome, questions }) =>
        outcome !== null && isFailure(outcome) ? [{ cause: outcome, questions }] : [],
      ),
    };
  });
}

function sumQuestions(rows: readonly { questions: number }[]): number {
  return rows.reduce((total, { questions }) => total + questions, 0);
}
