import { expect, test } from "vitest";
import { z } from "zod";
import { formatIssueMessage } from "../../core/shared/format-issue-message.ts";
import { world } from "../support/world.ts";

const letters = Array.from({ length: 20 }, (_, at) => `code_${at}`);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "is required"],
  [z.string(), 5, "must be text"],
  [z.string(), null, "must be text"],
  [z.number(), "5", "must be a number"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.array(z.string()), {}, "must be a list"],
  [z.object({}), [], "must be an object"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(12), "short", "must have at least 12 characters"],
  [z.string().max(2000), "a".repeat(2001), "must have at most 2,000 characters"],
  [z.string().length(2), "DEU", "must have exactly 2 characters"],
  [z.array(z.string()).min(1), [], "must not be empty"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entry"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.number().gt(0), 0, "must be more than 0"],
  [z.number().max(100), 101, "must be at most 100"],
  [z.number().multipleOf(5), 7, "must be a multiple of 5"],
  [z.enum(["asc", "desc"]), "up", "must be one of asc, desc"],
  [z.enum(letters), "code", `must be one of 20 values, such as ${letters.slice(0, 12).join(", ")}`],
  [z.literal("search"), "audit", "must be search"],
  [z.email(), "ada", "must be an e-mail address"],
  [z.uuid(), "1", "must be a UUID"],
  [z.iso.date(), "tomorrow", "must be a day, such as 2026-01-31"],
  [z.iso.datetime(), "noon", "must be a time, such as 2026-01-31T09:30:00Z"],
  [z.string().regex(/^[a-z]+$/), "A", "must match /^[a-z]+$/"],
  [z.string().min(3, { error: "is too short for a name" }), "A", "is too short for a name"],
])("%#: what is wrong is said in words that follow a field's name: %s", (schema, value, said) => {
  expect(schema.safeParse(value, { error: formatIssueMessage }).error?.issues.map(({ message }) => message)).toEqual([
    said,
  ]);
});

test("rejects a request with these messages", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const { status, body } = await owner.post(`${workspace.path}/tags`, { name: "" });
  expect([status, body.fields]).toEqual([400, [{ path: "name", message: "must not be empty" }]]);
});
