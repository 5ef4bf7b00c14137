export const BRAND_KINDS = ["brand", "sub_brand", "product"] as const;
export const BRAND_RELATIONSHIPS = ["mine", "competitor", "other"] as const;
