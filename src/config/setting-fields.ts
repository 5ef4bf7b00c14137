import { z } from "zod";

export const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ""));

export const seconds = z.coerce.number().min(0.01).max(3600);

export const optionalText = (description: string) => z.string().min(1).optional().describe(description);

export const flag = z.enum(["0", "1"]).transform((value) => value === "1");

export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("must be JSON");
    return z.NEVER;
  }
});
