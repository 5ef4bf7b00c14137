import { z } from "zod";

// What environment variables hold, for `config.ts` and the settings of providers.

/** A web address, without a slash at its end. */
export const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ""));

export const seconds = z.coerce.number().min(0.01).max(3600);

/** A text that may be left out, such as a key. */
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
