import { z } from "zod";
import { formatIssueMessage } from "../../../core/shared/format-issue-message.ts";
import { invalidInput } from "../../../core/shared/errors.ts";
import type { AnalysisKind, AnalysisSetup } from "./analysis-kind.ts";
import { KINDS } from "./kinds.ts";

export const AnySetupSchema = z.union(KINDS.map(({ setup }) => setup));

export const AnySettingsSchema = z.union(KINDS.map(({ settingsSchema }) => settingsSchema));

export const anySetupFields: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  // Takes the field of the last kind with a shared field name, which accepts more values.
  KINDS.flatMap(({ fields }) => Object.entries(fields)).map(([name, field]) => [name, toOptional(field as z.ZodType)]),
);

function toOptional(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional) return field;
  const { description } = field;
  // Drops defaults, which would be applied to analyses of other kinds.
  const inner = field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field;
  return description === undefined ? inner.optional() : inner.optional().describe(description);
}

export function parseSetup({ fields }: AnalysisKind, given: Record<string, unknown>): AnalysisSetup {
  const parsed = z.strictObject(fields).safeParse(given, { error: formatIssueMessage });
  if (parsed.success) return parsed.data as AnalysisSetup & typeof parsed.data; // safe: all kinds have these fields
  throw invalidInput(
    parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ path: key, message: "is not a setup field of this kind of analysis" }))
        : [{ path: issue.path.join("."), message: issue.message }],
    ),
  );
}
