import { listBrands } from "../../../tools/brands/list-brands.ts";
import type { WorkspaceIds } from "./page-addresses.ts";
import type { Ask } from "../../http/pages/call-endpoint.ts";

export async function hasOwnBrand(call: Ask, ids: WorkspaceIds): Promise<boolean> {
  const { data } = await call(listBrands, { ...ids, relationship: "mine", limit: 1 });
  return data.length > 0;
}
