/** The place that the fields of a form are sealed for: table, row and field. */
export function heldFormPlace(secretHash: string): string {
  return `held_forms/${secretHash}/fields`;
}
