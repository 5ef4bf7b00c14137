import { z } from "zod";
import { findAsset } from "../../db/assets/assets.ts";
import { replaceAssetTags as replaceTagsOfAsset } from "../../db/catalog/taggings.ts";
import { notFound } from "../../core/shared/errors.ts";
import { assetPath } from "../assets/asset.ts";
import { endpoint } from "../endpoint.ts";
import { TagSetSchema, tagIdsField, requireUsableTagIds, readTagSet } from "./tag-set.ts";

export const replaceAssetTags = endpoint({
  name: "replaceAssetTags",
  method: "PUT",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/assets/:asset_id/tags",
  group: "Tags",
  summary: "Set the tags of an asset",
  logged: "Set the tags of asset {asset_id}",
  description: "Replaces all tags of an asset by the given tags of the workspace and the organization.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...assetPath, tag_ids: tagIdsField }),
  output: TagSetSchema,
  errors: ["NOT_FOUND"],
  async handle({ asset_id, tag_ids }, { tenant }) {
    if (!(await findAsset(tenant, asset_id))) throw notFound("asset");
    const ids = await requireUsableTagIds(tenant, tag_ids);
    await replaceTagsOfAsset(tenant, asset_id, ids);
    return readTagSet(tenant, ids);
  },
});
