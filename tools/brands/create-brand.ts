import { z } from "zod";
import { insertBrand } from "../../db/brands.ts";
import { requireRoom } from "../../db/quotas.ts";
import { workspacePath } from "../../src/core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Brand, brandFields, checkBrand, shapeBrand } from "./brand.ts";

export const createBrand = endpoint({
  name: "createBrand",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands",
  status: 201,
  group: "Brand Catalog",
  summary: "Add a brand to the catalog",
  description:
    "Use this to track a brand: answers are read for its name, its aliases and its domains from the next collect on.",
  access: { workspace: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({
    ...workspacePath,
    name: brandFields.name,
    domains: brandFields.domains.default([]),
    aliases: brandFields.aliases.default([]),
    excluded_phrases: brandFields.excluded_phrases.default([]),
    kind: brandFields.kind.default("brand"),
    parent_id: brandFields.parent_id.default(null),
    relationship: brandFields.relationship.default("other"),
  }),
  output: Brand,
  errors: ["CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, { tenant, now, newId }) {
    const id = newId();
    const {
      name,
      domains,
      aliases,
      kind,
      relationship,
      parent_id: parentId,
      excluded_phrases: excludedPhrases,
    } = input;
    await requireRoom(tenant, "brands");
    await checkBrand(tenant, { id, name, kind, parentId, hasChildren: false });
    const dates = { createdAt: now, updatedAt: now };
    return shapeBrand(
      await insertBrand(tenant, {
        id,
        name,
        domains,
        aliases,
        excludedPhrases,
        kind,
        parentId,
        relationship,
        ...dates,
      }),
    );
  },
});
