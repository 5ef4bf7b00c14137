import { readFileSync } from "node:fs";
import { z } from "zod";

const PackageSchema = z.object({ mcpName: z.string(), version: z.string(), description: z.string() });

export const PACKAGE = PackageSchema.parse(
  JSON.parse(readFileSync(new URL(import.meta.resolve("#root/package.json")), "utf8")),
);
