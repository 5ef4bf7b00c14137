import { readFileSync } from "node:fs";
import { z } from "zod";

const Package = z.object({ mcpName: z.string(), version: z.string(), description: z.string() });

/** What package.json says of the product: its version is the one that every description of the product names. */
export const PACKAGE = Package.parse(
  JSON.parse(readFileSync(new URL(import.meta.resolve("#root/package.json")), "utf8")),
);
