import { z } from "zod";
import { address, optionalText, seconds } from "../../config/setting-fields.ts";

export const modelSettingFields = {
  EVALUATION_MODEL_BASE_URL: address
    .optional()
    .describe(
      "Base URL, up to /v1, of an OpenAI-compatible chat completions API that evaluates texts and images; requires EVALUATION_MODEL.",
    ),
  EVALUATION_MODEL: optionalText("Model that evaluates assets. Default: built-in rules, for texts only."),
  EVALUATION_MODEL_API_KEY: optionalText("API key for EVALUATION_MODEL_BASE_URL, if required."),
  EVALUATION_MODEL_TIMEOUT_SECONDS: seconds.default(120).describe("Time limit of one request to EVALUATION_MODEL."),
  PERCEPTION_MODEL_BASE_URL: address
    .optional()
    .describe(
      "Base URL, up to /v1, of an OpenAI-compatible chat completions API that extracts opinions from answers of brand analyses, in addition to the rules; requires PERCEPTION_MODEL.",
    ),
  PERCEPTION_MODEL: optionalText("Model that extracts opinions in addition to the rules. Default: rules only."),
  PERCEPTION_MODEL_API_KEY: optionalText("API key for PERCEPTION_MODEL_BASE_URL, if required."),
  PERCEPTION_MODEL_TIMEOUT_SECONDS: seconds.default(60).describe("Time limit of one request to PERCEPTION_MODEL."),
};

const MODEL_SETTING_NAMES = ["EVALUATION_MODEL", "PERCEPTION_MODEL"] as const;

export function findHalfSetModel(given: z.output<z.ZodObject<typeof modelSettingFields>>) {
  return MODEL_SETTING_NAMES.find(
    (model) => (given[`${model}_BASE_URL`] === undefined) !== (given[model] === undefined),
  );
}
