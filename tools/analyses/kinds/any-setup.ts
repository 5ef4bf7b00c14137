import { z } from "zod";
import { plainIssue } from "../../../core/shared/plain-issues.ts";
import { invalidInput } from "../../../core/shared/errors.ts";
import type { AnalysisKind, AnalysisSetup } from "./analysis-kind.ts";
import { KINDS } from "./kinds.ts";

export const AnySetup = z.union(KINDS.map(({ setup }) => setup));

/** What an analysis shows of its setup. */
export const AnySettings = z.union(KINDS.map(({ settings }) => settings));

/** Fields of the setups of all kinds, each optional: the kind of the analysis says which there are. */
export const anySetupFields: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  // Where two kinds have a field of one name, the last one takes more.
  KINDS.flatMap(({ fields }) => Object.entries(fields)).map(([name, field]) => [name, optional(field as z.ZodType)]),
);

function optional(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional) return field;
  const { description } = field;
  // A default would be given to analyses of other kinds.
  const inner = field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field;
  return description === undefined ? inner.optional() : inner.optional().describe(description);
}

/** The setup that was given for an analysis of this kind. VALIDATION_FAILED names the fields that are not its own. */
export function setupFor({ fields }: AnalysisKind, given: Record<string, unknown>): AnalysisSetup {
  const parsed = z.strictObject(fields).safeParse(given, { error: plainIssue });
  if (parsed.success) return parsed.data as AnalysisSetup & typeof parsed.data; // every kind has these fields
  throw invalidInput(
    parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ path: key, message: "is no field of the setup of this kind of analysis" }))
        : [{ path: issue.path.join("."), message: issue.message }],
    ),
  );
}
