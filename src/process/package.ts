import { readFileSync } from "node:fs";
import { z } from "zod";

const HttpsUrl = z.url({ protocol: /^https$/ });

const PackageSchema = z.object({
  mcpName: z.string(),
  version: z.string(),
  description: z.string(),
  // npm writes `git+https` addresses.
  repository: z
    .object({
      url: z
        .string()
        .transform((url) => url.replace(/^git\+/, ""))
        .pipe(HttpsUrl),
    })
    .optional(),
});

export const PACKAGE = PackageSchema.parse(
  JSON.parse(readFileSync(new URL(import.meta.resolve("#root/package.json")), "utf8")),
);
