import type { Fault } from "../../http/pages/post-form.ts";
import { foldName } from "../../../core/shared/names.ts";
import { parseHost } from "../../../core/identity/domains.ts";
import { Domain } from "../../../core/shared/fields.ts";
import { bulkCreateBrands } from "../../../tools/brands/bulk-create-brands.ts";
import { listBrands } from "../../../tools/brands/list-brands.ts";
import type { WorkspaceIds } from "../shared/page-addresses.ts";
import type { Draft } from "./drafts.ts";
import { completeUrl, splitList, fieldValue } from "./draft-setup.ts";
import type { NewType } from "./steps.ts";
import type { Answer, Ask } from "../../http/pages/call-endpoint.ts";

export type ShownBrand = Answer<typeof listBrands>["data"][number];

export interface OfferedBrands {
  own: readonly ShownBrand[];
  rivalChoices: readonly ShownBrand[];
}

const MAX_BRANDS = 100;

export async function listOfferedBrands(call: Ask, ids: WorkspaceIds): Promise<OfferedBrands> {
  const list = (relationship: string) => call(listBrands, { ...ids, relationship, limit: MAX_BRANDS });
  const [mine, rivals, others] = await Promise.all([list("mine"), list("competitor"), list("other")]);
  return { own: [...mine.data, ...rivals.data, ...others.data], rivalChoices: rivals.data };
}

interface BrandLookup {
  call: Ask;
  ids: WorkspaceIds;
  type: NewType;
}

interface TypedName {
  name: string;
  field: "brand_name" | "competitor_names";
  brand: { id: string } | undefined;
}

/** Adds missing brands only after confirmation. Leaves the draft unchanged on faults. */
export async function resolveBrands(draft: Draft, within: BrandLookup): Promise<Fault[]> {
  const { fields } = draft;
  const ownName = fields.get("brand") ? "" : fieldValue(draft, "brand_name").trim();
  const rivalNames = splitList(fieldValue(draft, "competitor_names"));
  if (rivalNames.length > 10) return [{ field: "competitor_names", message: "Name up to 10 competitors." }];
  const typed = [
    ...(ownName === "" ? [] : [await findTypedBrand(ownName, "brand_name", within)]),
    ...(await Promise.all(rivalNames.map((name) => findTypedBrand(name, "competitor_names", within)))),
  ];
  const missing = typed.filter(({ brand }) => brand === undefined);
  if (missing.length > 0) {
    const faults = await addBrands(missing, draft, within);
    if (faults.length > 0) return faults;
  }
  return storeBrandIds(draft, typed);
}

async function findTypedBrand(name: string, field: TypedName["field"], { call, ids }: BrandLookup) {
  const { data } = await call(listBrands, { ...ids, text: name.slice(0, 200), limit: MAX_BRANDS });
  return { name, field, brand: data.find((one) => foldName(one.name) === foldName(name)) };
}

/** Adds brands to the catalog and sets them in `missing`. */
async function addBrands(missing: readonly TypedName[], draft: Draft, { call, ids }: BrandLookup): Promise<Fault[]> {
  if (fieldValue(draft, "agree") !== "1") {
    const names = missing.map(({ name }) => name).join(", ");
    return [{ field: "agree", message: `Tick this to add to the catalog: ${names}.` }];
  }
  const domain = Domain.safeParse(parseHost(completeUrl(fieldValue(draft, "website"))));
  const brands = missing.map(({ name, field }) =>
    field === "brand_name"
      ? { name, relationship: "mine", domains: domain.success ? [domain.data] : [] }
      : { name, relationship: "competitor" },
  );
  const { results } = await call(bulkCreateBrands, { ...ids, brands });
  const faults: Fault[] = [];
  for (const { index, brand_id: id, message } of results) {
    const one = missing[index];
    if (!one) continue;
    if (id === null) faults.push({ field: one.field, message: `${one.name} was not added. ${message ?? ""}`.trim() });
    else one.brand = { id };
  }
  return faults;
}

/** Replaces entered names by brands, so that the step shows them as selected later. */
function storeBrandIds({ fields }: Draft, typed: readonly TypedName[]): Fault[] {
  const own = typed.find(({ field }) => field === "brand_name")?.brand?.id ?? fields.get("brand") ?? "";
  const named = typed.flatMap(({ field, brand }) => (field === "competitor_names" && brand ? [brand.id] : []));
  const rivals = new Set([...fields.getAll("competitors"), ...named]);
  fields.set("brand", own);
  fields.delete("competitors");
  for (const id of rivals) if (id !== own) fields.append("competitors", id);
  for (const field of ["brand_name", "competitor_names", "agree"]) fields.delete(field);
  return [];
}
