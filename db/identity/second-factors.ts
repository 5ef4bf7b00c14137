/** The place that the secret of a person's authenticator app is sealed for: table, row and field. */
export function totpSecretPlace(userId: string): string {
  return `totp_factors/${userId}/secret`;
}
