import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../core/shared/errors.ts";
import { parseJson } from "../../../core/shared/json.ts";
import type { Context } from "../../../tools/endpoint.ts";
import type { Call } from "../../call/deps.ts";

/** Form field values by name; an unchecked box is empty. */
export type Shown = Readonly<Record<string, string>>;

/** The hidden field that says what a form showed: a digest of each field's text. */
export const MARK = "was_stored";
const Digests = z.record(z.string(), z.string());
/** Above the field count of any form. */
const MARK_BOUNDS = { names: 200, values: 200 };

/** Makes a form that was sent say that it shows this. */
export function markShown(typed: URLSearchParams, shown: Shown): void {
  typed.set(MARK, digestsOf(shown));
}

/** True if the person edited the field. */
export function isChanged(typed: URLSearchParams, field: string): boolean {
  return marksIn(typed)?.[field] !== digestOf(typed.get(field) ?? "");
}

/** True if the form was rejected because another person had changed the same item. */
export function isOutdated(typed: URLSearchParams | undefined): boolean {
  return typed !== undefined && !typed.has(MARK);
}

/**
 * Rejects a form if another person changed one of its fields after the page was rendered. `stored`
 * returns the current values, undefined if deleted. Fields that the person did not edit take the
 * current values in `typed`. A stored value equal to the entered one is no conflict, so repeated
 * submissions succeed.
 */
export function onlyAsShown(
  typed: URLSearchParams,
  stored: (context: Context) => Promise<Shown | undefined>,
): NonNullable<Call["stillAsShown"]> {
  return async (context) => {
    const marks = marksIn(typed);
    const fields = Object.entries((await stored(context)) ?? {})
      .filter(([name]) => !marks || name in marks)
      .map(([name, now]) => {
        const [shown, entered] = [marks?.[name], digestOf(typed.get(name) ?? "")];
        const isNew = ![shown, entered].includes(digestOf(now));
        return { name, now, isNew, isEntered: shown !== entered };
      });
    const changed = fields.filter(({ isNew }) => isNew);
    if (changed.length === 0) return;
    for (const { name, now } of fields.filter(({ isEntered }) => !isEntered)) {
      if (now === "") typed.delete(name);
      else typed.set(name, now);
    }
    // The page then renders and marks the current values, so the next submission succeeds.
    typed.delete(MARK);
    throw new AppError(
      "CONFLICT",
      `Changed since you opened this page: ${changed.map(inWords).join(", ")}. Nothing is saved yet. The form keeps what you entered, and shows the change in all other fields. Check it, then save again.`,
    );
  };
}

const LONGEST = 60;

/** Field name, with the stored text if the form has other input. */
function inWords(field: { name: string; now: string; isEntered: boolean }): string {
  const { name, now, isEntered } = field;
  const words = name.replaceAll("_", " ");
  if (!isEntered || now.length > LONGEST || now.includes("\n")) return words;
  return `${words} (now ${now === "" ? "empty" : `“${now}”`})`;
}

/** Undefined if the mark is missing or invalid. */
function marksIn(typed: URLSearchParams): z.output<typeof Digests> | undefined {
  try {
    return Digests.parse(parseJson(typed.get(MARK) ?? "", MARK_BOUNDS));
  } catch {
    return undefined;
  }
}

export function digestsOf(shown: Shown): string {
  return JSON.stringify(Object.fromEntries(Object.entries(shown).map(([field, text]) => [field, digestOf(text)])));
}

/** Browsers send CR LF; leading and trailing whitespace is insignificant. */
function digestOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n").trim()).digest("base64url").slice(0, 16);
}
