import { z } from "zod";
import { textSchema } from "../../core/shared/fields.ts";
import { DISMISS_REASONS } from "../../core/actions/action.ts";

export const dismissalFields = {
  reason: z.enum(DISMISS_REASONS).describe("Reason for the dismissal."),
  comment: textSchema(2000).nullable().default(null).describe("Free text, up to 2,000 characters."),
};
