import { z } from "zod";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { foldName } from "../../../../core/shared/names.ts";
import { sourceCalled } from "../../../../core/sources/sources.ts";

/** The members of the closed list that a field takes, by their folded text. */
type Meanings = ReadonlyMap<string, ReadonlyMap<string, string>>;

const MADE = new WeakMap<AnyEndpoint, Meanings>();

/**
 * The arguments with members of closed lists where they say them otherwise, as people do: `chatgpt` for ASSISTANT_A, `tofu` for
 * ToFu. What means no member stays as it is, and is refused with those that there are.
 */
export function closedValues(endpoint: AnyEndpoint, given: Record<string, unknown>): Record<string, unknown> {
  const meanings = MADE.get(endpoint) ?? makeMeanings(endpoint.input);
  MADE.set(endpoint, meanings);
  const read: Record<string, unknown> = { ...given };
  for (const [field, members] of meanings) {
    const member = (value: unknown) => (typeof value === "string" ? memberOf(members, value) : value);
    const value = read[field];
    if (value !== undefined) read[field] = Array.isArray(value) ? value.map(member) : member(value);
  }
  return read;
}

/** What a text means of a list: a member in another case, or a source by its name. What means none stays as it is. */
function memberOf(members: ReadonlyMap<string, string>, said: string): string {
  return members.get(foldName(said)) ?? members.get(foldName(sourceCalled(said) ?? "")) ?? said;
}

function makeMeanings(input: z.ZodObject): Meanings {
  return new Map(
    Object.entries(input.shape).flatMap(([field, schema]) => {
      const members = membersOf(schema);
      if (members.length === 0) return [];
      return [[field, new Map(members.map((member) => [foldName(member), member]))] as const];
    }),
  );
}

/** The texts of a field's closed list, or of its elements'; none for a field of another kind. */
function membersOf(schema: unknown): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.filter((option) => typeof option === "string");
  if (schema instanceof z.ZodArray) return membersOf(schema.element);
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? membersOf(schema.unwrap()) : [];
}
