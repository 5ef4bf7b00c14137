import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../core/shared/errors.ts";
import { parseJson } from "../../../core/shared/json.ts";
import type { Context } from "../../../tools/endpoint.ts";
import type { Call } from "../../call/deps.ts";

/** What a form shows of what is stored: the text of each field by its name, which of a box that is not ticked is empty. */
export type Shown = Readonly<Record<string, string>>;

/** The hidden field that says what a form showed: a digest of each field's text. */
export const MARK = "was_stored";
const Digests = z.record(z.string(), z.string());
/** No form has as many fields. The mark is read once for each of them. */
const MARK_BOUNDS = { names: 200, values: 200 };

/** Makes a form that was sent say that it shows this. */
export function markShown(typed: URLSearchParams, shown: Shown): void {
  typed.set(MARK, digestsOf(shown));
}

/** Whether the person changed a field of the form. */
export function isChanged(typed: URLSearchParams, field: string): boolean {
  return marksIn(typed)?.[field] !== digestOf(typed.get(field) ?? "");
}

/** Whether a form that was sent was refused because others had changed what it edits. */
export function isOutdated(typed: URLSearchParams | undefined): boolean {
  return typed !== undefined && !typed.has(MARK);
}

/**
 * Refuses a form where others changed a field of it since the page showed it: `stored` finds what is stored now, undefined where nothing
 * is. Before it refuses, it puts their changes into the fields of `typed` that the person left alone. What is stored as it was typed is
 * no change: a second press finds what the first one saved.
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
    // The page shows what is stored now, and marks it: the next time, it is saved.
    typed.delete(MARK);
    throw new AppError(
      "CONFLICT",
      `Changed since you opened this page: ${changed.map(inWords).join(", ")}. Nothing is saved yet. The form keeps what you entered, and shows the change in all other fields. Check it, then save again.`,
    );
  };
}

const LONGEST = 60;

/** A field that was changed, with its text where the form has what was entered instead. */
function inWords(field: { name: string; now: string; isEntered: boolean }): string {
  const { name, now, isEntered } = field;
  const words = name.replaceAll("_", " ");
  if (!isEntered || now.length > LONGEST || now.includes("\n")) return words;
  return `${words} (now ${now === "" ? "empty" : `“${now}”`})`;
}

/** What the page said that it showed; undefined where it said nothing, as far as it can be read. */
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

/** Browsers send line breaks as CR LF, and blanks at the ends say nothing. */
function digestOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n").trim()).digest("base64url").slice(0, 16);
}
