import { hash } from "node:crypto";
import { z } from "zod";
import { insertAsset, storeAssetText, type AssetRow, type NewAsset } from "../../db/assets/assets.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import {
  ASSET_TEXT_LIMIT,
  ASSET_TYPES,
  toAssetClass,
  looksLikeMarkdown,
  normaliseText,
  type StoredFile,
} from "../../core/assets/assets.ts";
import { invalidInput } from "../../core/shared/errors.ts";
import { nameSchema, removeInvisible, workspacePath } from "../../core/shared/fields.ts";
import { endpoint, type Context } from "../endpoint.ts";
import { Asset, shapeAsset } from "./asset.ts";

const UploadedFileSchema = z.strictObject({
  sha256: z.string(),
  size_bytes: z.int(),
  file_name: z.string(),
  type: z.enum(ASSET_TYPES),
  media_type: z.string(),
});

export const createAsset = endpoint({
  name: "createAsset",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/assets",
  status: 201,
  group: "Assets",
  summary: "Add an asset",
  logged: "Added asset {name}",
  description:
    "Adds an asset to evaluate: a file as multipart/form-data in the field content, or a text. The file's type is detected from its bytes. Text of documents is extracted in the background; until then the status is processing.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...workspacePath,
    name: nameSchema(255).optional().describe("Default: the file's name. Required for a text."),
    text: z.string().min(1).max(ASSET_TEXT_LIMIT).optional().describe("Plain text or Markdown, instead of a file."),
    content: UploadedFileSchema.optional().describe(
      "Text, Markdown, HTML, PDF, DOCX, PNG, JPEG, GIF, WebP, AVIF, MP4, QuickTime or WebM, as multipart/form-data.",
    ),
  }),
  file: "content",
  output: Asset,
  errors: ["QUOTA_EXCEEDED", "STORAGE_FULL"],
  async admitFile({ tenant }) {
    await requireQuota(tenant, "assets");
    await requireQuota(tenant, "asset_bytes");
  },
  async handle({ name: given, text, content }, context) {
    const { tenant, newId } = context;
    if ((text === undefined) === (content === undefined)) {
      throw invalidInput([{ path: "content", message: "is required unless there is a text; give one of the two" }]);
    }
    const sizeBytes = content?.size_bytes ?? Buffer.byteLength(text ?? "");
    await requireQuota(tenant, "assets");
    await requireQuota(tenant, "asset_bytes", sizeBytes);
    const id = newId();
    const asset = { id, sizeBytes, createdBy: context.userId, createdAt: context.now, updatedAt: context.now };
    if (content)
      return shapeAsset(await addFile(context, { ...asset, name: given ?? cleanFileName(content) }, content));
    if (given === undefined) throw invalidInput([{ path: "name", message: "is required for a text" }]);
    return shapeAsset(await addTextAsset(context, { ...asset, name: given }, text ?? ""));
  },
});

type CommonAssetFields = Pick<NewAsset, "id" | "name" | "sizeBytes" | "createdBy" | "createdAt" | "updatedAt">;

async function addFile({ tenant, now, newId }: Context, asset: CommonAssetFields, file: StoredFile): Promise<AssetRow> {
  const { type, media_type: mediaType, sha256 } = file;
  const hasText = toAssetClass(type) === "text";
  const status = hasText ? ("processing" as const) : ("ready" as const);
  const row = await insertAsset(tenant, { ...asset, type, mediaType, sha256, hasFile: true, status });
  if (hasText) await enqueueBackgroundJob(tenant, { id: newId(), kind: "extract_asset", subjectId: row.id, at: now });
  return row;
}

export async function addTextAsset(
  { tenant, now }: Pick<Context, "tenant" | "now">,
  asset: CommonAssetFields,
  text: string,
): Promise<AssetRow> {
  const markdown = looksLikeMarkdown(text);
  await insertAsset(tenant, {
    ...asset,
    type: markdown ? "markdown" : "text",
    mediaType: markdown ? "text/markdown" : "text/plain",
    sha256: hash("sha256", text),
    hasFile: false,
    status: "processing",
  });
  const stored = await storeAssetText(tenant, { id: asset.id, text: normaliseText(text), statusReason: null, at: now });
  if (!stored) throw new Error("The text of a new asset was not stored.");
  return stored;
}

function cleanFileName({ file_name: fileName }: StoredFile): string {
  const last = removeInvisible(fileName.split(/[\\/]/).at(-1) ?? "");
  return last.replaceAll(/\s+/g, " ").trim().slice(0, 255).toWellFormed() || "Untitled";
}
