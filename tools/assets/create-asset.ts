import { hash } from "node:crypto";
import { z } from "zod";
import { insertAsset, storeAssetText } from "../../db/assets.ts";
import { requireRoom } from "../../db/quotas.ts";
import { ASSET_TEXT_LIMIT, looksLikeMarkdown } from "../../src/core/assets.ts";
import { name, withoutInvisible, workspacePath } from "../../src/core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Asset, shapeAsset } from "./asset.ts";

export const createAsset = endpoint({
  name: "createAsset",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/assets",
  status: 201,
  group: "Assets",
  summary: "Add an asset",
  description: "Use this to add a text to be evaluated.",
  access: { workspace: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({
    ...workspacePath,
    name: name(255),
    text: z.string().min(1).max(ASSET_TEXT_LIMIT).describe("Plain text or Markdown."),
  }),
  output: Asset,
  errors: ["QUOTA_EXCEEDED"],
  async handle(input, { tenant, userId, now, newId }) {
    const sizeBytes = Buffer.byteLength(input.text);
    await requireRoom(tenant, "assets");
    await requireRoom(tenant, "asset_bytes", sizeBytes);
    const id = newId();
    const markdown = looksLikeMarkdown(input.text);
    await insertAsset(tenant, {
      id,
      name: input.name,
      type: markdown ? "markdown" : "text",
      mediaType: markdown ? "text/markdown" : "text/plain",
      sizeBytes,
      sha256: hash("sha256", input.text),
      hasFile: false,
      status: "processing",
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    const text = withoutInvisible(input.text.replaceAll(/\r\n?/g, "\n"));
    const stored = await storeAssetText(tenant, { id, text, note: null, at: now });
    if (!stored) throw new Error("The text of a new asset was not stored.");
    return shapeAsset(stored);
  },
});
