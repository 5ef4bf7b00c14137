/** The text of a page's alert; undefined without one. */
export function alertText(page: string): string | undefined {
  return /role="alert"[^>]*>([^<]*)</
    .exec(page)?.[1]
    ?.trim()
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}
