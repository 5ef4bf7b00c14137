import { expect, test } from "vitest";
import { z } from "zod";
import { getToolInput } from "../../src/call/call-targets.ts";
import { readFields, readLeniently } from "../../src/http/mcp/tools/lenient-arguments.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { ScheduleField } from "../../core/analyses/schedule.ts";
import { geoAuditFields } from "../../tools/analyses/kinds/geo-audit/geo-audit-setup.ts";
import { endpoints } from "../../tools/index.ts";

const { tools } = buildToolTable(endpoints, EXAMPLE_BASE_URL);
const PARAMETERS = tools.flatMap(({ name, endpoint }) =>
  Object.entries(getToolInput(endpoint).shape as Record<string, z.ZodType>).map(([key, schema]) => ({
    path: `${name}.${key}`,
    key,
    schema,
  })),
);

/** A value of the kind that a schema wants. */
function sampleOf(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return sampleOf(schema.unwrap());
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options.at(-1));
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element)];
  if (schema instanceof z.ZodRecord) return { key: "value" };
  if (schema instanceof z.ZodNumber) return 3;
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodURL) return "https://acme.example";
  if (!(schema instanceof z.ZodObject)) return "some text";
  return Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, sampleOf(field)]));
}

test("each list, object, number and boolean of each tool is read from its JSON as text, at every depth", () => {
  // Fault: clients that send all arguments as text got VALIDATION_FAILED in every tool.
  const textInside = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Array.isArray(value)
        ? value.map(textInside)
        : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, textInside(inner)]))
      : String(value);
  const wrong = PARAMETERS.filter(({ schema }) => typeof sampleOf(schema) !== "string").filter(({ schema }) => {
    const sample = sampleOf(schema);
    const sent = [sample, JSON.stringify(sample), textInside(sample)];
    return sent.some((value) => JSON.stringify(readLeniently(schema, value)) !== JSON.stringify(sample));
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("each list of each tool takes its only entry alone, unless entries are objects", () => {
  for (const { path, schema } of PARAMETERS) {
    const sample = sampleOf(schema);
    if (!Array.isArray(sample)) continue;
    const [entry] = sample as unknown[];
    const expected = typeof entry === "object" ? entry : sample;
    expect([path, readLeniently(schema, entry)]).toEqual([path, expected]);
    const word = typeof entry === "object" ? "Coffee" : readLeniently(schema, "Coffee");
    expect([path, readLeniently(schema, "Coffee")]).toEqual([path, word]);
  }
});

test("null and empty text for a parameter of any tool mean that it is left out", () => {
  const kept = PARAMETERS.flatMap(({ path, key, schema }) =>
    [null, ""]
      .filter((empty) => Object.keys(readFields({ [key]: schema }, { [key]: empty })).length > 0)
      .map(() => path),
  );
  expect(kept).toEqual([]);
  // Unknown arguments stay, so that they are named.
  expect(readFields({}, { random_string: "" })).toEqual({ random_string: "" });
  const nested = z.object({ items: z.array(z.strictObject({ a: z.string(), b: z.string().optional() })) });
  expect(readLeniently(nested, { items: '[{"a":"x","b":null},{"a":"y","b":""}]' })).toEqual({
    items: [{ a: "x" }, { a: "y" }],
  });
});

const { website, urls } = geoAuditFields;

const READ: [unknown, unknown, unknown][] = [
  [ScheduleField, "Weekly", "weekly"],
  [
    ScheduleField,
    '{"every":"WEEKLY","weekday":"Friday","at":"9:00"}',
    { every: "weekly", weekday: "friday", at: "09:00" },
  ],
  [ScheduleField, { every: "monthly", day_of_month: "3" }, { every: "monthly", day_of_month: 3 }],
  [website, "acme.example", "https://acme.example"],
  [website, "www.acme.example/a?b=c", "https://www.acme.example/a?b=c"],
  [urls, '["acme.example/a", "http://acme.example/b"]', ["https://acme.example/a", "http://acme.example/b"]],
  [z.boolean(), "True", true],
  [z.literal(true), "true", true],
  [z.string(), 2, "2"],
  [z.string(), ["only"], "only"],
  [z.number(), "-0.5", -0.5],
  [z.number(), " 10 ", 10],
  [z.array(z.string()), "[Best] machine", ["[Best] machine"]],
  [z.array(z.string()), 7, ["7"]],
];

const LEFT: [unknown, unknown][] = [
  [ScheduleField, "fortnightly"],
  [website, "acme"],
  [website, "ftp://acme.example"],
  [website, "javascript:alert(1)"],
  [website, "two words.example"],
  [z.boolean(), "yes"],
  [z.boolean(), 1],
  [z.number(), "1e3"],
  [z.number(), "0x10"],
  [z.number(), "ten"],
  [z.number(), "1,000"],
  [z.number(), true],
  [z.string(), ["two", "values"]],
  [z.string(), { an: "object" }],
  [z.string(), "[1]"],
  [z.object({}), "[1]"],
  [z.object({}), "{broken"],
  [z.array(z.object({})), "Coffee"],
  [z.array(z.object({})), '{"name":"Coffee"}'],
  [z.array(z.array(z.string())), "Coffee"],
];

test("reads times, weekdays, hosts and scalars in one meaning; ambiguous values stay for the schema to reject", () => {
  for (const [schema, sent, read] of READ) expect([sent, readLeniently(schema, sent)]).toEqual([sent, read]);
  for (const [schema, sent] of LEFT) expect([sent, readLeniently(schema, sent)]).toEqual([sent, sent]);
});
