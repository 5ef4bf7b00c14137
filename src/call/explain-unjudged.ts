type Fields = Record<string, unknown>;

const NOT_JUDGED = /^(?:insufficient_data|too_little_data|\w+_changed)$/;

/** Reason why no change or gap in the rows is judged; undefined if one is, or if rows have none. */
export function explainUnjudged({ data, basis }: Fields): string | undefined {
  const verdicts = Array.isArray(data) ? (data as Fields[]).flatMap(listVerdicts) : [];
  const verdict = verdicts.find((one) => one !== null) ?? null;
  if (verdicts.length === 0 || verdicts.some((one) => one !== null && !NOT_JUDGED.test(one))) return undefined;
  const { previous_collects: previous = [] } = (basis ?? {}) as { previous_collects?: readonly unknown[] };
  return `No change in these rows can be judged: ${describeObstacle(verdict, previous.length > 0)}`;
}

function listVerdicts(row: Fields): (string | null)[] {
  return Object.entries(row).flatMap(([field, value]) => {
    if (field === "verdict" && typeof value === "string") return [value];
    if (field !== "change" && !field.endsWith("_change")) return [];
    const verdict = (value as Fields | null)?.["verdict"];
    return [typeof verdict === "string" ? verdict : null];
  });
}

function describeObstacle(verdict: string | null, hasPrevious: boolean): string {
  if (verdict?.endsWith("_changed") === true)
    return `the runs are not comparable (${verdict}). list_collects has the other runs.`;
  if (verdict !== null)
    return "too little data. More prompts, runs or answers per prompt help; get_analysis has the setup.";
  if (!hasPrevious) return "no comparable earlier run exists. list_collects has the runs.";
  return "single prompts, and several runs measured as one, have no verdict. get_visibility by brand or source has them.";
}
