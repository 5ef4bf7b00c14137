import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../core/shared/errors.ts";
import { parseJson } from "../../../core/shared/json.ts";
import type { Context } from "../../../tools/endpoint.ts";
import type { Call } from "../../call/deps.ts";

/** Form field values by name; an unchecked box is empty. */
export type StoredValues = Readonly<Record<string, string>>;

/** Hidden field with a digest of each field's text as the form showed it. */
export const DIGESTS_FIELD = "was_stored";
const DigestsSchema = z.record(z.string(), z.string());
/** Bounds of the digests in a form, above the field count of any form. */
const DIGESTS_BOUNDS = { maxNames: 200, maxValues: 200 };

export function setStoredDigests(typed: URLSearchParams, shown: StoredValues): void {
  typed.set(DIGESTS_FIELD, serializeDigests(shown));
}

export function isFieldChanged(typed: URLSearchParams, field: string): boolean {
  return parseDigests(typed)?.[field] !== digestText(typed.get(field) ?? "");
}

/** True if the form was rejected because another person had changed the same item. */
export function hasEditConflict(typed: URLSearchParams | undefined): boolean {
  return typed !== undefined && !typed.has(DIGESTS_FIELD);
}

/**
 * Unedited fields take the current values in `typed`. A stored value equal to the entered one is no
 * conflict, so repeated submissions succeed. `readStored` returns undefined for a deleted item.
 */
export function rejectStaleForm(
  typed: URLSearchParams,
  readStored: (context: Context) => Promise<StoredValues | undefined>,
): NonNullable<Call["rejectIfStale"]> {
  return async (context) => {
    const shownDigests = parseDigests(typed);
    const fields = Object.entries((await readStored(context)) ?? {})
      .filter(([name]) => !shownDigests || name in shownDigests)
      .map(([name, now]) => {
        const [shown, entered] = [shownDigests?.[name], digestText(typed.get(name) ?? "")];
        const isNew = ![shown, entered].includes(digestText(now));
        return { name, now, isNew, isEntered: shown !== entered };
      });
    const changed = fields.filter(({ isNew }) => isNew);
    if (changed.length === 0) return;
    for (const { name, now } of fields.filter(({ isEntered }) => !isEntered)) {
      if (now === "") typed.delete(name);
      else typed.set(name, now);
    }
    // The page then renders and marks the current values, so the next submission succeeds.
    typed.delete(DIGESTS_FIELD);
    throw new AppError(
      "CONFLICT",
      `Changed since you opened this page: ${changed.map(describeChangedField).join(", ")}. Nothing is saved yet. The form keeps what you entered, and shows the change in all other fields. Check it, then save again.`,
    );
  };
}

const MAX_QUOTED_LENGTH = 60;

function describeChangedField(field: { name: string; now: string; isEntered: boolean }): string {
  const { name, now, isEntered } = field;
  const words = name.replaceAll("_", " ");
  if (!isEntered || now.length > MAX_QUOTED_LENGTH || now.includes("\n")) return words;
  return `${words} (now ${now === "" ? "empty" : `“${now}”`})`;
}

function parseDigests(typed: URLSearchParams): z.output<typeof DigestsSchema> | undefined {
  try {
    return DigestsSchema.parse(parseJson(typed.get(DIGESTS_FIELD) ?? "", DIGESTS_BOUNDS));
  } catch {
    return undefined;
  }
}

export function serializeDigests(shown: StoredValues): string {
  return JSON.stringify(Object.fromEntries(Object.entries(shown).map(([field, text]) => [field, digestText(text)])));
}

/** Digest of a text without whitespace at both ends, and with LF for the CR LF of browsers. */
function digestText(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n").trim()).digest("base64url").slice(0, 16);
}
