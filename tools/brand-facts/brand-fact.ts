import { z } from "zod";
import {
  countBrandFacts,
  findBrandFact,
  findFactByAttribute,
  type BrandFactRow,
} from "../../db/catalog/brand-facts.ts";
import { findBrand } from "../../db/catalog/brands.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { AppError, requireFound, notFound } from "../../core/shared/errors.ts";
import { Country, Id, InstantField, nameSchema } from "../../core/shared/fields.ts";
import type { Instant } from "../../core/shared/time.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { brandPath } from "../brands/brand.ts";

export const MAX_FACTS = 50;

const PARTIAL_DATE_PATTERN = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;

const FactValueSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("number"),
      number: z.number().min(-1e15).max(1e15),
      unit: nameSchema(30).describe("Unit such as g, h, km, W or lumens. Other units are compared as text."),
    }),
    z.strictObject({
      kind: z.literal("date"),
      date: z.string().regex(PARTIAL_DATE_PATTERN, "must be a year, month or day"),
    }),
    z.strictObject({
      kind: z.literal("price"),
      amount: z.number().min(0).max(1e15),
      currency: z.string().regex(/^[A-Z]{3}$/, "must be a currency code such as EUR"),
    }),
    z.strictObject({ kind: z.literal("feature"), present: z.boolean() }),
    z.strictObject({ kind: z.literal("availability"), country: Country, available: z.boolean() }),
    z.strictObject({ kind: z.literal("text"), text: nameSchema(200) }),
  ])
  .describe("Value of the kind: number, date (2012, 2012-05 or 2012-05-14), price, feature, availability or text.");

export const brandFactFields = {
  attribute: nameSchema(100).describe(
    "Subject of the fact, such as weight, battery life, price or founded; unique per brand.",
  ),
  value: FactValueSchema,
  source_url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .describe("URL of a page that proves the fact."),
  as_of: z.iso.date().nullable().describe("Day on which the fact was true."),
};

export const brandFactPathFields = { ...brandPath, fact_id: Id.describe("Fact id, from list_brand_facts.") };

export const BrandFact = z
  .object({
    id: Id,
    brand_id: Id,
    attribute: z.string(),
    value: FactValueSchema,
    source_url: z.string().nullable(),
    as_of: z.string().nullable(),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "BrandFact" });

export function shapeBrandFact(row: BrandFactRow): z.input<typeof BrandFact> {
  return toSnakeCase(row);
}

export async function requireBrand(tenant: Tenant, brandId: string): Promise<void> {
  if (!(await findBrand(tenant, brandId))) throw notFound("brand");
}

export async function requireBrandFact(tenant: Tenant, brandId: string, id: string): Promise<BrandFactRow> {
  await requireBrand(tenant, brandId);
  const row = requireFound(await findBrandFact(tenant, { brandId, id }), "fact");
  return row;
}

export async function rejectDeclared(tenant: Tenant, fact: { brandId: string; attribute: string }, exceptId?: string) {
  const declared = await findFactByAttribute(tenant, fact);
  if (!declared || declared.id === exceptId) return;
  throw new AppError(
    "CONFLICT",
    "The brand already declares this attribute. Change the existing fact, or choose another attribute.",
  );
}

export async function enqueueClaimReading({
  tenant,
  now,
  newId,
}: {
  tenant: Tenant;
  now: Instant;
  newId: () => string;
}): Promise<void> {
  const job = { id: newId(), kind: "read_claims" as const, subjectId: tenant.workspaceId, at: now };
  await enqueueBackgroundJob(tenant, job);
}

export async function requireRoomForFact(tenant: Tenant, brandId: string): Promise<void> {
  if ((await countBrandFacts(tenant, brandId)) < MAX_FACTS) return;
  throw new AppError("QUOTA_EXCEEDED", `A brand can declare ${MAX_FACTS} facts. Delete one that is not needed.`);
}
