import { z } from "zod";
import { findEvaluation } from "../../db/assets/asset-evaluations.ts";
import { listRunAssets } from "../../db/assets/asset-scores.ts";
import { listAssetsByIds } from "../../db/assets/assets.ts";
import { findBrand } from "../../db/catalog/brands.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { ASSET_CLASSES, toAssetClass } from "../../core/assets/assets.ts";
import { AppError, type FieldError, requireFound, invalidInput } from "../../core/shared/errors.ts";
import { Id, Language, nameSchema } from "../../core/shared/fields.ts";

export const MAX_ASSETS = 50;
export const MAX_ATTRIBUTES = 6;

export const setupFields = {
  name: nameSchema(200).describe("Display name of the evaluation."),
  asset_ids: z
    .array(Id)
    .min(1)
    .max(MAX_ASSETS)
    .describe("Asset ids from list_assets: all texts and documents, all images, or all videos."),
  category: nameSchema(200).describe("Subject of the assets, such as running shoes."),
  attributes: z
    .array(nameSchema(100))
    .max(MAX_ATTRIBUTES)
    .describe("Qualities that the assets should show, such as durability; separate synonyms by slashes."),
  brand_id: Id.nullable().describe("Brand of the assets, from list_brands."),
  language: Language,
};

export const StoredSetupSchema = z
  .object({
    ...setupFields,
    asset_class: z.enum(ASSET_CLASSES),
    evaluation_id: Id.nullable().describe("Evaluation that runs again; null for a new one."),
  })
  .meta({ id: "AssetEvaluationSetup" });
export type EvaluationSetup = z.output<typeof StoredSetupSchema>;

type GivenSetup = z.output<z.ZodObject<typeof setupFields>>;

/** VALIDATION_FAILED names each inconsistent field. */
export async function normaliseSetup(tenant: Tenant, setup: GivenSetup): Promise<EvaluationSetup> {
  const rows = new Map((await listAssetsByIds(tenant, setup.asset_ids)).map((asset) => [asset.id, asset]));
  const [first] = setup.asset_ids;
  const kind = toAssetClass(rows.get(first ?? "")?.type ?? "text");
  const wrong: FieldError[] = setup.asset_ids.flatMap((id, index) => {
    const path = `asset_ids.${index}`;
    const asset = rows.get(id);
    if (!asset) return [{ path, message: "is not an asset of this workspace; list_assets gives the ids" }];
    if (setup.asset_ids.indexOf(id) < index) return [{ path, message: "is repeated" }];
    if (asset.status === "archived") return [{ path, message: "is archived" }];
    if (asset.status === "processing") return [{ path, message: "is still being read; try again in a moment" }];
    return toAssetClass(asset.type) === kind ? [] : [{ path, message: "has another class than the first asset" }];
  });
  for (const [index, attribute] of setup.attributes.entries()) {
    if (setup.attributes.indexOf(attribute) < index) {
      wrong.push({ path: `attributes.${index}`, message: "is repeated" });
    }
  }
  if (setup.brand_id !== null && !(await findBrand(tenant, setup.brand_id))) {
    wrong.push({ path: "brand_id", message: "is not a brand of this workspace; list_brands gives the ids" });
  }
  if (wrong.length > 0) throw invalidInput(wrong);
  return { ...setup, asset_class: kind, evaluation_id: null };
}

export async function loadRerunSetup(tenant: Tenant, evaluationId: string): Promise<EvaluationSetup> {
  const row = requireFound(await findEvaluation(tenant, evaluationId), "asset evaluation");
  if (!["completed", "partial", "failed"].includes(row.status)) {
    throw new AppError("CONFLICT", "Only a finished evaluation that is not archived can run again.");
  }
  const assets = await listRunAssets(tenant, { evaluationId, run: row.run });
  return {
    name: row.name,
    asset_ids: assets.map(({ id }) => id),
    category: row.category,
    attributes: row.attributes,
    brand_id: row.brandId,
    language: row.language,
    asset_class: row.assetClass,
    evaluation_id: row.id,
  };
}
