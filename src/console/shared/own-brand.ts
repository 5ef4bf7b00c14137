import { listBrands } from "../../../tools/brands/list-brands.ts";
import type { WorkspaceIds } from "./places.ts";
import type { Ask } from "../../http/pages/ask.ts";

/** True if the catalog has an own brand. */
export async function hasOwnBrand(ask: Ask, place: WorkspaceIds): Promise<boolean> {
  const { data } = await ask(listBrands, { ...place, relationship: "mine", limit: 1 });
  return data.length > 0;
}
