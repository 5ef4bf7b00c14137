import type { Fault } from "../../http/pages/post-form.ts";
import { foldName } from "../../../core/shared/names.ts";
import { hostOf } from "../../../core/identity/domains.ts";
import { Domain } from "../../../core/shared/fields.ts";
import { bulkCreateBrands } from "../../../tools/brands/bulk-create-brands.ts";
import { listBrands } from "../../../tools/brands/list-brands.ts";
import type { WorkspacePlace } from "../shared/places.ts";
import type { Draft } from "./drafts.ts";
import { addressOf, listOf, valueOf } from "./setup-of-draft.ts";
import type { NewType } from "./steps.ts";
import type { Answer, Ask } from "../../http/pages/ask.ts";

export type ShownBrand = Answer<typeof listBrands>["data"][number];

export interface OfferedBrands {
  own: readonly ShownBrand[];
  rivals: readonly ShownBrand[];
}

const MOST = 100;

export async function offeredBrands(ask: Ask, place: WorkspacePlace): Promise<OfferedBrands> {
  const list = (relationship: string) => ask(listBrands, { ...place, relationship, limit: MOST });
  const [mine, rivals, others] = await Promise.all([list("mine"), list("competitor"), list("other")]);
  return { own: [...mine.data, ...rivals.data, ...others.data], rivals: rivals.data };
}

interface Within {
  ask: Ask;
  place: WorkspacePlace;
  type: NewType;
}

/** An entered name, with the catalog brand of that name, if any. */
interface Typed {
  name: string;
  field: "brand_name" | "competitor_names";
  brand: { id: string } | undefined;
}

/**
 * Replaces entered names by catalog brands. After confirmation, adds missing brands, the own brand
 * with its website's domain. Returns faults and then leaves the draft unchanged.
 */
export async function takeBrands(draft: Draft, within: Within): Promise<Fault[]> {
  const { fields } = draft;
  const ownName = fields.get("brand") ? "" : valueOf(draft, "brand_name").trim();
  const rivalNames = listOf(valueOf(draft, "competitor_names"));
  if (rivalNames.length > 10) return [{ field: "competitor_names", message: "Name up to 10 competitors." }];
  const typed = [
    ...(ownName === "" ? [] : [await lookUp(ownName, "brand_name", within)]),
    ...(await Promise.all(rivalNames.map((name) => lookUp(name, "competitor_names", within)))),
  ];
  const missing = typed.filter(({ brand }) => brand === undefined);
  if (missing.length > 0) {
    const faults = await add(missing, draft, within);
    if (faults.length > 0) return faults;
  }
  return settle(draft, typed);
}

async function lookUp(name: string, field: Typed["field"], { ask, place }: Within): Promise<Typed> {
  const { data } = await ask(listBrands, { ...place, text: name.slice(0, 200), limit: MOST });
  return { name, field, brand: data.find((one) => foldName(one.name) === foldName(name)) };
}

/** Adds brands to the catalog and sets them in `missing`. */
async function add(missing: readonly Typed[], draft: Draft, { ask, place }: Within): Promise<Fault[]> {
  if (valueOf(draft, "agree") !== "1") {
    const names = missing.map(({ name }) => name).join(", ");
    return [{ field: "agree", message: `Tick this to add to the catalog: ${names}.` }];
  }
  const domain = Domain.safeParse(hostOf(addressOf(valueOf(draft, "website"))));
  const brands = missing.map(({ name, field }) =>
    field === "brand_name"
      ? { name, relationship: "mine", domains: domain.success ? [domain.data] : [] }
      : { name, relationship: "competitor" },
  );
  const { results } = await ask(bulkCreateBrands, { ...place, brands });
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
function settle({ fields }: Draft, typed: readonly Typed[]): Fault[] {
  const own = typed.find(({ field }) => field === "brand_name")?.brand?.id ?? fields.get("brand") ?? "";
  const named = typed.flatMap(({ field, brand }) => (field === "competitor_names" && brand ? [brand.id] : []));
  const rivals = new Set([...fields.getAll("competitors"), ...named]);
  fields.set("brand", own);
  fields.delete("competitors");
  for (const id of rivals) if (id !== own) fields.append("competitors", id);
  for (const field of ["brand_name", "competitor_names", "agree"]) fields.delete(field);
  return [];
}
